"""Codes of names in rules (N350 to N399): what a name means where it stands."""

from __future__ import annotations

from rulelang.base.codes.page import Page

RULE_NAME_PAGES: tuple[Page, ...] = (
    Page(
        "N350",
        "an unknown name",
        "Nothing has this name: no variable, row, state value, number or value without arguments. Where a row of a "
        "certain list is expected, the rows of that list are named.",
        "value mild(fish f) -> bool: f.weight < limitt",
        "value mild(fish f) -> bool: f.weight < limit",
    ),
    Page(
        "N351",
        "a row of several lists",
        "A row may have the same name in several lists; what stands beside it tells which one is meant. Here nothing "
        "does. Give the name where a type is expected: as an argument, or compared with something.",
        "routine paint:\n  let c = green\n  show(c)\nroutine show(light l): nothing",
        "routine paint:\n  show(green)\nroutine show(light l): nothing",
    ),
    Page(
        "N352",
        "declared twice",
        "Routines, phases, actions, values and invariants share one set of names, and each name is declared once; a "
        "trait or row may use a name of its own again. In a mod, `replace` gives what exists another body.",
        "routine eat(fish f): nothing",
        "routine feast(fish f): nothing",
    ),
    Page(
        "N353",
        "a built-in name for a rule",
        "The name means something everywhere in rules (`round`, `actor`, `step`, `owner`, ...). Take another name.",
        "value position(fish f) -> int: 1",
        "value rank(fish f) -> int: 1",
    ),
    Page(
        "N354",
        "no such type or kind",
        "A parameter or binder begins with a type: `int`, `bool`, `order`, or a kind, which is a list, a sort of "
        "cards, a kind of things, or `player`. `maybe` goes with numbers and kinds.",
        "routine feed(fsh f): nothing",
        "routine feed(fish f): nothing",
    ),
    Page(
        "N355",
        "no such part",
        "What stands before the dot has no attribute, column, slot or property of this name, or it is a column that "
        "tells no cards apart (`tells_apart: false`), which no rule can read.",
        "value mild(fish f) -> bool: f.wait < 3",
        "value mild(fish f) -> bool: f.weight < 3",
    ),
    Page(
        "N356",
        "no such routine or value",
        "What is called with this name is not declared in the core, nor in the trait or row whose rules these are.",
        "routine feed(fish f): eatt(f, plant, 1)",
        "routine feed(fish f): eat(f, plant, 1)",
    ),
    Page(
        "N357",
        "no such phase",
        "An action is offered `during` a phase, and `resets:` of an attribute names a phase (or is `turn`, `round`, "
        "`phase` or `game`). No phase has this name.",
        "action rest during feedings: nothing",
        "action rest during feeding: nothing",
    ),
    Page(
        "N358",
        "a name that is never used",
        "`let` gives a value a name, and nothing reads it: it is either misspelt below or not needed.",
        "routine feed(fish f):\n  let n = hunger(f)\n  eat(f, plant, 1)",
        "routine feed(fish f):\n  let n = hunger(f)\n  eat(f, plant, n)",
    ),
    Page(
        "N359",
        "a pattern name that is never used",
        "In the pattern of a hook a name is `self`, `owner`, `partner`, `this`, a constant, or a new name, which "
        "matches everything. A new name that nothing uses is most often a misspelt constant, which would then match "
        "far too much. Write `any` for what does not matter.",
        "forbid eat(f, plnt) when f.sated",
        "forbid eat(f, plant) when f.sated",
    ),
    Page(
        "N360",
        "no game or no score",
        "A whole ruleset says what happens (`game:`) and who wins (`value score(player p) -> int`).",
    ),
    Page(
        "N361",
        "no such option",
        "`option.NAME` reads what the table has chosen; the manifest declares no option of this name.",
        "value frost -> bool: option.colder",
        "value frost -> bool: option.cold",
    ),
    Page(
        "N362",
        "no bearer here",
        "`self`, `this`, `owner` and `partner` speak of the card or row that brings a rule. The game's own rules and "
        "those that begin with `always` have none; only pairs have a `partner`, and only cards of players an `owner`.",
        "forbid strike(any, self)",
        "forbid strike(any, prey) when prey.sated",
    ),
    Page(
        "N363",
        "no such stretch of time",
        "`once per` and `until end of` are followed by `turn`, `round`, `phase` or `game`.",
        "after eat(f) once per day: strike(f, f)",
        "after eat(f) once per turn: strike(f, f)",
    ),
    Page(
        "N364",
        "one name for two things",
        "Two parameters, binders of an action, or parts of a pattern have one name.",
        "routine meet(fish f, fish f): nothing",
        "routine meet(fish f, fish g): nothing",
    ),
    Page(
        "N368",
        "a trait on things of two kinds",
        "The cards of a trait work on things of two kinds, and its rules speak of one `self`. Give the things of one "
        "kind a sort of cards of their own, or take `in_force` from one of the zones.",
    ),
    Page(
        "N369",
        "`look:` speaks of something that is not there",
        "`look:` says how lists, kinds, sorts of cards, grids, zones, tables, phases and actions are shown, each under "
        "its name; `player` are the players, and `game` the values under `state:`.",
        "look:\n  fsh: {plural: fish}",
        "look:\n  fish: {plural: fish}",
    ),
    Page(
        "N370",
        "`look:` speaks of a value that is not there",
        "`members:`, `order:` and `hide:` name attributes and columns of the thing under whose name they stand; "
        "`order:` also what is under `show:` there.",
        "look:\n  fish: {hide: [wieght]}",
        "look:\n  fish: {hide: [weight]}",
    ),
    Page(
        "N371",
        "`look:` speaks of a row that is not there",
        "`rows:` names rows of the list or sort of cards under whose name it stands.",
        "look:\n  food: {rows: {plnt: {icon: P}}}",
        "look:\n  food: {rows: {plant: {icon: P}}}",
    ),
    Page(
        "N372",
        "a hole that nothing fills",
        "`called:` is a text with holes in braces: of a sort of cards `{name}` and columns, of an action what it is "
        "about, and `{self}`, the bearer of one that a trait or a card brings.",
        "look:\n  card: {called: '{name} ({fod})'}",
        "look:\n  card: {called: '{name} ({food})'}",
    ),
    Page(
        "N373",
        "something that cannot be shown",
        "Under `show:` stand expressions about `this`: a thing, a player, a row, a space or a card (of the game itself "
        "there is no `this`). What they come to is a number, true or false, or one of a kind, under a name not taken.",
        "look:\n  fish: {show: {weight: hunger(this)}}",
        "look:\n  fish: {show: {appetite: hunger(this)}}",
    ),
    Page(
        "N374",
        "something that has no effect",
        "Only numbers have a unit; only what is true or false may be said `otherwise:`; and only cards "
        "and actions are `called:` by what is printed on them, or what they are about.",
        "look:\n  fish: {members: {sated: {unit: fish}}}",
        "look:\n  fish: {members: {sated: {otherwise: still hungry}}}",
    ),
    Page(
        "N375",
        "the name of a space",
        "The spaces of a grid have names: `a1` is the first space of the first row, `b1` the one to its east. Rules "
        "name spaces as they name rows of lists. A state value, number, zone or value of the same name goes before the "
        "space, so rules cannot name that space. Take another name.",
        "state: {a1: number}",
        "state: {ante: number}",
    ),
)
