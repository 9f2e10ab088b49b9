"""What names stand for: a table of marked places over shipped games, and every name in their rules."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulelang.apps.editor.analysis import Analysis
from rulelang.apps.editor.index import index_of
from rulelang.apps.editor.navigation import (
    definition_of,
    document_outline,
    folding_ranges,
    hover_text,
    references_to,
    rename_edits,
    workspace_symbols,
)
from rulelang.base.source import Span
from rulelang.language.syntax.grammar import shared_grammar
from rulelang.language.syntax.lexer import scan
from tests.cli.helpers import tiny
from tests.editor.helpers import GAMES, Desk, shipped

#: Words of the language that are names to the scanner.
ITS_OWN = {"option", "turn", "round", "phase", "game", "int", "bool", "order", "d6"}

#: Game, file, marked text, where it is declared (file and the text there).
CAMOUFLAGE = "traits/camouflage.yaml"
PLACES = [
    ("origin_of_species", CAMOUFLAGE, "forbid str¦ike(hunter", "game.rules", "strike"),
    ("origin_of_species", CAMOUFLAGE, "has sharp_¦vision because", "traits/sharp_vision.yaml", "sharp_vision"),
    ("origin_of_species", CAMOUFLAGE, "unless hun¦ter has", CAMOUFLAGE, "hunter"),
    ("evolution", "game.rules", "value stock(source pl¦ace) -> int", "game.rules", "place"),
    ("evolution", "game.rules", "watering_hole if pl¦ace == hole", "game.rules", "place"),
    ("evolution", "game.rules", "watering_hole if place == ho¦le else bank", "components.yaml", "hole"),
    ("evolution", "game.rules", "-> int: watering_h¦ole if place", "components.yaml", "watering_hole"),
    ("evolution", "game.rules", "place == hole else ba¦nk", "components.yaml", "bank"),
    ("evolution", "game.rules", "no(species s where s.fo¦od > s.population)", "components.yaml", "food"),
    ("evolution", "game.rules", "no(spe¦cies s where s.food > s.population)", "components.yaml", "species"),
    ("evolution", "game.rules", "no(species s where ¦s.food > s.population)", "game.rules", "s"),
    ("evolution", "cards.yaml", "{face: carni¦vore,         food", "traits/carnivore.yaml", "carnivore"),
    ("evolution", "cards.yaml", "{fa¦ce: carnivore,         food", "cards.yaml", "face"),
    ("evolution", "components.yaml", "at_most: boa¦rds ", "components.yaml", "boards"),
    ("darwins_choice", "game.rules", "option.two_player_replacement == one_two_¦two", "ruleset.yaml", "one_two_two"),
    ("evolved", "game.rules", "any(space x where x.belt == ¦b and", "game.rules", "b"),
]  # fmt: skip


def stands(desk: Desk, span: Span) -> tuple[str, str]:
    path = os.path.relpath(os.path.abspath(span.path), desk.folder)
    line = desk.read(path).split("\n")[span.line - 1]
    return path, line[span.column - 1 : span.end_column - 1]


@pytest.mark.parametrize(("game", "file", "marked", "where", "text"), PLACES, ids=lambda part: str(part)[:40])
def test_names_lead_to_their_declaration(game: str, file: str, marked: str, where: str, text: str) -> None:
    desk = shipped(game)
    found = definition_of(desk.analysis(file), desk.path(file), *desk.at(file, marked))
    assert (where, text) in [stands(desk, span) for span in found]


def taken_out(analysis: Analysis, span: Span) -> bool:
    """Whether a patch has replaced what stands there."""
    gone = [c.before for c in analysis.program.changes if c.before is not None and c.before.path == span.path]
    return any(before[1:3] <= span[1:3] <= before[3:] for before in gone)


@pytest.mark.parametrize("game", sorted(p.name for p in GAMES.iterdir() if p.is_dir()))
def test_every_name_in_the_rules_of_a_game_is_known(game: str) -> None:
    desk = shipped(game)
    manifest = "mod.yaml" if (GAMES / game / "mod.yaml").is_file() else "ruleset.yaml"
    analysis = desk.analysis(manifest)
    index, tables = index_of(analysis), shared_grammar()
    unknown = []
    for text in analysis.source.rules:
        known = {(o.span.line, o.span.column) for o in index.by_file.get(os.path.abspath(text.placement.path), ())}
        for line in scan(text.text, text.placement, tables.signs)[0]:
            for token in line.tokens:
                named = token.type == "NAME" and token.text not in tables.words and token.text not in ITS_OWN
                if named and token.span[1:3] not in known and not taken_out(analysis, token.span):
                    unknown.append(f"{token.text} {token.span}")
    assert unknown == []


def test_references_cross_all_kinds_of_files(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny"))
    analysis = desk.analysis("game.rules")
    found = references_to(analysis, desk.path("things.yaml"), *desk.at("things.yaml", "co¦ins:"), declarations=True)
    files = [stands(desk, span) for span in found]
    assert {name for name, _ in files} == {"things.yaml", "game.rules", "scenarios/work.yaml"}
    assert {text for _, text in files} == {"coins"}
    assert len(files) == 6
    without = references_to(analysis, desk.path("things.yaml"), *desk.at("things.yaml", "co¦ins:"), declarations=False)
    assert len(without) == 5


def test_locals_of_one_name_are_told_apart(tmp_path: Path) -> None:
    rules = "value both(player p) -> int: count(player q where q.coins > 1) + count(player q where q.coins > 2)\n"
    desk = Desk(tiny(tmp_path / "tiny"))
    desk.put("game.rules", desk.read("game.rules") + rules)
    place = desk.at("game.rules", "¦q.coins > 2)")
    found = references_to(desk.analysis("game.rules"), desk.path("game.rules"), *place, declarations=True)
    assert len(found) == 2


HOVERS = [
    ("evolution", "traits/hard_shell.yaml", "modify defe¦nce(self)", ["value defence(", "modified by trait hard"]),
    ("evolution", "cards.yaml", "{face: carni¦vore,         food", ["Carnivore", "17 cards"]),
    ("evolution", "components.yaml", "trait_lim¦it: {2", ["trait_limit", "2 players: 2", "ev-3.1c"]),
    ("evolution", "components.yaml", "pop¦ulation: {is", ["number of animals in the species", "0..most_population"]),
    ("evolution", "components.yaml", "    li¦ne: true", ["`line`"]),
    ("evolution", "game.rules", "value st¦ock(source place)", ["value stock(source place) -> int"]),
    ("evolution", "game.rules", "watering_hole if pl¦ace == hole", ["place: source"]),
    ("evolution", "traits/hard_shell.yaml", "mod¦ify defence(self)", ["change a value", "modify VALUE(PATTERN)"]),
    ("evolution", "game.rules", "no(species s where s.fo¦od > s.population)", ["species.food: int"]),
]  # fmt: skip


@pytest.mark.parametrize(("game", "file", "marked", "wanted"), HOVERS, ids=lambda part: str(part)[:40])
def test_hover_tells_what_is_known(game: str, file: str, marked: str, wanted: list[str]) -> None:
    desk = shipped(game)
    found = hover_text(desk.analysis(file), desk.path(file), *desk.at(file, marked))
    assert found is not None
    assert [words for words in wanted if words not in found[0]] == [], found[0]


def test_hover_says_nothing_of_prose(tmp_path: Path) -> None:
    desk = Desk(tiny(tmp_path / "tiny"))
    desk.put("game.rules", "# choose well\n" + desk.read("game.rules"))
    assert hover_text(desk.analysis("game.rules"), desk.path("game.rules"), 1, 5) is None


def test_the_outline_of_a_trait_has_its_rules_and_scenarios() -> None:
    desk = shipped("origin_of_species")
    found = {
        item.name: item
        for item in document_outline(desk.path("traits/camouflage.yaml"), desk.read("traits/camouflage.yaml"))
    }
    assert [part.name for part in found["rules"].parts] == ["forbid strike"]
    assert "a hunter without Sharp vision cannot see a camouflaged animal" in [
        part.name for part in found["scenarios"].parts
    ]


def test_symbols_are_found_by_their_letters() -> None:
    found = {item.thing.name for item in workspace_symbols(shipped("evolution").analysis("game.rules"), "hrdshl")}
    assert "hard_shell" in found
    assert "carnivore" not in found


def test_what_is_indented_folds() -> None:
    assert list(folding_ranges("a.rules", "game:\n  one\n\n  two\n\nvalue x: 1\n")) == [(1, 4)]


def test_a_scenario_has_names_of_its_own() -> None:
    """Its players and things: declared where its position names them, and nobody's in the next one."""
    desk = shipped("origin_of_species")
    name = "traits/burrowing.yaml"
    analysis, path = desk.analysis(name), desk.path(name)
    line, column = desk.at(name, "    when: [hunt ¦wolf mole]\n    then: [mole is missing, wolf.blue == 2]")
    (declared,) = definition_of(analysis, path, line, column)
    rows = desk.read(name).split("\n")
    assert "players" in "".join(rows[declared.line - 3 : declared.line])
    found = references_to(analysis, path, line, column, declarations=True)
    assert declared in found
    assert {span.line for span in found} == {declared.line, line, line + 1}
    assert {rows[span.line - 1][span.column - 1 : span.end_column - 1] for span in found} == {"wolf"}
    said = hover_text(analysis, path, line, column)
    assert said is not None
    assert "wolf: animal" in said[0]
    edits = rename_edits(analysis, path, line, column, "fox")
    assert {place: sorted(spans) for place, spans in edits.items()} == {path: found}
    line, column = desk.at("traits/grazing.yaml", "      - ¦trample ox")
    (action,) = definition_of(desk.analysis(name), desk.path("traits/grazing.yaml"), line, column)
    assert action.path.endswith("grazing.yaml")
