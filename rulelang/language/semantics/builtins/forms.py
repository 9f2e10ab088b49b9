"""All other forms of the grammar: declarations, patches, hooks, binders, tests and operators."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.language.semantics.builtins.row import Form
from rulelang.language.semantics.builtins.statements import STATEMENTS

DECLARATIONS: tuple[Form, ...] = (
    Form(
        ("game:",),
        "the flow of the game: statements that run once. When the block ends, the game is over",
        more="rules.md#game",
    ),
    Form(
        ("phase NAME:",),
        "a routine without parameters that can offer actions. While it runs, `phase` is its name",
        more="rules.md#phase-name",
    ),
    Form(
        ("action NAME(BINDERS) during PHASE, ...:",),
        "something that a player can choose. Each legal combination of its binders is one option",
        more="rules.md#action-namebinders-during-phase--",
    ),
    Form(("free",), "for an action: the player can take it in addition to the turn's one main action"),
    Form(
        ("once per SCOPE",),
        "for an action or hook: limits it to once per `turn`, `round`, `phase` or `game`, for each player or for "
        "each card with the trait",
    ),
    Form(
        ("in steps",), "for an action: the player chooses the arguments one by one, and no choice leads to a dead end"
    ),
    Form(
        ("routine NAME(PARAMS):",),
        "a named effect. Hooks can refer to it as an event",
        more="rules.md#routine-nameparams-in-owners-order",
    ),
    Form(
        ("in owner's order",),
        "for a routine: a player who owns several hooks before or after it chooses their order",
        more="meaning.md#in-owners-order",
    ),
    Form(
        ("value NAME(PARAMS) -> TYPE: E", "value NAME(PARAMS) -> TYPE: if C: E elif C: E else: E"),
        "a named result that is computed from the state whenever a rule reads it",
        more="rules.md#value-nameparams---type",
    ),
    Form(
        ("maybe TYPE",),
        "for a type: the value can be missing. For a binder: `none` is an additional option, listed last",
    ),
    Form(
        ("invariant NAME: C",),
        "a condition that must be true whenever a player is asked",
        more="rules.md#invariant-name",
    ),
    Form(
        ("replace DECLARATION",),
        "replace the body of a routine, phase, action or value from another layer",
        more="mods.md",
    ),
)

PATCHES: tuple[Form, ...] = (
    Form(
        ("remove PLACE",),
        "remove a statement, a hook or a whole declaration from another layer",
        more="mods.md#patching-rules",
    ),
    Form(
        ("replace PLACE: ...",),
        "replace the statement or hook at this place with the statements or the hook that follow",
        more="mods.md#patching-rules",
    ),
    Form(
        ("insert before PLACE: ...", "insert after PLACE: ..."),
        "insert statements before or after a statement from another layer",
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
        "make a trait's rules not apply to this event",
        more="hooks.md#ignore",
    ),
    Form(("before EVENT(PATTERN), ...:",), "run statements before the event", more="hooks.md#triggers"),
    Form(("after EVENT(PATTERN), ...:",), "run statements after the event", more="hooks.md#triggers"),
    Form(
        ("instead of EVENT(PATTERN), ...:",),
        "run statements in place of the event; `proceed` runs the event",
        more="hooks.md#triggers",
    ),
    Form(
        ("react to EVENT(PATTERN), ...:",),
        "let a player defend: the hook can `stop` or `redirect` the event",
        more="meaning.md#reactions",
    ),
    Form(("may HOOK",), "for a hook or `choose`: the player can decline", more="hooks.md#triggers"),
    Form(
        ("always HOOK",), "for a trait's hook or action: it always applies, and has no bearer", more="hooks.md#bearers"
    ),
    Form(
        ("copy cards on X",),
        "make a thing work as if it also had the cards on other things",
        more="hooks.md#copy-cards-on-x-when-c",
    ),
    Form(("when C", "unless C"), "for a hook: it applies only if the condition is true (`when`) or false (`unless`)"),
    Form(('because "..."',), "the reason that players see when something is not possible"),
    Form(("EVENT(any, NAME)",), "in a pattern, `any` matches everything and binds no name", more="hooks.md#patterns"),
    Form(("EVENT(PATTERN) of BEARER",), "name the bearer of a trait's or row's action", more="hooks.md#of-bearer"),
)

BINDERS: tuple[Form, ...] = (
    Form(("KIND x of P",), "the things of one owner"),
    Form(
        ("KIND x in PLACE", "CARDS x in ZONE + ZONE", "LIST x in SET"),
        "the things in a place, the cards in zones or the rows in a set",
    ),
    Form(("CARDS x on THING",), "the cards in effect on a thing; a pair card is on both things"),
    Form(
        ("int n from A to B", "player p from PLAYER"),
        "the numbers from A to B, including both; all players in play order, starting with PLAYER",
    ),
    Form(
        ("KIND x where C", 'KIND x where C because "..."'),
        "the items for which the condition is true; put an `or` in parentheses. If a player chooses, `because` "
        "explains why the other items are not possible",
        more="statements.md#questions-and-reasons",
    ),
    Form(("KIND x with most E", "KIND x with least E"), "the items with the most or least of E, including ties"),
    Form(
        ("KIND x sorted by most E then least E",), "the items in this order; ties stay in natural order"
    ),
)  # fmt: skip

TESTS: tuple[Form, ...] = (
    Form(
        ("x in ZONE", "x in neighbours(y)", "x in SET", "x not in ZONE"),
        "the card is in the zone, the thing is a neighbor, or the row belongs to the set",
    ),
    Form(
        ("x is NAME", "x is not NAME"),
        "the value with one parameter or the bool member that has this name is true for x",
    ),
    Form(
        ("x is present", "x is missing"),
        "x exists (or does not): a `maybe`, a slot, a card, or a thing that may have been removed. Do not test "
        "something that is never missing (T404)",
    ),
    Form(("ZONE is empty",), "the zone contains no card"),
    Form(("c is working",), "the card is in effect and not silenced"),
    Form(("x has TRAIT",), "x has a working card of the trait"),
    Form(
        ("x meets c.COLUMN",),
        "the printed condition is true for x; the value that `counted_by` names counts the measures of x",
    ),
    Form(
        ("can R(ARGS)",),
        "no argument is missing, all requirements of R are true, and nothing forbids R. For an action: the actor "
        "could choose this option",
        more="expressions.md#can-of-an-action",
    ),
    Form(
        ("t affects R(ARGS)",),
        "a rule of trait t would apply to this event or value now; to test several events, join the tests with `or`",
    ),
)

#: What the language itself asks with `is`.
IS_WORDS = tuple(one.split()[-1] for form in TESTS for one in form.written if " is " in one and one[-1].islower())

OPERATORS: tuple[Form, ...] = (
    Form(("A then B",), "an `order`: compare by A, and if A is equal, by B"),
    Form(("A if C else B",), "A if the condition is true; otherwise B"),
    Form(("A or B",), "whether A, B or both are true"),
    Form(("A and B",), "whether both A and B are true"),
    Form(("not A",), "whether A is false"),
    Form(("A otherwise B",), "A; or B, if A is missing"),
    Form(("true", "false"), "the truth values"),
    Form(("ZONE of x",), "the zone with this name that belongs to x"),
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
