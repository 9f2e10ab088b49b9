"""What follows a dot, and what queries ask, is declared once: the checker, lowering, hints and pages read it there."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulelang.base.diagnostics import Diagnostic
from rulelang.base.source import Placement
from rulelang.compiler.compilation import Compilation
from rulelang.compiler.lower.state import access as lowered
from rulelang.language.semantics import tree
from rulelang.language.semantics.builtins.functions import FUNCTIONS, QUERIES
from rulelang.language.semantics.builtins.names import LISTS, MEMBERS
from rulelang.language.semantics.check.program import check_expression
from rulelang.language.semantics.check.symbol_table import Symbols
from rulelang.language.semantics.members import members_of
from rulelang.language.semantics.model import Type, ref
from rulelang.language.syntax.lexer import QUERY_FORMS
from rulelang.language.syntax.parse import parse_expression
from tests.spec.pages import Block, lay_out

GAMES = sorted(path.parent.name for path in Path("rulesets").glob("*/ruleset.yaml"))
BOLD = """
lists: {colour: {rows: [red, blue], attributes: {days: number}}}
kinds: {snail: {attributes: {bold: bool, pack: {holds: tool}}}, hut: {of: player, in: colour, at_most: 2}}
cards:
  tool:
    columns: {price: int, sharp: bool, names: {is: bool, by: colour}}
    rows: {saw: {price: 2, names: [true, false]}}
zones: {shed: {of: player, holds: tool, seen_by: owner}}
"""
ALGAE = """
trait: algae
state: {grazed: {is: bool, resets: round}, seen: {is: 0..3, of: colour}}
"""
MOSS = "trait: moss\nstate: {grazed: bool}\n"


def told(rules: str, folder: Path, *more: str) -> list[Diagnostic]:
    """What is wrong with rules over the garden and some files more."""
    names = [f"traits/{text.split()[1]}.yaml" if "trait:" in text.split() else "more.yaml" for text in more]
    blocks = [Block("yaml", name, text, 1, ()) for name, text in zip(names, more, strict=True)]
    where, _ = lay_out([*blocks, Block("rules", "block.rules", rules, 1, ())], folder)
    one = Compilation(where)
    return [item for phase in (one.read[1], one.declared[1], one.parsed[1], one.typed[1]) for item in phase]


def garden(folder: Path) -> Compilation:
    where, _ = lay_out(
        [
            Block("yaml", "more.yaml", BOLD, 1, ()),
            Block("yaml", "traits/algae.yaml", ALGAE, 1, ()),
            Block("yaml", "traits/moss.yaml", MOSS, 1, ()),
        ],
        folder,
    )
    return Compilation(where)


def test_every_member_has_a_lowering_and_every_lowering_a_row() -> None:
    single = {
        name
        for name, row in MEMBERS.items()
        if not any(has.text.startswith("set of") for has in row.of) and not (row.column and row.printed)
    }
    assert lowered.MEMBERS.keys() == single
    assert all(row.doc and row.example.then for row in MEMBERS.values())


def test_queries_are_those_of_the_grammar() -> None:
    assert QUERIES.keys() == QUERY_FORMS.keys()
    assert {name for name, row in QUERIES.items() if row.body} == {n for n, form in QUERY_FORMS.items() if ":" in form}
    assert all((":" in row.form) == bool(row.body) == bool(row.because) for row in QUERIES.values())
    assert QUERIES.keys() & FUNCTIONS.keys() == {"min", "max", "count"}


def test_all_members_of_a_kind_with_their_types(tmp_path: Path) -> None:
    model = garden(tmp_path).model
    shown = {name: (m.what, str(m.type), [str(t) for t in m.index]) for name, m in members_of(model, "snail").items()}
    assert shown == {
        "size": ("attribute", "int", []),
        "eaten": ("attribute", "int", []),
        "mood": ("attribute", "mood", []),
        "home": ("attribute", "maybe place", []),
        "bold": ("attribute", "bool", []),
        "gear": ("zone", "None", []),
        "pack": ("slot", "tool", []),
        "owner": ("built in", "player", []),
        "number": ("built in", "int", []),
    }
    assert members_of(model, "hut")["colour"].type == ref("colour")
    assert list(members_of(model, "mood")) == ["number"]
    assert "owner" not in members_of(model, "player")
    tool = members_of(model, "tool")
    assert tool["names"].index == (ref("colour"),)
    assert tool["on"].type == ref("snail", maybe=True)
    assert not {"face", "faces", "grazed", "seen"} & tool.keys()  # it bears no traits
    assert members_of(model, "card")["face"].type == ref("trait")
    assert members_of(model, "trait")["pair"].what == "column"
    assert all(member.doc for kind in Symbols(model, model).kinds() for member in members_of(model, kind).values())


def test_what_traits_keep_is_seen_by_the_trait_or_where_one_keeps_it(tmp_path: Path) -> None:
    symbols = Symbols(model := garden(tmp_path).model, model)
    seen = {who: symbols.members("card", tree.Origin("trait", who)) for who in ("algae", "moss", "shell")}
    assert [seen[who]["grazed"].trait for who in ("algae", "moss")] == ["algae", "moss"]
    assert "grazed" not in seen["shell"]
    assert "grazed" not in symbols.members("card")
    assert [members["seen"].trait for members in seen.values()] == ["algae"] * 3
    assert seen["moss"]["seen"].index == (ref("colour"),)


@cache
def of_game(game: str) -> Compilation:
    return Compilation(f"rulesets/{game}")


@pytest.mark.parametrize("game", GAMES)
def test_each_member_is_read_as_it_says(game: str) -> None:
    """The table is what the checker reads by: every member of every kind has the type that it tells."""
    compilation = of_game(game)
    symbols = Symbols(compilation.model, compilation.model, outside=True)
    read = 0
    for kind in symbols.kinds():
        for member in symbols.members(kind).values():
            if member.type is None:
                continue
            parts = {f"i{n}": type_ for n, type_ in enumerate(member.index)}
            text = f"x.{member.name}" + (f"[{', '.join(parts)}]" if parts else "")
            node, _ = parse_expression(text, Placement("test", 1, 1))
            assert node is not None
            names: dict[str, Type] = {"x": ref(kind), **parts}
            expr, found = check_expression(compilation.model, compilation.program, node, names)
            assert expr is not None, (kind, text, [item.message for item in found])
            assert expr.type.sure() == member.type.sure(), (kind, text)
            read += 1
    assert read > 20


@pytest.mark.parametrize(
    ("value", "part"),
    [
        ("value v(snail s) -> player: s.ownr", "did you mean `owner`?"),
        ("value v(hut h) -> colour: h.color", "did you mean `colour`?"),
        ("value v(card c) -> maybe snail: c.onn", "did you mean `on`?"),
        ("value v(snail s) -> bool: s is bald", "did you mean `bold`?"),
        ("value v(tool t) -> bool: t is shorp", "did you mean `sharp`?"),
        ("value v(player p) -> player: p.owner", "`owner` belongs to `card` and `tool` and `snail` and `hut`"),
        ("value v(snail s) -> trait: s.face", "`face` belongs to `card`"),
    ],
)
def test_hints_know_all_members(value: str, part: str, tmp_path: Path) -> None:
    (found,) = told(value, tmp_path, BOLD)
    assert part in (found.hint, found.because), (found.because, found.hint)


@pytest.mark.parametrize(
    ("rules", "hint"),
    [
        ("value v(snail s, hut h) -> int: size", "write `s.size`"),
        ("value v(snail s, snail t) -> int: s.size + size", "write `s.size` or `t.size`"),
        ('trait: algae\nstate: {marks: 0..3}\nrules: "modify strength(self): + marks"\n', "write `this.marks`"),
    ],
)
def test_a_member_without_the_thing_that_has_it(rules: str, hint: str, tmp_path: Path) -> None:
    found = told("", tmp_path, rules) if rules.startswith("trait") else told(rules, tmp_path, BOLD)
    assert [(item.code, item.hint) for item in found] == [("N350", hint)]


def test_a_member_that_is_written_without_its_thing(tmp_path: Path) -> None:
    """A row may have the name of the member: then the line is read, and nothing can be written to."""
    rules = "lists: {way: [size]}\n"
    (found,) = told("routine grow(snail s): size += 1", tmp_path, rules)
    assert (found.code, found.hint) == ("T405", "write `s.size`")


def test_a_bool_member_with_parts_is_not_asked_with_is(tmp_path: Path) -> None:
    (found,) = told("value v(tool t) -> bool: t is names", tmp_path, BOLD)
    assert (found.code, found.message) == ("T420", "`names` needs the indexes `[colour]`, found 0 indexes")
    assert told("value v(tool t) -> bool: t is sharp and t.names[red]", tmp_path / "good", BOLD) == []


def test_state_of_a_trait_is_asked_with_is(tmp_path: Path) -> None:
    rules = 'trait: algae\nstate: {grazed: bool}\nrules: "modify strength(self): + 1 when this is grazed"\n'
    assert told("", tmp_path, rules) == []


@pytest.mark.parametrize(
    ("things", "name"),
    [
        ("cards: {card: {attributes: {number: int}}}", "number"),
        ("cards: {card: {attributes: {on: int}}}", "on"),
        ("kinds: {snail: {attributes: {owner: int}}}", "owner"),
        ("kinds: {hut: {of: player, in: place, at_most: 2, attributes: {place: int}}}", "place"),
        ("lists: {colour: {rows: [red], attributes: {number: int}}}", "number"),
    ],
)
def test_what_is_built_in_of_a_kind_is_taken(things: str, name: str, tmp_path: Path) -> None:
    (found,) = [item for item in told("", tmp_path, things) if item.code == "N301"]
    assert f"`.{name}` of" in found.because


def test_what_is_not_built_in_of_a_kind_is_free(tmp_path: Path) -> None:
    """Players and rows have no owner, and things lie on nothing."""
    things = """
kinds: {player: {attributes: {owner: maybe player}}, snail: {attributes: {partner: maybe snail}}}
lists: {plot: {rows: [north], attributes: {owner: maybe player}}}
"""
    rules = "value v(plot x, player p) -> bool: x.owner == p.owner and any(snail s of p where s.partner is present)"
    assert told(rules, tmp_path, things) == []


def test_lists_of_the_language(tmp_path: Path) -> None:
    model = garden(tmp_path).model
    for name, rows in LISTS.items():
        assert tuple(row.name for row in model.lists[name].rows) == rows.rows
        (found,) = told("", tmp_path / name, f"lists: {{{name}: [a, b]}}")
        assert (found.code, found.because) == ("N301", f"`{name}` is built in: {rows.means}")
