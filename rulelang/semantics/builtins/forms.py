"""All other forms of the grammar: declarations, patches, hooks, binders, tests and operators."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.semantics.builtins.row import Form
from rulelang.semantics.builtins.statements import STATEMENTS

DECLARATIONS: tuple[Form, ...] = (
    Form(("game:",), "the flow: statements that run once; when its block ends, the game is over", more="rules.md#game"),
    Form(
        ("phase NAME:",),
        "a routine without parameters that is also a window: actions are offered inside it, `phase` is its name",
        more="rules.md#phase-name",
    ),
    Form(
        ("action NAME(BINDERS) during PHASE, ...:",),
        "what a player may choose; each legal combination of its binders is one option",
        more="rules.md#action-namebinders-during-phase--",
    ),
    Form(("free",), "of an action: it may be done beside the one main action of a turn"),
    Form(
        ("once per SCOPE",),
        "of an action or hook: once a `turn`, `round`, `phase` or `game`; for each player, or for each card of a trait",
    ),
    Form(("in steps",), "of an action: one choice follows for each argument, and none leads into a dead end"),
    Form(
        ("routine NAME(PARAMS):",),
        "an effect, and an event that hooks name",
        more="rules.md#routine-nameparams-in-owners-order",
    ),
    Form(
        ("in owner's order",),
        "of a routine: the owner of several hooks before or after it says which comes first",
        more="meaning.md#in-owners-order",
    ),
    Form(
        ("value NAME(PARAMS) -> TYPE: E", "value NAME(PARAMS) -> TYPE: if C: E elif C: E else: E"),
        "computed whenever it is asked for, from the state alone",
        more="rules.md#value-nameparams---type",
    ),
    Form(("maybe TYPE",), "of a type: it may be missing; of a binder: none is offered too, after all others"),
    Form(("invariant NAME: C",), "something that holds whenever a player is asked", more="rules.md#invariant-name"),
    Form(
        ("replace DECLARATION",), "gives a routine, phase, action or value of another layer a new body", more="mods.md"
    ),
)

PATCHES: tuple[Form, ...] = (
    Form(
        ("remove PLACE",),
        "takes out a statement, a hook, or a whole declaration of another layer",
        more="mods.md#patching-rules",
    ),
    Form(("replace PLACE: ...",), "other statements, or another hook, in its place", more="mods.md#patching-rules"),
    Form(
        ("insert before PLACE: ...", "insert after PLACE: ..."),
        "puts statements beside a statement of another layer",
        more="mods.md#patching-rules",
    ),
)

HOOKS: tuple[Form, ...] = (
    Form(
        ("modify VALUE(PATTERN): OP E", "modify VALUE(PATTERN): at least E", "modify VALUE(PATTERN): at most E"),
        "changes a value: `+ - * / %`, `=`, `or`, `and`, `at least`, `at most`",
        more="hooks.md#modify-valuepattern-op-e-when-c-unless-c",
    ),
    Form(
        ('forbid EVENT(PATTERN), ... because "..."',),
        "it cannot happen, with a reason",
        more="hooks.md#forbid-eventpattern--when-c-unless-c-because-",
    ),
    Form(("ignore TRAIT in EVENT(PATTERN), ...",), "rules of a trait do not count there", more="hooks.md#ignore"),
    Form(("before EVENT(PATTERN), ...:",), "what happens before it", more="hooks.md#triggers"),
    Form(("after EVENT(PATTERN), ...:",), "what happens after it", more="hooks.md#triggers"),
    Form(
        ("instead of EVENT(PATTERN), ...:",),
        "what happens in its place; `proceed` in it is what it stands for",
        more="hooks.md#triggers",
    ),
    Form(
        ("react to EVENT(PATTERN), ...:",),
        "a defence: it can `stop` the event or `redirect` it",
        more="meaning.md#reactions",
    ),
    Form(("may HOOK",), "of a hook or `choose`: the player who would do it may leave it", more="hooks.md#triggers"),
    Form(("always HOOK",), "of a trait's hook or action: it is bound to no bearer", more="hooks.md#bearers"),
    Form(
        ("copy cards on X",),
        "things work as if they also bore the cards on others",
        more="hooks.md#copy-cards-on-x-when-c",
    ),
    Form(("when C", "unless C"), "of a hook: it counts only where the condition holds, or does not"),
    Form(('because "..."',), "the reason that is told where it cannot be"),
    Form(("EVENT(any, NAME)",), "in a pattern `any` matches everything and binds no name", more="hooks.md#patterns"),
    Form(("EVENT(PATTERN) of BEARER",), "names who bears an action of a trait or row", more="hooks.md#of-bearer"),
)

BINDERS: tuple[Form, ...] = (
    Form(("KIND x of P",), "the things of one owner"),
    Form(("KIND x in PLACE", "CARDS x in ZONE + ZONE", "LIST x in SET"), "those in a place, in zones, in a set"),
    Form(("CARDS x on THING",), "the cards that lie in force on a thing; a pair's card lies on both its ends"),
    Form(
        ("int n from A to B", "player p from PLAYER"), "numbers, both ends included; players in play order from one on"
    ),
    Form(
        ("KIND x where C", 'KIND x where C because "..."'),
        "those for which the condition holds; an `or` in it stands in brackets. Where a player chooses, `because` says"
        " why not",
        more="statements.md#questions-and-reasons",
    ),
    Form(("KIND x with most E", "KIND x with least E"), "all that tie for the most or least"),
    Form(
        ("KIND x sorted by most E then least E",), "in that order; members that tie stay in natural order"
    ),
)  # fmt: skip

TESTS: tuple[Form, ...] = (
    Form(
        ("x in ZONE", "x in neighbours(y)", "x in SET", "x not in ZONE"),
        "the card lies there, the thing is beside, the row belongs to the set",
    ),
    Form(("x is NAME", "x is not NAME"), "a value with one argument, or a bool member, of that name is true"),
    Form(
        ("x is present", "x is missing"),
        "it is there or not: a `maybe`, a slot, a card, or a thing that may be gone. What can never be missing is not"
        " asked (T404)",
    ),
    Form(("ZONE is empty",), "no card lies there"),
    Form(("c is working",), "the card lies in force and is not silenced"),
    Form(("x has TRAIT",), "a working card of the trait lies on x"),
    Form(
        ("x meets c.COLUMN",),
        "the printed condition holds for x: its measures are counted by the value that the column's `counted_by` names",
    ),
    Form(
        ("can R(ARGS)",),
        "no argument is missing, all requirements of R hold, nothing forbids it. Of an action: the actor could choose"
        " just that",
        more="expressions.md#can-of-an-action",
    ),
    Form(
        ("t affects R(ARGS)",),
        "a rule of trait t would count in that event or value now. One event; join with `or`",
    ),
)

#: What the language itself asks with `is`.
IS_WORDS = tuple(one.split()[-1] for form in TESTS for one in form.written if " is " in one and one[-1].islower())

OPERATORS: tuple[Form, ...] = (
    Form(("A then B",), "an `order`: compared by A, where equal by B"),
    Form(("A if C else B",), "A where the condition holds, else B"),
    Form(("A or B",), "whether one of them holds, or both"),
    Form(("A and B",), "whether both hold"),
    Form(("not A",), "whether it does not hold"),
    Form(("A otherwise B",), "A, or B where A is missing"),
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
