"""Manual pages of codes for play: run-time errors (X6xx) and scenarios (C7xx)."""

from __future__ import annotations

from rulelang.base.diagnostics import Page

# ---- run-time errors

RUNTIME_PAGES: tuple[Page, ...] = (
    Page(
        "X601",
        "value out of range",
        "A value has a declared range (`0..6`), and a rule tried to set the value to a number outside that range. "
        "The message shows the rule. Test the number first, or change the value by less. If the declaration has "
        "`clamp: true`, the value stops at the end of its range without an error.",
        bad="body_size: {is: 1..6, start: 1}      # and a rule: s.body_size += 1",
        good="body_size: {is: 1..6, start: 1, clamp: true}",
    ),
    Page(
        "X602",
        "division by zero",
        "In this game, the right side of `/` or `%` was 0. Test the divisor first, or keep it above 0.",
        bad="let share = food / count(species s of p)",
        good="let share = food / max(1, count(species s of p))",
    ),
    Page(
        "X603",
        "slot is full",
        "A slot holds only one card, and a rule tried to move a second card into the slot. Move the first card "
        "away, or require that the slot is empty.",
        bad="move c to p.biome",
        good="move all p.biome to discard\nmove c to p.biome",
    ),
    Page(
        "X604",
        "too many waiting effects",
        "A routine `in owner's order` triggers effects that wait in a pool until it ends. The pool overflowed, "
        "usually because the effects trigger each other. Limit them with `once per turn`, or add a condition.",
        bad="after drawn(any):\n  draw 1 from deck to owner.hand",
        good="after drawn(any) once per turn:\n  draw 1 from deck to owner.hand",
    ),
    Page(
        "X605",
        "too long without a decision",
        "Between two decisions, the rules can take only a limited number of steps (100,000, unless the ruleset sets "
        "another limit). Either a loop did not end, or triggers kept triggering each other. The message shows the "
        "routines that were running. Break the cycle with a condition, or with `once per turn`.",
        bad="repeat until food == 0:\n  feed(s)               # which does nothing once s is full",
        good="repeat until food == 0 or s is full:\n  feed(s)",
    ),
    Page(
        "X606",
        "calls nested too deeply",
        "A routine or value called itself, directly or through others, more than 200 levels deep (or another limit "
        "that the ruleset sets). The message shows the cycle. A value must not depend on itself, and a chain of "
        "triggers needs a condition that ends it.",
        bad="value size(species s) -> int: size(right_of s) + 1",
        good="value size(species s) -> int: (size(right_of s) if right_of s is present else 0) + 1",
    ),
    Page(
        "X607",
        "broken invariant",
        "The ruleset states a condition that must be true after every step (`invariant NAME: ...`), and after this "
        "step the condition was false. Either the step is wrong, or the invariant is too strict.",
        bad="invariant full_table: food == 20",
        good="invariant no_debt: food >= 0",
    ),
    Page(
        "X608",
        "too many waiting routines",
        "While a player decides, every routine that led to the question waits in the state of the game. Only a "
        "limited number of routines can wait. A routine that calls itself and asks a question at every level "
        "reaches this limit. Ask once, outside the recursion, or end the recursion earlier.",
        bad="routine chain(species s):\n  choose species t of actor\n  chain(t)",
        good="repeat 5 times:\n  choose species t of actor\n  feed(t)",
    ),
    Page(
        "X610",
        "number too large",
        "Rules calculate with integers from -9,223,372,036,854,775,807 to 9,223,372,036,854,775,807. A number that "
        "is stored (a `let`, an argument of a routine, the ends of a range) must be between -2,147,483,648 and "
        "2,147,483,647. In this game, a calculation exceeded one of these limits. Limit its result with `min`.",
        bad="let size = f.weight * f.weight * f.weight * f.weight",
        good="let size = min(1000, f.weight * f.weight)",
    ),
    Page(
        "X611",
        "game does not end",
        "An automatic game (`rulelang sim`, a playout) exceeded its decision limit. The limit is 100,000, unless "
        "`--max-decisions` or `max_decisions=` sets another limit. In a scenario, the limit is 5,000 decisions in a "
        "row without a choice. The message shows the round, the phase and the question. Usually, a `rounds until` "
        "waits for something that cannot happen.",
        bad="rounds until round == 0: play",
        good="rounds until round == 9: play",
    ),
    Page(
        "X612",
        "too many items in one loop",
        "When a `for` starts, it fixes the items that it loops over. Sorting and `with most` do the same. They can "
        "hold 4,096 combinations, or 1,000 numbers of a range whose ends are not literal numbers. Filter with "
        "`where`, or nest two loops.\n\n"
        "A second limit applies to an action that removes and creates things: it can use twice as many things as "
        "can be in play. The place of a removed thing becomes free at the next action or phase.",
        bad="for int n from 1 to 9000 where n % 2 == 0: count_up(n)",
        good="for int n from 1 to 4000 where n % 2 == 0: count_up(n)",
    ),
    Page(
        "X613",
        "printed data breaks an invariant",
        "Some invariants read only printed data: columns of cards and rows, `numbers:` and options. `rulelang check` "
        "tests these invariants with all options and numbers of players for which the data differ. This invariant is "
        "false. The message names the rows that break it, and the values that it read. Fix the row or the invariant. "
        "If a mod adds or changes such a row, the message shows the line of the mod.",
        bad="invariant costly: all(card c: c.cost > 0)        # and a card of cost 0",
        good="invariant costly: all(card c: c.cost > 0)        # where each card has a cost",
    ),
    Page(
        "X614",
        "too many events in one move",
        "Between two decisions, the log can record at most 5,000 events: `tells` sentences, actions, triggers and "
        "rolls. Write one sentence that contains a number, or end the loop earlier. Games without a log (`rulelang "
        "sim`) have no such limit.",
        bad='repeat 9000 times: tells "boo"',
        good='tells "boo, {n} times"',
    ),
    Page(
        "X609",
        "empty slot",
        "A rule read a value of the card in a slot (`x.tool.cost`), but the slot was empty. Test `x.tool is "
        "present` first, or add a default with `otherwise`.",
        bad="value worth(place x) -> int: x.tool.cost",
        good="value worth(place x) -> int: x.tool.cost if x.tool is present else 0",
    ),
)


# ---- scenarios

SCENARIO_PAGES: tuple[Page, ...] = (
    Page(
        "C701",
        "malformed scenario",
        "A scenario has a name, and then `given` (the position), `when` (the moves) and `then` (the claims). Each "
        "part has only one form, so that rulelang can detect every typo. In YAML, a colon followed by a space makes "
        "a map. Put an expression that contains `: ` in quotes.",
        """then:
  - sum(card c in deck: c.food) == 5""",
        """then:
  - "sum(card c in deck: c.food) == 5\"""",
    ),
    Page(
        "C702",
        "unknown name in a scenario",
        "Declare players and things under `given`. The ruleset must declare the attributes, zones, phases, options, "
        "lists and cards. Check the spelling. rulelang does not skip unknown names, because a scenario with a "
        "skipped part would prove nothing.",
        """given:
  players:
    ana: [wolf populaton 3]""",
        """given:
  players:
    ana: [wolf population 3]""",
    ),
    Page(
        "C703",
        "no such card",
        "Write a card's name. Words after the name select a copy by its printed values. Each card is in only one "
        "place, so a scenario cannot place more cards than the game has. It also cannot place a card with a value "
        "that no copy has.",
        "hand: [carnivore food 9]",
        "hand: [carnivore food 6]",
    ),
    Page(
        "C704",
        "invalid value",
        "Attributes and state values have a type and a range. Give a value that the game itself could store: a "
        "number within the range, true or false, or the name of a player or row. Write the value after the "
        "attribute's name.",
        "ana: [wolf population 9]",
        "ana: [wolf population 6]",
    ),
    Page(
        "C705",
        "unknown step",
        "A step is an option of the current decision, as the game offers it, or a call to a routine with its "
        "arguments. An option is an action with its arguments, a card, a thing, a number or `pass`. The first word "
        "of a step must begin one of these. `ana: STEP` also claims that Ana makes the decision.",
        """when:
  - atack wolf crab""",
        """when:
  - attack wolf crab""",
    ),
    Page(
        "C706",
        "duplicate name, or too many things",
        "Each thing in a scenario needs a unique name, and each scenario in a file needs a unique name. A player "
        "can have only as many things of a kind as the ruleset allows, and a slot holds only one card.",
        "ana: [wolf, wolf]",
        "ana: [wolf, wolf2]",
    ),
    Page(
        "C707",
        "invalid table",
        "List the game's players under `given`, in seat order. The ruleset must allow that number of players. The "
        "scenario's mods and mode must exist and be valid for the ruleset.",
        "players: {ana: [wolf]}",
        "players: {ana: [wolf], bob: [crab]}",
    ),
    Page(
        "C710",
        "unknown rule cited",
        "Code cites the rules that it implements in a `#: ID ...` line, and scenarios cite them with `rule:`. The "
        "documents in `seeds/` that name this ruleset define the ids. Check the spelling. The rule may also have a "
        "new number.",
        "#: ev-trait-hornss",
        "#: ev-trait-horns",
    ),
    Page(
        "C711",
        "duplicate rule id",
        "A citation must identify exactly one rule. Each id must be unique among all documents of a ruleset.",
        """ev-1a: {text: The first rule.}     # in one document
ev-1a: {text: Another rule.}       # in another""",
        """ev-1a: {text: The first rule.}
evh-1a: {text: Another rule.}""",
    ),
    Page(
        "C712",
        "invalid rules document",
        "A document names its ruleset and has `rules:`, a map from ids to rules. Each rule needs a `text`. If no "
        "program can enforce a rule, write `enforced: false` and `because:`. Nothing has to cite such a rule.",
        """ruleset: evolution
rules: [there is a deck]""",
        """ruleset: evolution
rules:
  ev-1: {text: There is a deck.}""",
    ),
    Page(
        "C713",
        "step does not fit its action",
        "After the name of an action or routine, write its arguments in the order in which the rules name them. You "
        "can shorten an option if its beginning is unique. Write a refused step or a call to a routine in full. "
        "rulelang always refuses a step that it cannot read, so a shortened step would prove nothing.",
        """when:
  - attack wolf: {refused: the crab is too large}""",
        """when:
  - attack wolf crab: {refused: the crab is too large}""",
    ),
    Page(
        "C714",
        "reason that only repeats the step",
        "If a reason consists only of words from the step, it matches every refusal that names the same things. It "
        'does not show which rule refuses the step. Write why the step is refused, or write `refused: ""` to accept '
        "any reason.",
        """when:
  - attack wolf crab: {refused: crab}""",
        """when:
  - attack wolf crab: {refused: crab is too large}""",
    ),
    Page(
        "C715",
        "impossible log line",
        "A log line is a text that some rule `tells`, or the name of an action, with names of players, things, "
        "cards and rows from this scenario. No log line can contain this text, so it is probably misspelled. A "
        "claim that the text is absent would prove nothing.",
        "log: {not: wolf eats crabb}",
        "log: {not: wolf eats crab}",
    ),
    Page(
        "C716",
        "invalid pair",
        "A card of a trait with `pair:` is on one thing and connects it to another thing of the same kind. Name the "
        "other thing in `with`. Only a pair card that is in effect on a thing can have `with`. If a pair card has "
        "lost its partner and the rules keep the card in play, write `{with: none}`.",
        "ana: [wolf: [communication], crab]",
        "ana: [wolf: [communication: {with: crab}], crab]",
    ),
    Page(
        "C717",
        "position breaks an invariant",
        "An `invariant` must be true after every step of a game, so no game reaches a position that breaks it. A "
        "scenario that begins in such a position proves nothing. The message names the things and values that break "
        "the invariant. Correct these values.",
        "ana: [wolf population 3 food 5]     # invariant: no(species s where s.food > s.population)",
        "ana: [wolf population 5 food 5]",
    ),
    Page(
        "C718",
        "value is reset before play begins",
        "`resets: PHASE` resets a value whenever that phase begins, and with `phase:`, play begins at the start of "
        "that phase. So no rule can read the value that you set under `given`. Begin with another phase, or set the "
        "value in the scenario's steps.",
        """given: {phase: dawn, players: {ana: [frog slugs 5], bob: []}}     # slugs: {is: 0..9, resets: dawn}""",
        """given: {phase: night, players: {ana: [frog slugs 5], bob: []}}""",
    ),
    Page(
        "C720",
        "play cannot begin at this phase",
        "With `phase:`, play begins at the start of that phase, wherever the rules run it: in the game's flow, a "
        "loop, a routine, a hook or another phase. Play skips everything before the phase, including conditions. "
        "But the position must contain what runs the phase. For example, a loop over a player's animals needs an "
        "animal, and a hook of a trait needs its bearer. If only an action runs the phase, use that action in a "
        "step.",
        """given: {phase: night, players: [ana, bob]}    # night is run for each animal, and there is none""",
        """given: {phase: night, players: {ana: [wolf], bob: [crab]}}""",
    ),
    Page(
        "C721",
        "`turn` has no effect",
        "`turn` says whose turn it is when play begins. It needs a turn loop: either the first turn loop in the "
        "phase, or a turn loop that runs the phase. Without a turn loop, `turn` can only name the first player. For "
        "that, the manifest must have `players: {from: NAME}`, and `state:` must not set NAME.",
        """given: {phase: clean_up, turn: bob, state: {start: ana}}     # clean_up has no turns""",
        """given: {phase: clean_up, state: {start: ana}}""",
    ),
    Page(
        "C722",
        "rules of a mod without a document",
        "The game has documents with numbered rules, but the mod has no such document. The ids that the mod cites "
        "look different from the game's ids, so they must belong to the mod's own rules. The mod works, but nobody "
        "can look up these rules, and coverage does not count them. Write a document in `seeds/`, next to the mod's "
        "folder or one level up.",
        """#: tf-1
modify defence(self): + 1""",
        """# seeds/thick_fur.yaml:   ruleset: thick_fur
#                         rules:
#                           tf-1: {text: Thick fur makes an animal harder to bite.}
#: tf-1
modify defence(self): + 1""",
    ),
)
