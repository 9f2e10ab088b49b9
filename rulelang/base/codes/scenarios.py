"""Codes of scenarios, citations and rules documents (C7xx)."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "C701",
        "malformed scenario",
        "A scenario has a name, and then `given` (the position), `when` (the moves) and `then` (the claims). Each "
        "part has one form only, so that a typo is never taken for something else. In YAML, a `: ` in the middle of"
        " a line makes a map. Put an expression that contains one in quotes.",
        """then:
  - sum(card c in deck: c.food) == 5""",
        """then:
  - "sum(card c in deck: c.food) == 5\"""",
    ),
    Page(
        "C702",
        "unknown name in a scenario",
        "Players and things must be under `given`. Attributes, zones, phases, options, lists and cards must be "
        "those of the ruleset. Check the spelling. rulelang does not skip unknown names, because a scenario that "
        "leaves something out proves nothing.",
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
        "Write a card by its name. Words after the name select a copy by its printed values. Each card is in one "
        "place only. So a scenario cannot place more cards than the game has, or a card with a value that no copy "
        "has.",
        "hand: [carnivore food 9]",
        "hand: [carnivore food 6]",
    ),
    Page(
        "C704",
        "invalid value",
        "Attributes and state values have a type and a range. Give a value that the game itself could store: a "
        "number within the range, true or false, or the name of a player or row. Write the value after the name of "
        "its attribute.",
        "ana: [wolf population 9]",
        "ana: [wolf population 6]",
    ),
    Page(
        "C705",
        "unknown step",
        "A step is an option of the current decision, as the game offers it, or a call of a routine with its "
        "arguments. An option is an action with its arguments, a card, a thing, a number or `pass`. So the first "
        "word must be one of these. `ana: STEP` also says that Ana is asked.",
        """when:
  - atack wolf crab""",
        """when:
  - attack wolf crab""",
    ),
    Page(
        "C706",
        "duplicate name, or no room",
        "Each thing in a scenario needs a name of its own, and so does each scenario in a file. A player can have "
        "only as many things of a kind as the ruleset permits, and a slot holds one card.",
        "ana: [wolf, wolf]",
        "ana: [wolf, wolf2]",
    ),
    Page(
        "C707",
        "invalid table",
        "The players under `given` are the players of the game, in the order of their seats. Their number must be "
        "one that the ruleset permits. The mods and the mode of a scenario must exist and fit the ruleset.",
        "players: {ana: [wolf]}",
        "players: {ana: [wolf], bob: [crab]}",
    ),
    Page(
        "C710",
        "unknown rule cited",
        "Code cites the rules that it implements in a line `#: ID ...`, and scenarios cite them with `rule:`. The "
        "ids are those of the documents in `seeds/` that name this ruleset. Check the spelling. Perhaps the rule "
        "has a new number.",
        "#: ev-trait-hornss",
        "#: ev-trait-horns",
    ),
    Page(
        "C711",
        "duplicate rule id",
        "A citation must mean one rule. Use each id once among all documents of a ruleset.",
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
        "After the name of an action or routine, write its arguments in the order in which the rules name them. You"
        " can shorten an option if its beginning is unique. Write a refused step and the call of a routine in full:"
        " a step that rulelang cannot read is always refused, and proves nothing.",
        """when:
  - attack wolf: {refused: the crab is too large}""",
        """when:
  - attack wolf crab: {refused: the crab is too large}""",
    ),
    Page(
        "C714",
        "reason only repeats the step",
        "A reason that consists only of words of the step matches every refusal that names the same things. So it "
        'does not show which rule refuses the step. Say why it is refused, or write `refused: ""` if the reason '
        "does not matter.",
        """when:
  - attack wolf crab: {refused: crab}""",
        """when:
  - attack wolf crab: {refused: crab is too large}""",
    ),
    Page(
        "C715",
        "impossible log line",
        "A line of the log is a text that some rule `tells`, or the name of an action, with names of players, "
        "things, cards and rows of this scenario. No line can have this text, so it is probably misspelled. A claim"
        " that it is absent would prove nothing.",
        "log: {not: wolf eats crabb}",
        "log: {not: wolf eats crab}",
    ),
    Page(
        "C716",
        "invalid pair",
        "The card of a trait with `pair:` is on one thing and joins it with another thing of its kind. Name the "
        "other thing in `with`. Only such a card, in force on a thing, can have `with`. If a card has lost its "
        "other end and the rules leave it in play, write `{with: none}`.",
        "ana: [wolf: [communication], crab]",
        "ana: [wolf: [communication: {with: crab}], crab]",
    ),
    Page(
        "C717",
        "position breaks an invariant",
        "An `invariant` is true after every step of a game, so no game reaches a position that breaks it. A "
        "scenario from there proves nothing. The message names the things and values that break the invariant. "
        "Correct them.",
        "ana: [wolf population 3 food 5]     # invariant: no(species s where s.food > s.population)",
        "ana: [wolf population 5 food 5]",
    ),
    Page(
        "C718",
        "value is reset before play begins",
        "`resets: PHASE` resets a value whenever that phase begins, and with `phase:`, play begins on entry of that"
        " phase. So nothing can read the value under `given`. Begin with another phase, or let the steps of the "
        "scenario set the value.",
        """given: {phase: dawn, players: {ana: [frog slugs 5], bob: []}}     # slugs: {is: 0..9, resets: dawn}""",
        """given: {phase: night, players: {ana: [frog slugs 5], bob: []}}""",
    ),
    Page(
        "C720",
        "play cannot begin at this phase",
        "With `phase:`, play begins on entry of that phase, wherever the rules run it: in the flow of the game, in "
        "a loop, a routine, a hook or another phase. Play skips everything before it, including conditions. But "
        "somebody must be there to run the phase. For example, a loop over a player's animals needs an animal, and "
        "a hook of a trait needs its bearer. If only an action runs the phase, use that action in a step.",
        """given: {phase: night, players: [ana, bob]}    # night is run for each animal, and there is none""",
        """given: {phase: night, players: {ana: [wolf], bob: [crab]}}""",
    ),
    Page(
        "C721",
        "`turn` has no effect",
        "`turn` says whose turn it is when play begins. It needs a turn loop: the first one in the phase, or the "
        "loop that runs the phase. Otherwise, it can only name the first player. That works if the manifest has "
        "`players: {from: NAME}` and `state:` does not give NAME.",
        """given: {phase: clean_up, turn: bob, state: {start: ana}}     # clean_up has no turns""",
        """given: {phase: clean_up, state: {start: ana}}""",
    ),
    Page(
        "C722",
        "rules of a mod without a document",
        "The game has documents of numbered rules, and the mod has none. The mod cites ids that look different from"
        " those of the game, so they are rules of its own. The mod works, but nobody can read what these rules say,"
        " and coverage does not count them. Write a document in `seeds/`, next to the folder of the mod or one "
        "folder further up.",
        """#: tf-1
modify defence(self): + 1""",
        """# seeds/thick_fur.yaml:   ruleset: thick_fur
#                         rules:
#                           tf-1: {text: Thick fur makes an animal harder to bite.}
#: tf-1
modify defence(self): + 1""",
    ),
)
