"""Codes of names in rules (N350 to N399)."""

from __future__ import annotations

from rulelang.base.codes.page import Page

RULE_NAME_PAGES: tuple[Page, ...] = (
    Page(
        "N350",
        "unknown name",
        "Nothing in scope has this name: no variable, row, state value, number or value without "
        "parameters. Check the spelling, or declare the name. If a row of a certain list is expected, the message "
        "lists the rows of that list.",
        "value mild(fish f) -> bool: f.weight < limitt",
        "value mild(fish f) -> bool: f.weight < limit",
    ),
    Page(
        "N351",
        "ambiguous row name",
        "Several lists have a row with this name, and the context does not show which row you mean. Use the name "
        "where a type is expected: as an argument, or in a comparison.",
        "routine paint:\n  let c = green\n  show(c)\nroutine show(light l): nothing",
        "routine paint:\n  show(green)\nroutine show(light l): nothing",
    ),
    Page(
        "N352",
        "name declared twice",
        "Routines, phases, actions, values and invariants share one set of names, so you can declare each name only "
        "once. A trait or row can use the name again for its own rules. In a mod, use `replace` to give an existing "
        "declaration a new body.",
        "routine eat(fish f): nothing",
        "routine feast(fish f): nothing",
    ),
    Page(
        "N353",
        "built-in name",
        "This name is built in (`round`, `actor`, `step`, `owner`, ...). Choose another name.",
        "value position(fish f) -> int: 1",
        "value rank(fish f) -> int: 1",
    ),
    Page(
        "N354",
        "unknown type",
        "A parameter or binder begins with a type: `int`, `bool`, `order`, or a kind. A kind is a list, a card type, "
        "a kind of thing, or `player`. Only numbers and kinds can be `maybe`.",
        "routine feed(fsh f): nothing",
        "routine feed(fish f): nothing",
    ),
    Page(
        "N355",
        "unknown member",
        "The thing before the dot has no attribute, column, slot or property with this name. Check the spelling and "
        "the kind of the thing. Rules also cannot read a column with `tells_apart: false`, because cards that differ "
        "only in that column count as equal.",
        "value mild(fish f) -> bool: f.wait < 3",
        "value mild(fish f) -> bool: f.weight < 3",
    ),
    Page(
        "N356",
        "unknown routine or value",
        "The core rules declare no routine or value with this name, and neither does the trait or row that contains "
        "this rule. Check the spelling, or declare the name.",
        "routine feed(fish f): eatt(f, plant, 1)",
        "routine feed(fish f): eat(f, plant, 1)",
    ),
    Page(
        "N357",
        "unknown phase",
        "No phase has this name. After `during`, an action names the phases in which it is offered. `resets:` of an "
        "attribute can also name a phase, or be `turn`, `round`, `phase` or `game`.",
        "action rest during feedings: nothing",
        "action rest during feeding: nothing",
    ),
    Page(
        "N358",
        "unused name",
        "Nothing reads this name, which `let` defines. Use the name in a later line, or delete this line. Often a "
        "later line misspells the name.",
        "routine feed(fish f):\n  let n = hunger(f)\n  eat(f, plant, 1)",
        "routine feed(fish f):\n  let n = hunger(f)\n  eat(f, plant, n)",
    ),
    Page(
        "N359",
        "unused name in a pattern",
        "In the pattern of a hook, a name is `self`, `owner`, `partner`, `this`, a constant, or a new name. A new "
        "name matches everything. A new name that nothing uses is usually a misspelled constant, and the hook would "
        "apply far too often. Write `any` for a part that does not matter.",
        "forbid eat(f, plnt) when f.sated",
        "forbid eat(f, plant) when f.sated",
    ),
    Page(
        "N360",
        "missing `game:` or `score`",
        "A ruleset must say what happens (`game:`) and who wins (`value score(player p) -> int`).",
    ),
    Page(
        "N361",
        "unknown option",
        "`option.NAME` reads an option that the players have chosen, but the manifest does not declare this option. "
        "Check the spelling, or declare the option under `options:`.",
        "value frost -> bool: option.colder",
        "value frost -> bool: option.cold",
    ),
    Page(
        "N362",
        "no bearer here",
        "`self`, `this`, `owner` and `partner` refer to the bearer of a rule, or to a thing connected with the "
        "bearer. The game's own rules and rules that begin with `always` have no bearer. Only pairs have a `partner`, "
        "and only cards of players have an `owner`. Name the things in the pattern instead.",
        "forbid strike(any, self)",
        "forbid strike(any, prey) when prey.sated",
    ),
    Page(
        "N363",
        "unknown period",
        "After `once per` and `until end of`, write `turn`, `round`, `phase` or `game`.",
        "after eat(f) once per day: strike(f, f)",
        "after eat(f) once per turn: strike(f, f)",
    ),
    Page(
        "N364",
        "name used twice",
        "Two parameters, two binders of an action, or two parts of a pattern have the same name. Rename one of them.",
        "routine meet(fish f, fish f): nothing",
        "routine meet(fish f, fish g): nothing",
    ),
    Page(
        "N368",
        "trait on two kinds of things",
        "The cards of this trait are in force on two kinds of things, but `self` in the trait's rules must be of one "
        "kind. Give one of the kinds its own card type, or remove `in_force` from one of the zones.",
    ),
    Page(
        "N369",
        "unknown name in `look:`",
        "`look:` says how to show the parts of a game, each under its name. The parts are lists, kinds, card types, "
        "grids, zones, tables, numbers, routines, phases, actions and values. Write `player` for the players, and "
        "`game` for the values under `state:`.",
        "look:\n  fsh: {plural: fish}",
        "look:\n  fish: {plural: fish}",
    ),
    Page(
        "N370",
        "unknown value in `look:`",
        "`members:`, `order:` and `hide:` can name only attributes and columns of the thing that they belong to. "
        "`order:` can also name entries of `show:`.",
        "look:\n  fish: {hide: [wieght]}",
        "look:\n  fish: {hide: [weight]}",
    ),
    Page(
        "N371",
        "unknown row in `look:`",
        "`rows:` can name only rows of the list or card type that it belongs to.",
        "look:\n  food: {rows: {plnt: {icon: P}}}",
        "look:\n  food: {rows: {plant: {icon: P}}}",
    ),
    Page(
        "N372",
        "unknown placeholder",
        "`called:` is text with placeholders in braces. For a card type, use `{name}` and its columns. For an action "
        "or value, use its parameters. For a table, use the kinds that index it. In an action of a trait or card, "
        "`{self}` refers to the bearer.",
        "look:\n  card: {called: '{name} ({fod})'}",
        "look:\n  card: {called: '{name} ({food})'}",
    ),
    Page(
        "N373",
        "value that cannot be shown",
        "`show:` maps names to expressions about `this`: a thing, a player, a row, a space or a card. (`this` does "
        "not exist in `game`.) Each expression must result in a number, a truth value, a row or a thing. Its name "
        "must not be in use already.",
        "look:\n  fish: {show: {weight: hunger(this)}}",
        "look:\n  fish: {show: {appetite: hunger(this)}}",
    ),
    Page(
        "N374",
        "key does not apply here",
        "`unit:` applies only to numbers, `otherwise:` only to truth values, and `called:` only to card types, "
        "actions, values and tables. Remove the key.",
        "look:\n  fish: {members: {sated: {unit: fish}}}",
        "look:\n  fish: {members: {sated: {otherwise: still hungry}}}",
    ),
    Page(
        "N375",
        "name hides a space",
        "The spaces of a grid have names: `a1` is the first space of the first row, and `b1` is the space to its "
        "east. Rules refer to spaces by name, as they do to rows of lists. If a state value, number, zone or value "
        "has the same name, rules cannot refer to the space. Choose another name.",
        "state: {a1: number}",
        "state: {ante: number}",
    ),
)
