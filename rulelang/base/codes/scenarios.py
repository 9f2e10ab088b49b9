"""Codes of scenarios, citations and rules documents (C7xx)."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
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
