"""`look:`: names, units, order, what is hidden and what the rules work out, in the documents that screens draw from."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from rulelang import load
from rulelang.base.languages import ENGLISH, Language
from rulelang.compiler.compilation import LoadError, check
from rulelang.presentation.view import document
from rulelang.presentation.view.appearance import appearance_of, picture_files
from rulelang.presentation.view.document import Documents
from rulelang.runtime.game import Game
from rulelang.runtime.state import State
from tests.native.machine import needs_compiler
from tests.spec.pages import garden, write

LOOK = """\
look:
  snail:
    name: {en: snail, de: Schnecke}
    plural: slow snails
    order: [still, size]
    hide: [home]
    members:
      size: {short: sz, unit: "inch|inches", text: from end to end}
      eaten: {icon: "@"}
    show:
      still: {is: this.size * 2 - this.eaten, name: hungry for}
      high: {is: this.size > 3, name: towers over all, otherwise: hides easily}
      wealth: {is: "sum(card c in this.owner.hand: c.weight)", name: what its owner could lay on it}
  card: {called: "{name} of {weight}"}
  food: {rows: {leaf: {name: green leaf}}}
  player: {show: {lead: {is: "first(snail s of this)", name: first snail}}}
  game: {show: {all: {is: "count(snail s)", name: snails in all}}, members: {start: {name: first player}}}
  hand: {name: cards in hand}
  discards: {hide: true}
"""


def begun(folder: Path, look: str = LOOK, mods: tuple[Path, ...] = ()) -> Game:
    files = dict(garden())
    files["ruleset.yaml"] = files["ruleset.yaml"].replace("files: [", "files: [look.yaml, ")
    write(folder / "garden", {**files, "look.yaml": look})
    return load(folder / "garden", mods)


def snails(state: State, viewer: int | None = 1) -> list[dict[str, Any]]:
    shown: Any = document(state, viewer)
    return [thing for player in shown["players"] for group in player["groups"] for thing in group["things"]]


def facts(part: dict[str, Any]) -> dict[str, Any]:
    return {fact["name"]: fact for fact in part["facts"]}


def test_names_units_order_and_what_is_hidden(tmp_path: Path) -> None:
    state = begun(tmp_path).new(2, 1)
    (snail, *_) = snails(state)
    assert [fact["name"] for fact in snail["facts"]][:2] == ["still", "size"]
    told = facts(snail)
    assert "home" not in told
    assert (told["size"]["text"], told["size"]["phrase"]) == ("1 inch", "1 inch")
    assert (told["size"]["short"], told["size"]["about"]) == ("sz", "from end to end")
    assert told["size"]["brief"] == "sz 1"
    assert told["eaten"]["icon"] == "@"
    assert (told["still"]["value"], told["still"]["phrase"]) == (2, "hungry for 2")
    assert (told["high"]["value"], told["high"]["phrase"], told["high"]["quiet"]) == (False, "hides easily", False)
    shown: Any = document(state, 1)
    assert shown["players"][0]["groups"][0]["label"] == "slow snails"
    assert {fact["name"]: fact["phrase"] for fact in shown["facts"]}["all"] == f"snails in all {len(snails(state))}"
    assert [zone["name"] for zone in shown["zones"]] == ["deck"]
    hand = shown["players"][0]["zones"][0]
    assert hand["label"] == "cards in hand"
    assert all(" of " in card["label"] for card in hand["cards"])


def test_a_value_counts_what_its_reader_sees(tmp_path: Path) -> None:
    state = begun(tmp_path).new(2, 1)
    owners = [snail["owner"] for snail in snails(state)]
    for viewer in (1, 2, None):
        known = [facts(snail)["wealth"]["value"] for snail in snails(state, viewer)]
        assert [value > 0 for value in known] == [owner == f"player:{viewer}" for owner in owners]


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=needs_compiler)])
def test_it_does_not_matter_who_looks_first(tmp_path: Path, backend: str) -> None:
    held = '{held: {is: "sum(player p: sum(card c in p.hand: c.weight))"}, all:'  # each sees his own hand
    begin = begun(tmp_path, LOOK.replace("{all:", held)).new(2, 1, backend=backend)
    assert len({facts(dict(document(begin, viewer)))["held"]["value"] for viewer in (1, 2, None)}) > 1
    for order in permutations(range(3)):
        state = begin.clone()
        whole = Documents(state)
        for late in range(4):  # one more looks at each position, and those who did before
            for seat in order[: late + 1]:
                assert whole.of(state, seat) == document(state, seat or None), (order, late, seat)
            state.play(0)


def test_languages(tmp_path: Path) -> None:
    state = begun(tmp_path).new(2, 1)
    german = state.spoken(Language("de", {"hungry for": "noch hungrig auf"}))
    shown: Any = document(german, 1)
    assert shown["lang"] == "de"
    assert shown["players"][0]["groups"][0]["label"] == "slow snails"
    assert facts(shown["players"][0]["groups"][0]["things"][0])["still"]["label"] == "noch hungrig auf"


def test_a_mod_adds_and_patches(tmp_path: Path) -> None:
    mod = {
        "mod.yaml": "id: fair\nversion: 1.0.0\nlanguage: 1\ntitle: Fair\n"
        "extends: {garden: '>=1.0'}\nfiles: [more.yaml]\n",
        "more.yaml": "look:\n  snail: {show: {twice: this.size * 2}, hide: [mood], order: [mood, eaten]}\n"
        "set: {look.snail.members.size.unit: 'foot|feet', look.snail.show.still.name: wants}\n",
    }
    write(tmp_path / "fair", mod)
    told = facts(snails(begun(tmp_path, mods=(tmp_path / "fair",)).new(2, 1))[0])
    assert (told["size"]["text"], told["twice"]["phrase"], told["still"]["phrase"]) == ("1 foot", "twice 2", "wants 2")
    assert [*told][:3] == ["still", "size", "eaten"]
    assert not {"mood", "home"} & told.keys()


@needs_compiler
def test_words_for_values_of_a_trait_go_with_it(tmp_path: Path) -> None:
    """What a mod takes out, the game below may still have words for; the mod may have none."""
    head = "id: bare\nversion: 1.0.0\nlanguage: 1\ntitle: {en: Bare}\n"
    files = {"mod.yaml": f"{head}extends: {{evolution: any}}\nfiles: [m.yaml]\n"}
    base = {path.name: path for path in Path("rulesets/evolution").rglob("look.yaml")}
    # A trait keeps this on its cards.
    assert "outwitted: {name: ignored, called" in base["look.yaml"].read_text(encoding="utf-8")
    gone = "remove: [traits.intelligence, 'cards.card.rows[face=intelligence]']\n"
    write(tmp_path / "bare", {**files, "m.yaml": gone})
    assert check("evolution", [tmp_path / "bare"])[1].failed is False
    write(tmp_path / "bare", {**files, "m.yaml": f"{gone}look: {{hindrs: {{name: hinders}}}}\n"})
    assert [one.code for one in check("evolution", [tmp_path / "bare"])[1]] == ["N369"]


def test_backends_show_the_same(tmp_path: Path) -> None:
    game = begun(tmp_path)
    for seed in range(3):
        states = [game.new(2, seed, backend=backend) for backend in ("python", "native")]
        for _ in range(12):
            assert document(states[0], 1) == document(states[1], 1)
            for state in states:
                if not state.over:
                    state.play(0)


@pytest.mark.parametrize("name", ["darwins_choice", "evolution", "evolved", "origin_of_species"])
def test_shipped_games_show_what_matters(name: str) -> None:
    wanted = {
        "darwins_choice": {"diet", "hearts", "adaptability", "competition", "fits"},
        "evolution": {"hunger"},
        "evolved": {"counters"},
        "origin_of_species": {"lack"},
    }[name]
    state = load(name).new(3, 5)
    kind = next(kind for kind in ("creature", "species", "animal") if kind in state.table.program.layout.kinds)
    for number in range(300):
        things = [thing for thing in snails(state, state.decider or None) if thing["kind"] == kind]
        if things:
            assert wanted <= facts(things[0]).keys()
            return
        state.play(number * 7 % state.option_count)
    raise AssertionError("nothing was made")


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'


def test_the_order_on_the_table_and_pictures(tmp_path: Path) -> None:
    """A mod's pictures lie in its own folder, and stand over those of the same name; it may name the game's, too."""
    look = "look:\n  game: {layout: [food, player]}\n  food: {rows: {leaf: {picture: art/leaf.svg}}}\n"
    (tmp_path / "garden/art").mkdir(parents=True)
    (tmp_path / "garden/art/leaf.svg").write_bytes(SVG)
    game = begun(tmp_path, look)
    dressed = appearance_of(game.new(2, 1).table, ENGLISH)
    assert dressed["layout"] == ["food", "player"]
    assert dressed["rows"]["food"]["leaf"] == {"picture": "art/leaf.svg"}
    assert picture_files(game.new(2, 1).table) == {"art/leaf.svg"}
    assert game.picture("art/leaf.svg") == (SVG, "image/svg+xml")
    own = SVG.replace(b"/>", b'><path d="M0 0"/></svg>')
    files = {"mod.yaml": "id: autumn\nextends: {garden: '>=1.0'}\nversion: 1.0.0\nlanguage: 1\nfiles: [more.yaml]\n",
             "more.yaml": "set: {look.food.rows.leaf.picture: art/red.svg}\n"}  # fmt: skip
    write(tmp_path / "autumn", files)
    with pytest.raises(LoadError, match="there is no picture"):
        load(tmp_path / "garden", [tmp_path / "autumn"])
    (tmp_path / "autumn/art").mkdir()
    (tmp_path / "autumn/art/red.svg").write_bytes(own)
    reddened = load(tmp_path / "garden", [tmp_path / "autumn"])
    assert reddened.picture("art/red.svg") == (own, "image/svg+xml")
    assert reddened.picture("art/leaf.svg") == (SVG, "image/svg+xml")
    (tmp_path / "garden/art/red.svg").write_bytes(SVG)  # its own is the one that counts
    assert reddened.picture("art/red.svg") == (own, "image/svg+xml")


def test_a_card_looks_like_what_is_printed_on_it(tmp_path: Path) -> None:
    """Also where that is not shown, since the name of the card says it."""
    files = dict(garden())
    files["ruleset.yaml"] = files["ruleset.yaml"].replace("files: [", "files: [seeds.yaml, ")
    files["seeds.yaml"] = """\
cards:
  seed: {columns: {food: food}, rows: {oat: {food: leaf}, rye: {food: leaf}}}
look:
  seed: {hide: [food], rows: {rye: {icon: R}}}
  food: {rows: {leaf: {icon: "*", colour: "#887744"}}}
"""
    write(tmp_path / "garden", files)
    dressed = appearance_of(load(tmp_path / "garden").new(2, 1).table, ENGLISH)
    seed = {"icon": "*", "colour": "#887744"}
    assert dressed["cards"] == {"seed": {"oat": seed, "rye": seed}}
    assert dressed["rows"]["seed"] == {"rye": {"icon": "R"}}


@pytest.mark.parametrize("name", ["look.yaml", "../secret.svg", "art/../../secret.svg", "/etc/x.svg", ".art/x.svg"])
def test_no_other_file_is_a_picture(name: str, tmp_path: Path) -> None:
    game = begun(tmp_path)
    (tmp_path / "secret.svg").write_bytes(SVG)
    (tmp_path / "garden/.art").mkdir()
    (tmp_path / "garden/.art/x.svg").write_bytes(SVG)
    assert game.picture(name) is None


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"\x89PNG", "it is not an SVG file"), (SVG + b" " * 600_000, "600,041 bytes; a picture may have at most")],
)
def test_what_is_no_picture_is_told(data: bytes, why: str, tmp_path: Path) -> None:
    (tmp_path / "garden/art").mkdir(parents=True)
    (tmp_path / "garden/art/leaf.svg").write_bytes(data)
    with pytest.raises(LoadError) as raised:
        begun(tmp_path, "look:\n  food: {picture: art/leaf.svg}\n")
    (told,) = raised.value.diagnostics.sorted()
    assert (told.code, why in told.because) == ("Y163", True)


CALLED = {
    "evolution": ("attack", "{self} goes for {prey}", "wolf goes for crab", {
        "phase": "feeding", "turn": "ana", "state": {"watering_hole": 5},
        "players": {"ana": [{"wolf body_size 4": "carnivore"}, "hare"], "bob": ["crab"]},
    }),
    "evolved": ("erupt", "{self} in {x}", "Volcanic activity in d3", {
        "phase": "mass_extinctions", "turn": "ana", "state": {"now": "silurian"},
        "tables": {"population": {"alva": {"d3": 1}}},
        "players": {"ana": {"species": ["alva"], "hand": ["volcanic_activity"]}, "bob": {}},
    }),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLED)
def test_an_action_is_called_by_its_bearer(name: str, tmp_path: Path) -> None:
    """`{self}` is the thing that a trait's action is done with, or the card that brings it."""
    action, called, said, position = CALLED[name]
    head = f"id: said\nversion: 1.0.0\nlanguage: 1\ntitle: Said\nextends: {{{name}: any}}\nfiles: [m.yaml]\n"
    write(tmp_path / "said", {"mod.yaml": head, "m.yaml": f"set: {{look.{action}.called: '{called}'}}\n"})
    shown: Any = document(load(name, [tmp_path / "said"]).position(position), 1)
    assert said in [option["sentence"] for option in shown["question"]["options"]]


def test_an_action_of_the_core_has_no_bearer(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="N372"):
        begun(tmp_path, "look: {nibble: {called: 'let {self} nibble'}}\n")
