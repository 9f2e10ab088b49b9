"""The statements of the language, in the order of the reference."""

from __future__ import annotations

from rulelang.language.semantics.builtins.row import Example, Form

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
