"""The example rulesets are checked without a mistake, and what comes of them is right."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from rulelang.base.source import Placement
from rulelang.data.ruleset import load_ruleset
from rulelang.language.semantics import tree
from rulelang.language.semantics.check.program import check_expression, check_program, read_rules
from rulelang.language.semantics.declare import declare
from rulelang.language.semantics.model import BOOL, INT, PHASE, PLAYER, TRAIT, Model, ref
from rulelang.language.syntax.parse import parse_expression

EXAMPLES = Path(__file__).parents[1] / "fixtures" / "examples"
TABLES = [
    ("evolution", None),
    ("origin_of_species", None),
    ("evolved", None),
    ("darwins_choice", None),
    ("darwins_choice", "beginner"),
    ("darwins_choice", "kids"),
    ("darwins_choice_colossal", None),
    ("darwins_choice_colossal", "kids"),
    ("darwins_choice_colossal", "epic"),
    ("mod_of_colossal", None),
    ("mod_of_colossal", "epic"),
]


@functools.cache
def read(name: str, mode: str | None = None) -> tuple[Model, tree.Program, tuple[str, ...]]:
    source, found = load_ruleset(EXAMPLES / name, mode=mode)
    assert source is not None
    model, more = declare(source)
    texts, unread = read_rules(source, model)
    program, mistakes = check_program(model, texts, source)
    return model, program, tuple(str(d) for d in (*found, *more, *unread, *mistakes))


@pytest.mark.parametrize(("name", "mode"), TABLES)
def test_no_mistakes(name: str, mode: str | None) -> None:
    assert read(name, mode)[2] == ()


def test_every_declaration_is_there() -> None:
    program = read("evolution")[1]
    assert list(program.routines)[:5] == ["set_up", "deal", "select_food", "play_cards", "feeding"]
    assert "carnivore.attack" in program.actions
    assert "intelligence.hinders" in program.values
    assert list(program.invariants) == ["food_fits"]
    assert len(program.forbids) == 6
    assert len(program.ignores) == 4
    assert [m.pattern.event for m in program.modifies] == ["spare", "score", "helping", "defence", "strength"]


def test_a_trait_action_has_its_bearer_and_lifts_its_opening() -> None:
    action = read("evolution")[1].actions["carnivore.attack"]
    assert action.bearer.self is not None
    assert action.bearer.self.type == ref("species")
    assert action.bearer.this is not None
    assert action.bearer.this.type == ref("card")
    assert action.bearer.owner is not None
    assert action.bearer.owner.type == PLAYER
    assert action.bearer.partner is None
    assert action.compulsory is not None
    assert isinstance(action.compulsory.when, tree.ValueCall)
    assert [type(r.condition) for r in action.requires] == [tree.Can, tree.Can]
    assert [type(s) for s in action.body] == [tree.CallRoutine]


def test_a_pair_has_a_partner() -> None:
    program = read("origin_of_species")[1]
    trigger = next(t for t in program.triggers if t.origin.name == "cooperation")
    assert trigger.bearer.partner is not None
    assert trigger.bearer.partner.type == ref("animal")
    assert trigger.once_per == "turn"
    assert isinstance(trigger.pattern.slots[0], tree.EqualSlot)
    assert trigger.pattern.slots[1:] == (tree.AnySlot(), tree.AnySlot())


def test_always_rules_have_no_bearer() -> None:
    program = read("origin_of_species")[1]
    trigger = next(t for t in program.triggers if t.always)
    assert trigger.bearer == tree.Bearer(None, None, None, None)
    assert trigger.origin.name == "scavenger"


def test_a_card_row_is_itself_and_has_the_owner_of_its_zone() -> None:
    action = read("evolved")[1].actions["predation.play"]
    assert action.bearer.self is not None
    assert action.bearer.self.type == ref("card")
    assert action.bearer.owner is not None
    event = read("darwins_choice")[1].actions["great_migration.migrate_again"]
    assert event.bearer.owner is None
    assert event.origin == tree.Origin("card", "event", event.origin.row)


def test_a_list_row_is_self() -> None:
    program = read("darwins_choice_colossal")[1]
    modify = next(m for m in program.modifies if m.origin.what == "row")
    assert modify.bearer.self is not None
    assert modify.bearer.self.type == ref("territory")
    assert modify.bearer.this is None


def test_constants_are_found_by_the_expected_type() -> None:
    model, program, _ = read("evolution")
    forbid = next(f for f in program.forbids if f.origin.name == "carnivore")
    slot = forbid.pattern.slots[1]
    assert isinstance(slot, tree.EqualSlot)
    assert isinstance(slot.expr, tree.Const)
    assert (slot.expr.type, slot.expr.value) == (ref("food"), 1)
    reshuffle = program.routines["reshuffle"].body[-1]
    assert isinstance(reshuffle, tree.If)
    value = reshuffle.then[0]
    assert isinstance(value, tree.Assign)
    assert isinstance(value.value, tree.IfElse)
    test = value.value.test
    assert isinstance(test, tree.Compare)
    assert isinstance(test.right, tree.Const)
    assert (test.right.type, test.right.value) == (PHASE, program.routines["deal"].number)
    assert model.traits["climbing"].number > 0


def test_a_flat_choose_takes_the_rest_of_its_block() -> None:
    action = read("evolution")[1].actions["intelligence.think"]
    assert [type(s) for s in action.body] == [tree.Choose]
    choose = action.body[0]
    assert isinstance(choose, tree.Choose)
    assert [type(s) for s in choose.body] == [tree.CallRoutine, tree.CallRoutine]


def test_a_hook_on_several_events_is_one_hook_for_each() -> None:
    program = read("evolution")[1]
    three = [i for i in program.ignores if i.card is not None]
    assert [i.pattern.event for i in three] == ["strike", "wound", "defence"]
    assert len({i.group for i in three}) == 1
    state = three[0].guard
    assert isinstance(state, tree.AttributeRef)
    assert state.trait == "intelligence"
    assert state.index[0].type == TRAIT


def test_a_mode_replaces_a_phase_and_keeps_its_number() -> None:
    plain, kids = read("darwins_choice")[1], read("darwins_choice", "kids")[1]
    assert kids.routines["transition"].number == plain.routines["transition"].number
    assert kids.routines["transition"].body != plain.routines["transition"].body
    assert list(kids.routines)[: len(plain.routines)] == list(plain.routines)


def test_texts_hold_expressions() -> None:
    tells = read("evolution")[1].routines["take"].tells
    assert tells is not None
    shown = [p if isinstance(p, str) else str(p.type) for p in tells.parts]
    assert shown == ["species", " takes ", "int", " ", "food", " from the ", "source"]


def test_sources_are_cited() -> None:
    assert read("evolution")[1].routines["starve"].cites == ("ev-4.3",)


def test_expressions_of_scenarios() -> None:
    model, program, _ = read("evolution")

    def said(text: str) -> tuple[tree.Expr | None, list[str]]:
        node, found = parse_expression(text, Placement("scenario"))
        assert node is not None, list(found)
        names = {"crab": ref("species"), "ana": PLAYER}
        expr, mistakes = check_expression(model, program, node, names)
        return expr, [d.code for d in mistakes]

    expr, codes = said("crab.population == 1 and score(ana) > 2")
    assert expr is not None
    assert (expr.type, codes) == (BOOL, [])
    expr, codes = said("hunger(crab)")
    assert expr is not None
    assert expr.type == INT
    assert said("crab has hard_shell")[1] == []
    assert said("crab.populaton == 1") == (None, ["N355"])
    assert said("wolf.population == 1") == (None, ["N350"])
