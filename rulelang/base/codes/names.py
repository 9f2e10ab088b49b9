"""Manual pages of codes for names (N3xx, N4xx): declarations, names in rules, and translation catalogues."""

from __future__ import annotations

from rulelang.base.diagnostics import Page

# ---- declarations

DECLARATION_PAGES: tuple[Page, ...] = (
    Page(
        "N300",
        "duplicate name",
        "Two things have the same name, for example a list and a zone, or a number and a state value. Rules refer to "
        "both by name alone, so each name must be unique. Rename one of the two. The message shows both places.",
        "lists: {deck: [upper, lower]}\nzones: {deck: {holds: card}}",
        "lists: {half: [upper, lower]}\nzones: {deck: {holds: card}}",
    ),
    Page(
        "N301",
        "built-in name",
        "This name already has a meaning. Some names are built in everywhere, such as `players`, `round`, `box` and "
        "`owner`. Others are built in for one kind of thing, such as `.owner` of a creature, `.face` of a card, or "
        "`.place` of things that are `in: place`. Choose another name.",
        "state: {round: int}",
        "state: {day: int}",
    ),
    Page(
        "N302",
        "invalid name",
        "A name begins with a letter and contains only letters, digits and `_`, so that rules can use it. Each row of "
        "a list also needs a name.",
        "lists: {size: [extra-large]}",
        "lists: {size: [extra_large]}",
    ),
    Page(
        "N303",
        "unknown kind or zone",
        "The ruleset has no kind, list, card type or zone with this name, or it is not allowed here. `holds:` of a "
        "zone names a card type. `of:` and `in:` of a kind name its owner, `player`, and a list of places. "
        "`refilled_from:` names a zone.",
        "zones: {hand: {of: playr, holds: card}}",
        "zones: {hand: {of: player, holds: card}}",
    ),
    Page(
        "N304",
        "value of the wrong type",
        "The value does not match its declaration. For example, the value is text but a whole number is expected, or "
        "the value is a list but a single value is expected. To translate the words of a spreadsheet into values, use "
        "`cells:`.",
        "numbers: {eras: four}",
        "numbers: {eras: 4}",
    ),
    Page(
        "N305",
        "unknown row or value",
        "The expected list has no row with this name, or the word is not one of the allowed values. Several lists may "
        "have rows with the same name. rulelang looks only in the list that the declaration of the column or "
        "attribute names.",
        "lists: {size: [small, large]}\ncards: {card: {columns: {size: size}, rows: {wolf: {size: smal}}}}",
        "lists: {size: [small, large]}\ncards: {card: {columns: {size: size}, rows: {wolf: {size: small}}}}",
    ),
    Page(
        "N306",
        "invalid type",
        "A type is `int`, `number` (an int of at least 0), `bool`, a range such as `0..6`, `player` or `trait`. It "
        "can also be the name of a list, ladder, grid, card type or kind. You can put `maybe` before a kind or "
        "number. A column can also be `set of LIST` or `condition on LIST`. Rules can compute an `order` but cannot "
        "store it. An option must have `values:`, be a `bool`, or have a range with both ends.",
        "state: {era: integer}",
        "state: {era: int}",
    ),
    Page(
        "N307",
        "empty range",
        "A range must go from the lower number to the higher one. Swap the two numbers.",
        "state: {die: 6..0}",
        "state: {die: 0..6}",
    ),
    Page(
        "N308",
        "no owner",
        "`seen_by: owner` needs an owner. A value or zone of the whole game has no owner, and neither does a row of a "
        "list. Write `nobody` or `everyone`.",
        "zones: {deck: {holds: card, seen_by: owner}}",
        "zones: {deck: {holds: card, seen_by: nobody}}",
    ),
    Page(
        "N309",
        "unknown number",
        "Write a whole number, the name of a single number in `numbers:` (not of a row of numbers), or "
        "`option.NAME` for an option with a range.",
        "numbers: {boards: 24}\nkinds: {species: {of: player, at_most: bords}}",
        "numbers: {boards: 24}\nkinds: {species: {of: player, at_most: boards}}",
    ),
    Page(
        "N310",
        "missing value for a number of players",
        "This value depends on the number of players, but it has no value for some of the numbers that the game "
        "allows. Add the missing value.",
        "players: {count: [2, 4]}\nnumbers: {places: {2: 3, 4: 5}}",
        "players: {count: [2, 4]}\nnumbers: {places: {2: 3, 3-4: 5}}",
    ),
    Page(
        "N311",
        "invalid number of players",
        "A value that depends on the number of players has an invalid key: it is not a number of players, it is "
        "outside the game's range, or another key already contains the same number.",
        "players: {count: [2, 4]}\nnumbers: {places: {2-3: 3, 3-4: 5}}",
        "players: {count: [2, 4]}\nnumbers: {places: {2-3: 3, 4: 5}}",
    ),
    Page(
        "N312",
        "empty declaration",
        "Nothing can use a list without rows, an option without values, a card type without cards, or a grid without "
        "maps. Add the missing entries, or remove the declaration.",
        "lists: {part: []}",
        "lists: {part: [head, body]}",
    ),
    Page(
        "N313",
        "malformed condition",
        "A cell in a `condition on LIST` column contains terms separated by `;`. A term consists of one or more row "
        "names joined by `+`, a comparison (`= != < <= > >=`) and a whole number. The condition in an empty cell is "
        "always true. Nothing else is allowed in a condition.",
        "requirement: climb+fly>one",
        "requirement: climb+fly>=1; cold=0",
    ),
    Page(
        "N314",
        "duplicate row in a set",
        "A set, or the values of an option or column, contains the same name twice. Remove one of them.",
        "lists: {measure: [fly, swim]}\ncards: {card: {columns: {adapt: set of measure}, rows: [{adapt: fly+fly}]}}",
        "lists: {measure: [fly, swim]}\ncards: {card: {columns: {adapt: set of measure}, rows: [{adapt: fly+swim}]}}",
    ),
    Page(
        "N315",
        "value out of range",
        "A printed value, start value, default or number of copies is outside its declared range. A value without "
        "`start:` starts at 0, so its range must contain 0. Change the value, or widen the range.",
        "state: {level: {is: 1..4, start: 5}}",
        "state: {level: {is: 1..4, start: 4}}",
    ),
    Page(
        "N316",
        "column already filled by `for_each`",
        "`for_each` repeats each row and fills this column each time, so the row itself cannot have a value in the "
        "column. Remove the value from the row.",
        "for_each: {set: 1..2}\nrows: [{face: horns, set: 1}]",
        "for_each: {set: 1..2}\nrows: [{face: horns}]",
    ),
    Page(
        "N317",
        "type not allowed here",
        "The type is valid but not allowed in this declaration. Sets and conditions are printed and cannot change in "
        "play. Things that are created in play cannot be printed. Tables contain numbers, and you can clamp only "
        "numbers. `face` must be a `trait`. A key that belongs to another declaration is not allowed either, such as "
        "`of:` for an attribute or `start:` for a table.",
        "state: {seen: set of trait}",
        "cards: {card: {columns: {faces: set of trait}}}",
    ),
    Page(
        "N318",
        "missing value",
        "A required value is missing, and rulelang does not guess values. A column needs a value in each row, unless "
        "the column is a `bool`, a `maybe` or a set, or has a `default:`. A CSV file needs all columns, and its "
        "`copies` column needs a number in each row. A zone needs `holds:`, and a kind needs `of:` and `at_most:`.",
        "kinds: {species: {of: player}}",
        "kinds: {species: {of: player, at_most: 20}}",
    ),
    Page(
        "N319",
        "undeclared column",
        "A row or file contains a value for an undeclared column. Declare the column under `columns:` (for traits, "
        "under `traits:`). If no rule needs the column, name it in `unused_columns:`.",
        "cards: {card: {columns: {food: int}, rows: [{fod: 3}]}}",
        "cards: {card: {columns: {food: int}, rows: [{food: 3}]}}",
    ),
    Page(
        "N320",
        "wrong number of values",
        "A column `by: copy` needs one value for each copy of the card. A column `by` a list or range needs one value "
        "for each row or number. If you give both `copies` and the values, their numbers must agree. You can also "
        "leave out one of them.",
        "columns: {food: {is: int, by: copy}}\nrows: [{copies: 3, food: [1, 2]}]",
        "columns: {food: {is: int, by: copy}}\nrows: [{food: [1, 2, 2]}]",
    ),
    Page(
        "N321",
        "duplicate member",
        "Two columns, attributes, slots or zones of the same kind have the same name, and rules would read both as "
        "`x.NAME`. One of them may come from the state of a trait or from a mod. Rename one of the two.",
        "kinds: {player: {attributes: {traits: int}}}\nzones: {traits: {of: player, holds: card}}",
        "kinds: {player: {attributes: {points: int}}}\nzones: {traits: {of: player, holds: card}}",
    ),
    Page(
        "N322",
        "contradictory zone",
        "A `playable` zone must also be `in_force`, because the actions of cards are rules. `refilled_from` and "
        "`played_to` must each name a different zone that holds the same card type. That zone must belong to the "
        "whole game or to the same kind of thing.",
        "zones: {deck: {holds: card, refilled_from: deck}}",
        "zones: {deck: {holds: card, refilled_from: discard}, discard: {holds: card}}",
    ),
    Page(
        "N323",
        "key not allowed for `player`",
        "`player` under `kinds:` can have only attributes, because players are not created in play. Give the number "
        "of players under `players:` in the manifest.",
        "kinds: {player: {at_most: 6}}",
        "kinds: {player: {attributes: {points: int}}}",
    ),
    Page(
        "N324",
        "maps of different shapes",
        "All maps of a grid must have the same number of rows. Each row must have the same number of spaces, or one "
        "value for the whole row. At least one column must give each space its own value. All maps of a grid together "
        "can have at most 20,000 spaces. To raise this limit, set the environment variable `RULELANG_MAX_SPACES`.",
        "ground:\n  - L W W\n  - L W",
        "ground:\n  - L W W\n  - L W L",
    ),
    Page(
        "N325",
        "unknown letter on a map",
        "Each letter on a map must be in the `legend:`, or be the name of a row in the column's list.",
        "legend: {L: land}\nmaps: {isle: {ground: [L L, L X]}}",
        "legend: {L: land, X: sea}\nmaps: {isle: {ground: [L L, L X]}}",
    ),
    Page(
        "N326",
        "option does not match the grid",
        "`chosen_by` must name an option whose values are exactly the names of the maps. A grid with one map does not "
        "need `chosen_by`. `corners` and `east_west` must be true, false, or `option.NAME` with a `bool` option.",
        "neighbours: {corners: option.map}",
        "neighbours: {corners: true}",
    ),
    Page(
        "N327",
        "invalid `players:` or `teams:`",
        "In `players:` of the manifest, `count` gives the smallest and the largest number of players. `play` is "
        "`clockwise` or `counterclockwise`, and `from` names a state value of type `player`. In `teams:`, an option "
        "determines when players form teams. The number of players must then be divisible by the size of a team. If a "
        "number is not divisible, the option needs another default for that number.",
        "players: {count: [6, 2]}",
        "players: {count: [2, 6]}",
    ),
    Page(
        "N328",
        "required trait not found",
        "The trait lists another trait under `needs:`, but neither the ruleset nor a mod declares that trait. Load "
        "the mod that declares it. If your trait also works without the other trait, use `knows:` instead.",
        "trait: pirate\nneeds: [swiming]",
        "trait: pirate\nneeds: [swimming]",
    ),
    Page(
        "N329",
        "no card type for a trait's cards",
        "The `cards:` in a trait file are added to the card type that has a column `face: trait` or `faces: set of "
        "trait`. If several card types have such a column, name the card type that you mean. If no card type has one, "
        "declare the column.",
        "cards: [{copies: 4}]",
        "cards: {creature_card: [{copies: 4}]}",
    ),
    Page(
        "N330",
        "key not allowed for a counted list",
        "The length of a list with `count:` can differ from game to game, so its rows have only numbers. Such a list "
        "cannot have named rows or columns, and cannot be a ladder.",
        "place: {count: places, rows: [north]}",
        "place: {count: places}",
    ),
    Page(
        "N331",
        "wrong name in `unused_columns:`",
        "`unused_columns:` names columns in the card files that no rule reads. This column is declared under "
        "`columns:`, or no row has it. Remove the name from `unused_columns:`.",
        "unused_columns: [colour]",
        "unused_columns: [color]",
    ),
    Page(
        "N332",
        "state too large",
        "The state contains one integer for each attribute of each thing, and one for each combination of rows in a "
        "table. A game can have at most a million of these integers. Use fewer kinds in the table, or lower the "
        "number of things of each kind.",
        "tables: {seen: {of: [card, card, card], is: int}}",
        "tables: {seen: {of: [player, card], is: int}}",
    ),
)


# ---- names in rules

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


# ---- all name codes

NAME_PAGES: tuple[Page, ...] = (*DECLARATION_PAGES, *RULE_NAME_PAGES)


# ---- translation catalogues

LANGUAGE_PAGES: tuple[Page, ...] = (
    Page(
        "N400",
        "missing translation",
        "The catalog `lang/CODE.yaml` lacks the translation of a text, so players see that text in English. `rulelang "
        "i18n extract` adds the missing texts to the catalog. Translate the texts there.",
        'texts:\n  "{fish} swims":',
        'texts:\n  "{fish} swims": "{fish} schwimmt"',
    ),
    Page(
        "N401",
        "translation of an unused text",
        "The game does not use this English text, so its translation has no effect. The English text in the catalog "
        "must match exactly, including placeholders. `rulelang i18n extract` moves unused translations to the end of "
        "the catalog.",
        'texts:\n  "{fish} swam": "{fish} schwamm"',
        'texts:\n  "{fish} swims": "{fish} schwamm"',
    ),
    Page(
        "N402",
        "wrong placeholders",
        "rulelang replaces the placeholders in braces with names and numbers. A translation must contain the same "
        "placeholders as the English text, in any order, and no other placeholders. Until you fix the translation, "
        "players see the English text.",
        'texts:\n  "{fish} swims": "{fisch} schwimmt"',
        'texts:\n  "{fish} swims": "{fish} schwimmt"',
    ),
    Page(
        "N403",
        "wrong number of plural forms",
        "`{number:Fisch|Fische}` needs one form of the word for each plural category of the language, in the order "
        "that CLDR defines: zero, one, two, few, many, other. If the word never changes, write one form.",
        'texts:\n  "{number} {number:fish|fishes}": "{number} {number:Fisch|Fische|Fischen}"',
        'texts:\n  "{number} {number:fish|fishes}": "{number} {number:Fisch|Fische}"',
    ),
    Page(
        "N404",
        "outdated translation",
        "The English text has changed since it was translated; `was:` gives the former English text. rulelang does "
        "not use this translation, because it may be wrong now. Correct the translation, and write it after the key "
        "as plain text.",
        'texts:\n  "{fish} swims off":\n    was: "{fish} swims"\n    said: "{fish} schwimmt"',
        'texts:\n  "{fish} swims off": "{fish} schwimmt davon"',
    ),
)
