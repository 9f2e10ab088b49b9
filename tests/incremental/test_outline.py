"""Models that differ in contents alone share their checked rules, but for rules that asked what differs."""

from __future__ import annotations

from dataclasses import replace

from rulelang.base.memo import Memo
from rulelang.language.semantics.check.program import check_program
from rulelang.language.semantics.model import Model
from tests.semantics.check_pond import pieces, pond

RULES = """\
value known() -> tool: net
value share(int of) -> int: of / limit
"""


def codes(model: Model, memo: Memo) -> tuple[list[str], int]:
    """What is wrong with the rules, and how many declarations were checked to know it."""
    _, _, texts = pond()
    before = memo.done.get("declarations", 0)
    _, found = check_program(model, (*texts, *READ), memo=memo)
    assert [item.code for item in found.sorted()] == [
        item.code for item in check_program(model, (*texts, *READ))[1].sorted()
    ]
    return [item.code for item in found.sorted()], memo.done["declarations"] - before


READ = tuple((origin, declarations) for origin, _, declarations in pieces(RULES))


def with_tools(model: Model, **changed: object) -> Model:
    tools = model.sorts["tool"]
    first = replace(tools.rows[0], **changed)  # type: ignore[arg-type]
    return replace(model, sorts={**model.sorts, "tool": replace(tools, rows=(first, *tools.rows[1:]))})


def test_what_a_rule_asked_has_it_checked_again() -> None:
    memo, (_, model, _) = Memo(), pond()
    assert codes(model, memo)[0] == []
    again = codes(model, memo)[1]  # patched rules are new each time
    assert codes(with_tools(model, text="of string", columns={"cost": 5}), memo) == ([], again)
    assert codes(with_tools(model, copies=2), memo) == (["T423"], again + 1)
    assert codes(with_tools(model, name="basket"), memo) == (["N350"], again + 1)
    limit = replace(model.numbers["limit"], by_players=dict.fromkeys(range(2, 5), 0))
    assert codes(replace(model, numbers={**model.numbers, "limit": limit}), memo)[0] == ["T430"]
