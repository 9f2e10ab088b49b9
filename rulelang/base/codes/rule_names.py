"""Codes of names in rules (N350 to N399)."""

from __future__ import annotations

from rulelang.base.codes.page import Page

RULE_NAME_PAGES: tuple[Page, ...] = (
    Page(
        "N350",
        "unknown name",
        "Nothing in scope has this name: no variable, row, state value, number or value without parameters. Check "
        "the spelling, or declare the name. If a row of a certain list is expected, the message lists the rows of "
        "that list.",
        "value mild(fish f) -> bool: f.weight < limitt",
        "value mild(fish f) -> bool: f.weight < limit",
    ),
    Page(
        "N351",
        "ambiguous row name",
        "Several lists have a row of this name, and the context does not say which one you mean. Use the name where"
        " a type is expected: as an argument, or in a comparison.",
        "routine paint:\n  let c = green\n  show(c)\nroutine show(light l): nothing",
        "routine paint:\n  show(green)\nroutine show(light l): nothing",
    ),
    Page(
        "N352",
        "name declared twice",
        "Routines, phases, actions, values and invariants share one set of names, so you can declare each name "
        "once. A trait or row may use the name again for its own rules. In a mod, use `replace` to give an existing"
        " declaration a new body.",
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
        "A parameter or binder begins with a type: `int`, `bool`, `order`, or a kind. A kind is a list, a card "
        "type, a kind of things, or `player`. Only numbers and kinds can be `maybe`.",
        "routine feed(fsh f): nothing",
        "routine feed(fish f): nothing",
    ),
    Page(
        "N355",
        "unknown member",
        "The thing before the dot has no attribute, column, slot or property of this name. Check the spelling and "
        "the kind of the thing. Rules also cannot read a column with `tells_apart: false`, because cards that "
        "differ only there count as equal.",
        "value mild(fish f) -> bool: f.wait < 3",
        "value mild(fish f) -> bool: f.weight < 3",
    ),
    Page(
        "N356",
        "unknown routine or value",
        "No routine or value of this name is declared in the core rules, or in the trait or row that contains this "
        "rule. Check the spelling, or declare it.",
        "routine feed(fish f): eatt(f, plant, 1)",
        "routine feed(fish f): eat(f, plant, 1)",
    ),
    Page(
        "N357",
        "unknown phase",
        "After `during`, an action names the phases in which it is offered. `resets:` of an attribute also names a "
        "phase, or `turn`, `round`, `phase` or `game`. No phase has this name.",
        "action rest during feedings: nothing",
        "action rest during feeding: nothing",
    ),
    Page(
        "N358",
        "unused name",
        "`let` names a value that nothing reads. Use the name in a later line, or delete this line. Often a later "
        "line misspells the name.",
        "routine feed(fish f):\n  let n = hunger(f)\n  eat(f, plant, 1)",
        "routine feed(fish f):\n  let n = hunger(f)\n  eat(f, plant, n)",
    ),
    Page(
        "N359",
        "unused name in a pattern",
        "In the pattern of a hook, a name is `self`, `owner`, `partner`, `this`, a constant, or a new name. A new "
        "name matches everything. If nothing uses it, it is usually a misspelled constant, and the hook would apply"
        " far too often. Write `any` for a part that does not matter.",
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
        "`option.NAME` reads an option that the table has chosen, and the manifest does not declare this one. Check"
        " the spelling, or declare it under `options:`.",
        "value frost -> bool: option.colder",
        "value frost -> bool: option.cold",
    ),
    Page(
        "N362",
        "no bearer here",
        "`self`, `this`, `owner` and `partner` refer to the card or row that brings a rule. The game's own rules "
        "and rules that begin with `always` have no bearer. Only pairs have a `partner`, and only cards of players "
        "have an `owner`. Name the things in the pattern instead.",
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
        "The cards of this trait work on things of two kinds, but `self` in its rules must be of one kind. Give the"
        " things of one kind their own card type, or remove `in_force` from one of the zones.",
    ),
    Page(
        "N369",
        "unknown name in `look:`",
        "`look:` says how the parts of a game are shown, each under its name. The parts are lists, kinds, card "
        "types, grids, zones, tables, numbers, routines, phases, actions and values. Write `player` for the "
        "players, and `game` for the values under `state:`.",
        "look:\n  fsh: {plural: fish}",
        "look:\n  fish: {plural: fish}",
    ),
    Page(
        "N370",
        "unknown value in `look:`",
        "`members:`, `order:` and `hide:` name attributes and columns of the thing that they belong to. `order:` "
        "may also name entries of `show:`.",
        "look:\n  fish: {hide: [wieght]}",
        "look:\n  fish: {hide: [weight]}",
    ),
    Page(
        "N371",
        "unknown row in `look:`",
        "`rows:` names rows of the list or card type that it belongs to.",
        "look:\n  food: {rows: {plnt: {icon: P}}}",
        "look:\n  food: {rows: {plant: {icon: P}}}",
    ),
    Page(
        "N372",
        "unknown placeholder",
        "`called:` is a text with placeholders in braces. For a card type, use `{name}` and its columns. For an "
        "action or value, use its parameters; a table has the kinds that index it. If a trait or card brings the "
        "action, `{self}` is its bearer.",
        "look:\n  card: {called: '{name} ({fod})'}",
        "look:\n  card: {called: '{name} ({food})'}",
    ),
    Page(
        "N373",
        "value that cannot be shown",
        "`show:` maps names to expressions about `this`: a thing, a player, a row, a space or a card. (`this` "
        "does not exist in `game`.) Each expression must give a number, a truth value or a row or thing of a kind. Its "
        "name must not be taken.",
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
        "east. Rules name spaces as they name rows of lists. If a state value, number, zone or value has the same "
        "name, rules cannot name the space. Choose another name.",
        "state: {a1: number}",
        "state: {ante: number}",
    ),
)
