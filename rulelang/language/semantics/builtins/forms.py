"""The forms of the grammar: statements, declarations, hooks and operators; and the whole vocabulary by word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from rulelang.language.semantics.builtins.definitions import Example, Form
from rulelang.language.semantics.builtins.functions import FUNCTIONS, QUERIES
from rulelang.language.semantics.builtins.names import BEARERS, LISTS, MEMBERS, NAMES

# ---- statements

_SHELLS = "players: {ana: [ada: shell], bob: [ben: shell]}"
_TWO = "players: {ana: [ada, ben size 2], bob: [dan]}"
#: A phase for actions.
_MEAL = """
phase meal: turns p from start once each: offer one action to p or pass
after dawn: meal
""".lstrip()

STATEMENTS: tuple[Form, ...] = (
    Form(
        ("let x = E",),
        "names a result. You cannot assign to the name, and rulelang reports a `let` that no rule reads",
        Example(
            """
routine fill(snail s):
  let room = hunger(s)
  s.eaten += room
  bed_plants += room
""".strip(),
            ("ada.eaten == 2", "bed_plants == 2"),
            when=("fill ada",),
        ),
    ),
    Form(
        ("x = E", "x += E", "x -= E"),
        "changes a state value, an attribute, a table cell, or a thing's place",
        Example(
            """
routine grow(snail s):
  s.mood = alert
  s.size += 2
  bed_plants = s.size
""".strip(),
            ("ada.mood == alert", "ada.size == 3", "bed_plants == 3"),
            when=("grow ada",),
        ),
        name="assignment",
    ),
    Form(
        ("if C: ... elif C: ... else: ...",),
        "runs the first block whose condition is true. If no condition is true, it runs the `else` block",
        Example(
            """
routine judge(snail s):
  if s.size > 3: s.mood = angry
  elif s.size > 1: s.mood = alert
  else: s.mood = calm
""".strip(),
            ("ada.mood == calm", "ben.mood == alert"),
            given="players: {ana: [ada mood angry, ben size 2], bob: [dan]}",
            when=("judge ada", "judge ben"),
        ),
    ),
    Form(
        ("for BINDERS: ...",),
        "runs the block for each combination. Members, order and sort keys are fixed when the loop starts. The loop "
        "skips things that leave play before their turn",
        Example(
            """
routine soothe(player p):
  for snail s of p where s.mood == angry: s.mood = calm
""".strip(),
            ("ben.mood == calm",),
            when=("soothe ana",),
        ),
        "binders-and-queries.md#one-form-for-every-variable",
    ),
    Form(
        ("repeat E times: ...", "repeat until C: ..."),
        "runs the block E times, or until C is true. `until` tests C before each iteration",
        Example(
            """
routine stuff(snail s):
  repeat 2 times: s.eaten += 1
  repeat until s.eaten > 3: s.eaten += 1
""".strip(),
            ("ada.eaten == 4",),
            when=("stuff ada",),
        ),
    ),
    Form(
        ("ROUTINE(ARGS)",),
        "runs the routine if it is possible; otherwise nothing happens",
        Example(
            """
routine scare(snail s):
  eat(s, leaf, 1)
  fall(s)
""".strip(),
            ("ada.eaten == 0", "ada.mood == angry"),
            when=("scare ada",),
        ),
        name="call",
    ),
    Form(
        ('choose BINDERS [by P] ["..."]', 'choose BINDERS [by P] ["..."]: ... else: ...'),
        "asks a player to choose one combination. If no combination exists, the `else` block runs",
        Example(
            """
routine calm_one(player p):
  choose snail s of p where s.mood == angry by p: s.mood = calm
  else: p.points += 1
""".strip(),
            ("ben.mood == calm", "ana.points == 0", "bob.points == 1"),
            when=("calm_one ana", "calm_one bob"),
        ),
        "statements.md#choose",
    ),
    Form(
        ('may choose BINDERS [by P] ["..."]',),
        "also lets the player decline. Then the `else` block runs, as if no combination existed",
        Example(
            """
routine offer_rest(player p):
  may choose snail s of p where s.mood == angry by p: s.mood = calm
  else: p.points += 1
""".strip(),
            ("ben.mood == angry", "ana.points == 1"),
            when=("offer_rest ana", "ana: none"),
        ),
        "statements.md#choose",
        name="may choose",
    ),
    Form(
        ("choose BINDERS at random",),
        "chooses one combination at random. Each equal card counts separately",
        Example(
            """
routine drift(player p):
  choose snail s of p at random: s.size += 1
""".strip(),
            ("dan.size == 2",),
            when=("drift bob",),
        ),
        name="choose at random",
    ),
    Form(
        ('offer one action to P [or pass] ["..."]', 'offer any actions to P [or pass] ["..."]'),
        "offers the phase's actions: one main action and any number of free actions, or any number of actions",
        Example(
            """
phase picnic: turns p from start once each: offer one action to p or pass
action snack(snail s of actor) during picnic: s.eaten += 1
after dawn: picnic
""".strip(),
            ("ada.eaten == 1", "dan.eaten == 0"),
            when=("ana: snack ada", "bob: pass"),
        ),
        "statements.md#turns-and-offers",
    ),
    Form(
        (
            "turns p from P once each: ...",
            "turns p from P until all pass: ...",
            "turns p from P until all pass in a row: ...",
        ),
        "runs the block for one player after another. In the block, `actor` is p. The outermost `turns` also sets "
        "`active`",
        Example(
            """
phase tolls: turns p from start once each: p.points += 1
after dawn: tolls
routine wait: nothing
""".strip(),
            ("ana.points == 1", "bob.points == 1"),
            when=("tolls",),
        ),
        "statements.md#turns-and-offers",
    ),
    Form(
        ("rounds until C: ...",),
        "repeats the block and tests C after each round. `round` counts the rounds, starting at 1",
        Example(
            """
routine sprout: rounds until bed_plants > 2: bed_plants += round
""".strip(),
            ("bed_plants == 3",),
            when=("sprout",),
        ),
    ),
    Form(
        ("secretly for player p: ...",),
        "runs the block for each player in play order. Until `secretly` ends, each player sees the other players' "
        "things as they were when it began",
        Example(
            """
routine plan: secretly for player p: p.points += 1
""".strip(),
            ("ana.points == 1", "bob.points == 1"),
            when=("plan",),
        ),
    ),
    Form(
        ("move CARD to [top of, bottom of] ZONE [as FACE] [with X]",),
        "moves a card, to the top by default. If a card has several faces, `as` chooses one. For a pair card, "
        "`with` chooses the other thing. Both choices last until the card moves again",
        Example(
            """
routine drop(snail s):
  for card c on s: move c to bottom of discards
""".strip(),
            ("bottom(discards).face == shell", "not ada has shell"),
            given="players: {ana: [ada: shell], bob: [ben]}\nzones: {discards: [slime 2]}",
            when=("drop ada",),
        ),
    ),
    Form(
        ("move all ZONE to ZONE",),
        "moves all cards and keeps their order, so the top card stays on top",
        Example(
            """
routine sweep: move all discards to deck
""".strip(),
            ("discards is empty", "top(deck).face == slime"),
            given="players: {ana: [ada], bob: [ben]}\nzones: {discards: [shell 2, slime 2]}",
            when=("sweep",),
        ),
        name="move all",
    ),
    Form(
        ("draw N from ZONE to ZONE",),
        "moves N cards from the top. If the zone has fewer cards, rulelang first shuffles the `refilled_from` zone "
        "and puts its cards at the bottom. If there are still too few, all cards move",
        Example(
            """
routine gain(player p): draw 2 from deck to p.hand
""".strip(),
            ("count(card c in ana.hand) == 2", "count(card c in discards) == 0"),
            given="players: {ana: [ada], bob: [ben]}\nzones: {deck: [slime 2], discards: [shell 3]}",
            when=("gain ana",),
        ),
    ),
    Form(
        ("shuffle ZONE",),
        "puts the cards of the zone in a random order",
        Example(
            """
routine mix: shuffle deck
""".strip(),
            ("count(card c in deck) == 2",),
            given="players: {ana: [ada], bob: [ben]}\nzones: {deck: [slime 2, shell 3]}",
            when=("mix",),
        ),
    ),
    Form(
        ("create KIND [x] of P [in PLACE] [at SIDE] [like y]",),
        "creates a thing at the `left` or `right` end of its owner's row (`right` by default). `like` copies "
        "attributes. If the limit `at_most` is reached, it creates nothing, and `x` is missing",
        Example(
            """
routine hatch(player p):
  create snail s of p at left
  s.size = 2
""".strip(),
            ("left_of(ada).size == 2", "count(snail s of ana) == 4"),
            when=("hatch ana",),
        ),
        "meaning.md#missing-references",
    ),
    Form(
        ("remove X",),
        "takes a thing out of play. The cards on the thing go to the box",
        Example(
            """
routine cull(player p):
  for snail s of p where s has shell: remove s
""".strip(),
            ("no(snail s of ana)", "any(card c in box where c.face == shell)"),
            given=_SHELLS,
            when=("cull ana",),
        ),
    ),
    Form(
        ("roll 2d6 as x", "roll N d6 as x"),
        "rolls dice and stores their sum in a state value, an attribute (`roll 1d6 as s.eaten`), a table cell or a "
        "new name. The log shows each die to the players who can see the sum",
        Example(
            """
routine gamble(snail s):
  roll 1d6 as die
  roll 2d6 as s.eaten
""".strip(),
            ("die == 5", "ada.eaten == 7"),
            given="players: {ana: [ada], bob: [ben]}\ndice: [5, 3, 4]",
            when=("gamble ada",),
        ),
        "statements.md#dice",
    ),
    Form(
        ("clear TABLE",),
        "sets every cell of the table to 0",
        Example(
            """
routine walk(snail s): trail[s, wall] += 2
routine rain: clear trail
""".strip(),
            ("trail[ada, wall] == 0",),
            "tables: {trail: {of: [snail, place], is: 0..9}}",
            when=("walk ada", "rain"),
        ),
    ),
    Form(
        ("silence CARD [until end of SCOPE]", "restore CARD"),
        "`silence` disables a card's rules, wherever the card is. `restore` enables them again. SCOPE is `turn`, "
        "`phase`, `round` or `game`. Without SCOPE, the silence lasts until `restore`",
        Example(
            """
routine stun(snail s): for card c on s: silence c until end of game
routine wake(snail s): for card c on s: restore c
""".strip(),
            ("not ada has shell", "ben has shell"),
            given=_SHELLS,
            when=("stun ada", "stun ben", "wake ben"),
        ),
        "statements.md#silence",
    ),
    Form(
        ('require C because "..."',),
        "sets a condition for a routine or action, and must come first in the block. Players see the text after "
        "`because`. Without `because`, rulelang derives a sentence from C",
        Example(
            """
routine rest(snail s):
  require s.mood == angry because "{s} is calm enough"
  s.size += 1
routine rest_all: for snail s: rest(s)
""".strip(),
            ("ada.size == 1", "ben.size == 2"),
            when=("rest_all",),
        ),
    ),
    Form(
        ('ensure C because "..."',),
        "refuses an action if its trial reaches this statement and C is false",
        Example(
            _MEAL
            + """
action fatten(snail s of actor) during meal:
  s.size += 1
  ensure s.size < 3 because "{s} is too heavy"
""".strip(),
            ("ada.size == 2", "ben.size == 2"),
            given=_TWO,
            when=("fatten ben: {refused: ben is too heavy}", "fatten ada"),
        ),
        "statements.md#ensure",
    ),
    Form(
        ("compulsory [when C]",),
        "removes the option to pass while the action is possible. It must come first in the action",
        Example(
            _MEAL
            + """
action fast(snail s of actor) during meal:
  compulsory when bed_plants == 0
  s.size -= 1
  ensure s.size > 0
action sulk(snail s of actor) during meal: s.mood = angry
""".strip(),
            ("ben.size == 1",),
            given=_TWO,
            when=("options: [fast ben, sulk ada, sulk ben]", "fast ben"),
        ),
    ),
    Form(
        ('tells "..."',),
        "writes a line to the log. The first `tells` in a routine or action is its title",
        Example(
            """
routine greet(snail s): tells "{s} greets {s.owner}"
""".strip(),
            ("{log: ada greets ana}",),
            when=("greet ada",),
        ),
    ),
    Form(
        ("stop", "redirect R(ARGS)"),
        "`stop` cancels the event, and `redirect` replaces it with another event. You can use them only in `react to`",
        Example(
            """
react to fall(s) when s.size > 1:
  s.size -= 1
  stop
react to fall(s) when s.size < 2 and left_of(s) is present: redirect fall(left_of(s))
""".strip(),
            ("ben.size == 1", "ben.mood == calm", "ada.mood == angry"),
            given=_TWO,
            when=("fall ben", "fall ben"),
        ),
        "meaning.md#reactions",
    ),
    Form(
        ("proceed",),
        "runs the event that the hook replaces. You can use it only in `instead of`",
        Example(
            """
instead of fall(s):
  s.size += 1
  proceed
""".strip(),
            ("ada.size == 2", "ada.mood == angry"),
            when=("fall ada",),
        ),
    ),
    Form(
        ("label NAME: ...",),
        "names a statement, a block or a hook, so that mods can refer to it. A label has no effect in the game",
        Example(
            """
routine doze(snail s):
  label calming: s.mood = calm
  s.size += 1
""".strip(),
            ("ben.mood == calm", "ben.size == 2"),
            when=("doze ben",),
        ),
        "mods.md#patching-rules",
    ),
    Form(
        ("nothing",),
        "does nothing. Use it if a block needs a statement",
        Example(
            """
instead of fall(any): nothing
""".strip(),
            ("ada.mood == calm",),
            when=("fall ada",),
        ),
    ),
)


# ---- other forms

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


# ---- vocabulary


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that the language brings. `what`: a function, name, member, query, list, or the sort of a form.

    `word`: what it is found by; a form is found by each of its words, and `word` is its first. `signatures`: how it is
    written, with types where it has any. `more`: where the language reference tells more, as `statements.md#choose`.
    """

    word: str
    what: str
    signatures: tuple[str, ...]
    doc: str
    more: str = ""


@cache
def vocabulary() -> tuple[Entry, ...]:
    """All of them. What a ruleset declares is in `semantics.members` and in the checker's symbols."""
    return tuple(_entries())


@cache
def entries_for_word(word: str) -> tuple[Entry, ...]:
    """What a word may be: first what it names, then the forms that it begins, then those in which it stands."""
    by_word = [entry for entry in vocabulary() if entry.word == word]
    inside = [entry for entry in vocabulary() if entry.word != word and entry.what in FORMS and word in _words(entry)]
    return (*by_word, *inside)


def _entries() -> Iterator[Entry]:
    for function in FUNCTIONS.values():
        yield Entry(function.name, "function", (function.signature,), function.doc)
    for name in (*NAMES.values(), *BEARERS.values()):
        yield Entry(name.name, "name", (f"{name.name}: {name.type}" if name.type else name.name,), name.doc)
    for member in MEMBERS.values():
        yield Entry(member.name, "member", tuple(member.signatures), member.doc)
    for query in QUERIES.values():
        yield Entry(query.name, "query", (query.signature,), query.doc, "binders-and-queries.md#queries")
    for rows in LISTS.values():
        yield Entry(rows.name, "list", (f"{rows.name}: {', '.join(rows.rows)}",), rows.doc)
        for row in rows.rows:
            yield Entry(row, "name", (f"{row}: {rows.name}",), f"a row of `{rows.name}`: {rows.doc}")
    for what, forms in FORMS.items():
        for form in forms:
            yield Entry(form.words[0] if form.words else form.title, what, form.written, form.doc, form.more)


def _words(entry: Entry) -> list[str]:
    return next(form.words for form in FORMS[entry.what] if form.written == entry.signatures)
