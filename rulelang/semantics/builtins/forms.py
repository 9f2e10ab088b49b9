"""All other forms of the grammar: declarations, patches, hooks, binders, tests and operators."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.semantics.builtins.row import Form
from rulelang.semantics.builtins.statements import STATEMENTS

DECLARATIONS: tuple[Form, ...] = (
    Form(
        ("game:",),
        "the flow of the game: statements that run once; when the block ends, the game is over",
        more="rules.md#game",
    ),
    Form(
        ("phase NAME:",),
        "a routine without parameters in which actions can be offered; during it, `phase` is its name",
        more="rules.md#phase-name",
    ),
    Form(
        ("action NAME(BINDERS) during PHASE, ...:",),
        "something that a player may choose; each legal combination of its binders is one option",
        more="rules.md#action-namebinders-during-phase--",
    ),
    Form(("free",), "for an action: the player may do it in addition to the one main action of a turn"),
    Form(
        ("once per SCOPE",),
        "for an action or hook: once per `turn`, `round`, `phase` or `game`, for each player or each card of a trait",
    ),
    Form(
        ("in steps",), "for an action: the player chooses the arguments one by one, and no choice leads to a dead end"
    ),
    Form(
        ("routine NAME(PARAMS):",),
        "a named effect, and an event that hooks can name",
        more="rules.md#routine-nameparams-in-owners-order",
    ),
    Form(
        ("in owner's order",),
        "for a routine: if a player owns several hooks before or after it, that player chooses their order",
        more="meaning.md#in-owners-order",
    ),
    Form(
        ("value NAME(PARAMS) -> TYPE: E", "value NAME(PARAMS) -> TYPE: if C: E elif C: E else: E"),
        "computed from the state whenever a rule reads it",
        more="rules.md#value-nameparams---type",
    ),
    Form(
        ("maybe TYPE",),
        "for a type: the value may be missing; for a binder: `none` is another option, after all others",
    ),
    Form(("invariant NAME: C",), "a condition that is true whenever a player is asked", more="rules.md#invariant-name"),
    Form(
        ("replace DECLARATION",), "give a routine, phase, action or value of another layer a new body", more="mods.md"
    ),
)

PATCHES: tuple[Form, ...] = (
    Form(
        ("remove PLACE",),
        "remove a statement, a hook or a whole declaration of another layer",
        more="mods.md#patching-rules",
    ),
    Form(
        ("replace PLACE: ...",), "put other statements, or another hook, in this place", more="mods.md#patching-rules"
    ),
    Form(
        ("insert before PLACE: ...", "insert after PLACE: ..."),
        "put statements before or after a statement of another layer",
        more="mods.md#patching-rules",
    ),
)

HOOKS: tuple[Form, ...] = (
    Form(
        ("modify VALUE(PATTERN): OP E", "modify VALUE(PATTERN): at least E", "modify VALUE(PATTERN): at most E"),
        "change a value: `+ - * / %`, `=`, `or`, `and`, `at least`, `at most`",
        more="hooks.md#modify-valuepattern-op-e-when-c-unless-c",
    ),
    Form(
        ('forbid EVENT(PATTERN), ... because "..."',),
        "refuse an event, with a reason",
        more="hooks.md#forbid-eventpattern--when-c-unless-c-because-",
    ),
    Form(
        ("ignore TRAIT in EVENT(PATTERN), ...",),
        "the rules of a trait do not apply to this event",
        more="hooks.md#ignore",
    ),
    Form(("before EVENT(PATTERN), ...:",), "something happens before the event", more="hooks.md#triggers"),
    Form(("after EVENT(PATTERN), ...:",), "something happens after the event", more="hooks.md#triggers"),
    Form(
        ("instead of EVENT(PATTERN), ...:",),
        "something happens in place of the event; `proceed` runs the event",
        more="hooks.md#triggers",
    ),
    Form(
        ("react to EVENT(PATTERN), ...:",),
        "a defense: it can `stop` the event or `redirect` it",
        more="meaning.md#reactions",
    ),
    Form(("may HOOK",), "for a hook or `choose`: the player may decline", more="hooks.md#triggers"),
    Form(
        ("always HOOK",), "for a trait's hook or action: it has no bearer and always applies", more="hooks.md#bearers"
    ),
    Form(
        ("copy cards on X",),
        "a thing works as if it also had the cards on others",
        more="hooks.md#copy-cards-on-x-when-c",
    ),
    Form(("when C", "unless C"), "for a hook: it applies only if the condition is true (`when`) or false (`unless`)"),
    Form(('because "..."',), "the reason that players see if something is not possible"),
    Form(("EVENT(any, NAME)",), "in a pattern, `any` matches everything and binds no name", more="hooks.md#patterns"),
    Form(("EVENT(PATTERN) of BEARER",), "name the bearer of an action of a trait or row", more="hooks.md#of-bearer"),
)

BINDERS: tuple[Form, ...] = (
    Form(("KIND x of P",), "the things of one owner"),
    Form(("KIND x in PLACE", "CARDS x in ZONE + ZONE", "LIST x in SET"), "those in a place, in zones or in a set"),
    Form(("CARDS x on THING",), "the cards in force on a thing; the card of a pair is on both things"),
    Form(
        ("int n from A to B", "player p from PLAYER"), "numbers, with both ends; players in play order from one on"
    ),
    Form(
        ("KIND x where C", 'KIND x where C because "..."'),
        "those for which the condition is true; put an `or` in brackets. If a player chooses, `because` explains why"
        " the others are not possible",
        more="statements.md#questions-and-reasons",
    ),
    Form(("KIND x with most E", "KIND x with least E"), "those with the most or least, including ties"),
    Form(
        ("KIND x sorted by most E then least E",), "in this order; ties stay in natural order"
    ),
)  # fmt: skip

TESTS: tuple[Form, ...] = (
    Form(
        ("x in ZONE", "x in neighbours(y)", "x in SET", "x not in ZONE"),
        "the card is in the zone, the thing is a neighbor, the row belongs to the set",
    ),
    Form(("x is NAME", "x is not NAME"), "the value with one argument, or the bool member, of this name is true"),
    Form(
        ("x is present", "x is missing"),
        "whether something is there: a `maybe`, a slot, a card, or a thing that may have been removed. Do not test"
        " something that is never missing (T404)",
    ),
    Form(("ZONE is empty",), "the zone contains no card"),
    Form(("c is working",), "the card is in force and not silenced"),
    Form(("x has TRAIT",), "x has a working card of the trait"),
    Form(
        ("x meets c.COLUMN",),
        "the printed condition is true for x; the value in the column's `counted_by` counts its measures",
    ),
    Form(
        ("can R(ARGS)",),
        "no argument is missing, all requirements of R are true, and nothing forbids it. For an action: the actor could"
        " choose exactly this",
        more="expressions.md#can-of-an-action",
    ),
    Form(
        ("t affects R(ARGS)",),
        "a rule of trait t would apply to this event or value now; it takes one event, so join several with `or`",
    ),
)

#: What the language itself asks with `is`.
IS_WORDS = tuple(one.split()[-1] for form in TESTS for one in form.written if " is " in one and one[-1].islower())

OPERATORS: tuple[Form, ...] = (
    Form(("A then B",), "an `order`: compared by A, and by B if A is equal"),
    Form(("A if C else B",), "A if the condition is true, else B"),
    Form(("A or B",), "whether at least one is true"),
    Form(("A and B",), "whether both are true"),
    Form(("not A",), "whether A is false"),
    Form(("A otherwise B",), "A, or B if A is missing"),
    Form(("true", "false"), "the truth values"),
    Form(("ZONE of x",), "the zone of this name that belongs to x"),
)

#: By what they are, in the order of the reference.
FORMS: Mapping[str, tuple[Form, ...]] = {
    "declaration": DECLARATIONS,
    "patch": PATCHES,
    "hook": HOOKS,
    "statement": STATEMENTS,
    "binder": BINDERS,
    "test": TESTS,
    "operator": OPERATORS,
}
