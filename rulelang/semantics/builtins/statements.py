"""The statements of the language, in the order of the reference."""

from __future__ import annotations

from rulelang.semantics.builtins.row import Example, Form

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
        "names a result; it never changes. A `let` that nothing reads is a mistake",
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
        "writes a state value, an attribute, a table cell, or the place of a thing",
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
        "the first block whose condition holds, or that of `else`",
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
        "for each combination; members, order and sort keys are fixed when it starts, and made things gone meanwhile"
        " are skipped",
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
        "so many times, or until the condition holds, which is tested before each pass",
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
        "the routine happens, if it can; else nothing does",
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
        "a player chooses one combination; with a block, `else` is for where there is none",
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
        "the player may choose nothing, too, which counts as if there were nothing",
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
        "chance chooses, among all combinations, equal cards counted each",
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
        "offers the actions of the phase it stands in: one main action with free ones beside it, or any number",
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
        "the block for player after player; in it `actor` is p, and the outermost one sets `active`",
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
        "`round` counts from 1; the condition is tested after each",
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
        "in play order; until its end, views show each player the others' things as they were at its start",
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
        "on top, if nothing is said. `as` lays a card of several faces with one of them, `with` a pair's card with its"
        " other end; both hold while it lies there",
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
        "all cards, in order, so the top stays on top",
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
        "from the top; `refilled_from` is shuffled in when there is too little; then it takes what there is",
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
        "the cards of the zone in an order that chance makes",
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
        "`left` or `right` end of the owner's row (right, if nothing is said); `like` copies attributes. With `at_most`"
        " things in play already it does not happen, and `x` is missing; what has gone makes room",
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
        "it leaves play; what lies on it goes to the box",
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
        "the sum of the dice, into a state value, an attribute (`roll 1d6 as s.eaten`), a cell of a table or a new "
        "name. The log shows each die to those who see where the sum is kept",
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
        "every cell of the table is 0",
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
        "its rules stop working, wherever it lies; and work again. The scope is the `turn`, `phase`, `round` or `game`;"
        " without one it is silenced for good",
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
        "opens a routine or action: when it can happen. Without `because`, here and after `ensure` and `where`, what is"
        " wrong is told in words made of C; of `can R(...)` in it the reasons of R",
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
        "legality by trial: an action that reaches one that fails is not possible",
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
        "opens an action: it hides the pass",
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
        "a line of the log; the first one of a routine or action is its title there",
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
        "in `react to`: the event does not happen, or happens otherwise",
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
        "in `instead of`: what it stands for happens here",
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
        "a name by which mods call a statement, a block or a hook; it means nothing else",
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
        "nothing happens, where a block needs a statement",
        Example(
            """
instead of fall(any): nothing
""".strip(),
            ("ada.mood == calm",),
            when=("fall ada",),
        ),
    ),
)
