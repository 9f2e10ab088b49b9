"""Codes of this room (scenarios)."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "C701",
        "a scenario is not built like this",
        """A scenario has a name, and then `given` (what lies where), `when` (what is done) and `then` (what must
hold). Each of them is read in one form only, so that a slip of the pen is never taken for something else.
In YAML a `: ` in the middle of a line makes a map of it: an expression that holds one must stand in quotes.""",
        """then:
  - sum(card c in deck: c.food) == 5""",
        """then:
  - "sum(card c in deck: c.food) == 5\"""",
    ),
    Page(
        "C702",
        "a scenario names what there is not",
        """Players and things are those that stand under `given`; attributes, zones, phases, options, lists and cards
are those of the ruleset. A name that nothing has is refused, as a scenario that silently leaves something
out proves nothing.""",
        """given:
  players:
    ana: [wolf populaton 3]""",
        """given:
  players:
    ana: [wolf population 3]""",
    ),
    Page(
        "C703",
        "there is no such card (left)",
        """A card is written by its name. Words behind it pick the copy by what is printed there, and every card lies
in one place only: a scenario that places more cards of a sort than are printed, or one with a value that is
on no copy, describes no position of the game.""",
        "hand: [carnivore food 9]",
        "hand: [carnivore food 6]",
    ),
    Page(
        "C704",
        "a value cannot stand there",
        """Attributes and state values have a type and a range. What a scenario gives must be a value that the game
itself could store there: a number within the range, true or false, a player or a row by name. After the
name of an attribute its value must follow.""",
        "ana: [wolf population 9]",
        "ana: [wolf population 6]",
    ),
    Page(
        "C705",
        "a step begins with an unknown word",
        """A step is an option of the decision at hand, written as the game offers it (an action with its arguments, a
card, a thing, a number, `pass`), or the call of a routine with its arguments. Its first word must be one of
those somewhere in the ruleset or in the scenario. `ana: STEP` says besides that it is ana who is asked.""",
        """when:
  - atack wolf crab""",
        """when:
  - attack wolf crab""",
    ),
    Page(
        "C706",
        "two of one name, or no room",
        """Within a scenario every thing has a name of its own, and within a file every scenario: reports and steps
could not tell them apart otherwise. A player has no more things of a kind than the ruleset permits, and a
slot holds one card.""",
        "ana: [wolf, wolf]",
        "ana: [wolf, wolf2]",
    ),
    Page(
        "C707",
        "there is no such table",
        """The players under `given` are the players of the game, in the order of their seats, so there must be as many
of them as the ruleset permits. Mods and the mode that a scenario names must exist and fit the ruleset.""",
        "players: {ana: [wolf]}",
        "players: {ana: [wolf], bob: [crab]}",
    ),
    Page(
        "C710",
        "a rule is cited that no document has",
        """Code cites the rules it carries out with a line `#: ID ...`, scenarios with `rule:`. The ids are those of
the documents in `seeds/` that name this ruleset. A citation of another id is a slip, or the rule was
renumbered.""",
        "#: ev-trait-hornss",
        "#: ev-trait-horns",
    ),
    Page(
        "C711",
        "two rules have one id",
        """A citation must mean one rule, so an id is given once among all documents of a ruleset.""",
        """ev-1a: {text: The first rule.}     # in one document
ev-1a: {text: Another rule.}       # in another""",
        """ev-1a: {text: The first rule.}
evh-1a: {text: Another rule.}""",
    ),
    Page(
        "C712",
        "a document of numbered rules cannot be read",
        """A document says of which ruleset it is, and holds `rules:`, a map from ids to rules. Each has a `text`; one
that no program can hold anyone to says `enforced: false` and `because:`, and need not be cited.""",
        """ruleset: evolution
rules: [there is a deck]""",
        """ruleset: evolution
rules:
  ev-1: {text: There is a deck.}""",
    ),
    Page(
        "C713",
        "a step does not have the form of its action",
        """After the name of an action or routine stands what it is done with, in the order in which the rules name it.
An option may be cut short where its beginning is the only one like it, but a step that is to be refused must be said
wholly, and so must the call of a routine: what cannot be understood is always refused, and proves nothing.""",
        """when:
  - attack wolf: {refused: the crab is too large}""",
        """when:
  - attack wolf crab: {refused: the crab is too large}""",
    ),
    Page(
        "C714",
        "a reason only repeats the step",
        """A reason that is made of nothing but words of the step is found in every refusal that names the same things.
So it does not show which rule refuses the step. Say why it is refused, or `refused: ""` if that does not matter.""",
        """when:
  - attack wolf crab: {refused: crab}""",
        """when:
  - attack wolf crab: {refused: crab is too large}""",
    ),
    Page(
        "C715",
        "the log can never say this",
        """A line of the log is a text that some rule `tells`, or the name of an action, with the names of players,
things, cards and rows of this scenario. A text that no line can have is a slip, and to say that it is not told would
prove nothing.""",
        "log: {not: wolf eats crabb}",
        "log: {not: wolf eats crab}",
    ),
    Page(
        "C716",
        "a pair cannot be laid like this",
        """The card of a trait with `pair:` lies on one thing and joins it with another of its kind: `with` says with
which, and that is not the thing on which it lies. Only such a card, in force on a thing, can be laid `with` anything.
One that has lost its other end, where the rules leave it lying, is laid `{with: none}`.""",
        "ana: [wolf: [communication], crab]",
        "ana: [wolf: [communication: {with: crab}], crab]",
    ),
    Page(
        "C717",
        "a position breaks an invariant",
        """An `invariant` of the rules holds after every step of a game, so no game comes to a position that breaks it:
what a scenario shows there, it shows of no game. The message says of which things and values it does not hold.""",
        "ana: [wolf population 3 food 5]     # invariant: no(species s where s.food > s.population)",
        "ana: [wolf population 5 food 5]",
    ),
    Page(
        "C718",
        "a value is set back before anything happens",
        """`resets: PHASE` sets a value back whenever that phase begins, and with `phase:` play begins on its entry.
What `given` says of the value then is gone before anybody can read it. Give it where play begins with another phase, or
let the steps of the scenario bring it about.""",
        """given: {phase: dawn, players: {ana: [frog slugs 5], bob: []}}     # slugs: {is: 0..9, resets: dawn}""",
        """given: {phase: night, players: {ana: [frog slugs 5], bob: []}}""",
    ),
    Page(
        "C720",
        "play cannot begin at this phase",
        """With `phase:` play begins on entry of that phase, wherever the rules run it: in the flow of the game, in a
loop, a routine, a hook or another phase. What stands before it is left out, and conditions on the way are not
asked; but somebody must be there to do it: a loop over the animals of a player leads nowhere if he has none, and a
hook of a trait needs its bearer. What only an action runs is only come to by that action.""",
        """given: {phase: night, players: [ana, bob]}    # night is run for each animal, and there is none""",
        """given: {phase: night, players: {ana: [wolf], bob: [crab]}}""",
    ),
    Page(
        "C721",
        "`turn` has nothing to do",
        """`turn` says in whose turn play begins: in the first turn loop of the phase, or in the loop in which the phase
is run. Without either, it can only say who is the first player, if the manifest has `players: {from: NAME}` and
`state:` does not give NAME.""",
        """given: {phase: clean_up, turn: bob, state: {start: ana}}     # clean_up has no turns""",
        """given: {phase: clean_up, state: {start: ana}}""",
    ),
    Page(
        "C722",
        "a mod cites rules of its own that no document has",
        """The game has documents, the mod has none, and its ids are of another kind than those of the game: they are
rules of the mod's own. It works as it is; but nobody can read what the rules say, and coverage does not count them. A
document lies in `seeds/` beside the folder of the mod, or one folder further up.""",
        """#: tf-1
modify defence(self): + 1""",
        """# seeds/thick_fur.yaml:   ruleset: thick_fur
#                         rules:
#                           tf-1: {text: Thick fur makes an animal harder to bite.}
#: tf-1
modify defence(self): + 1""",
    ),
)
