"""Codes of declarations in data files (N300 to N349)."""

from __future__ import annotations

from rulelang.base.codes.page import Page

DECLARATION_PAGES: tuple[Page, ...] = (
    Page(
        "N300",
        "duplicate name",
        "Two things have the same name, for example a list and a zone, or a number and a state value. Rules refer "
        "to them by name alone, so each name must be unique. Rename one of the two; the message shows both places.",
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
        "A name consists of letters, digits and `_` and begins with a letter, so that rules can use it. Each row of "
        "a list also needs a name.",
        "lists: {size: [extra-large]}",
        "lists: {size: [extra_large]}",
    ),
    Page(
        "N303",
        "unknown kind or zone",
        "The ruleset has no such kind, list, card type or zone, or it does not fit here. A zone `holds` a card "
        "type. Things are `of: player` and `in:` a list of places. `refilled_from` names a zone.",
        "zones: {hand: {of: playr, holds: card}}",
        "zones: {hand: {of: player, holds: card}}",
    ),
    Page(
        "N304",
        "value of the wrong type",
        "The value does not fit its declaration. For example, it is text and a whole number is expected, or it is a "
        "list and a single value is expected. You can translate the words of a spreadsheet into values with "
        "`cells:`.",
        "numbers: {eras: four}",
        "numbers: {eras: 4}",
    ),
    Page(
        "N305",
        "unknown row or value",
        "The expected list has no row of this name, or the word is not one of the allowed values. Several lists may "
        "have a row of the same name. rulelang looks only in the list with which the column or attribute is "
        "declared.",
        "lists: {size: [small, large]}\ncards: {card: {columns: {size: size}, rows: {wolf: {size: smal}}}}",
        "lists: {size: [small, large]}\ncards: {card: {columns: {size: size}, rows: {wolf: {size: small}}}}",
    ),
    Page(
        "N306",
        "invalid type",
        "A type is `int`, `number` (an int of at least 0), `bool`, a range such as `0..6`, `player` or `trait`. It "
        "can also be the name of a list, ladder, grid, card type or kind. You can put `maybe` before a kind or "
        "number. Columns can also be `set of LIST` and `condition on LIST`. Rules compute an `order` but cannot "
        "store it. An option has `values:`, is a `bool`, or has a range with both ends.",
        "state: {era: integer}",
        "state: {era: int}",
    ),
    Page(
        "N307",
        "empty range",
        "A range goes from the lower number to the higher one. Swap the two numbers.",
        "state: {die: 6..0}",
        "state: {die: 0..6}",
    ),
    Page(
        "N308",
        "no owner",
        "`seen_by: owner` needs an owner. A value of the whole game, a row of a list and a zone of the whole game "
        "belong to nobody. Write `nobody` or `everyone`.",
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
        "This value depends on the number of players, and it is not given for each number that the game allows. Add "
        "the missing one.",
        "players: {count: [2, 4]}\nnumbers: {places: {2: 3, 4: 5}}",
        "players: {count: [2, 4]}\nnumbers: {places: {2: 3, 3-4: 5}}",
    ),
    Page(
        "N311",
        "invalid number of players",
        "A value that depends on the number of players has a bad key. The key is not a number of players, is "
        "outside the game's range, or repeats a number that another key contains.",
        "players: {count: [2, 4]}\nnumbers: {places: {2-3: 3, 3-4: 5}}",
        "players: {count: [2, 4]}\nnumbers: {places: {2-3: 3, 4: 5}}",
    ),
    Page(
        "N312",
        "empty declaration",
        "Nothing can use a list without rows, an option without values, a card type without cards, or a grid "
        "without maps. Add the missing entries or remove the declaration.",
        "lists: {part: []}",
        "lists: {part: [head, body]}",
    ),
    Page(
        "N313",
        "malformed condition",
        "A cell of a `condition on LIST` column contains terms separated by `;`. A term consists of one or more "
        "rows joined by `+`, a comparison (`= != < <= > >=`) and a whole number. An empty cell is always true. "
        "Nothing else is allowed in a condition.",
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
        "A printed value, start, default or number of copies is outside the range of its declaration. A value "
        "without `start:` begins at 0, so 0 must be in its range. Change the value, or widen the range.",
        "state: {level: {is: 1..4, start: 5}}",
        "state: {level: {is: 1..4, start: 4}}",
    ),
    Page(
        "N316",
        "column already filled by `for_each`",
        "`for_each` repeats each row and fills this column each time, so a row cannot give the column a value. "
        "Remove it from the row.",
        "for_each: {set: 1..2}\nrows: [{face: horns, set: 1}]",
        "for_each: {set: 1..2}\nrows: [{face: horns}]",
    ),
    Page(
        "N317",
        "type not allowed here",
        "The type is valid but does not fit this declaration. Sets and conditions are printed and cannot change in "
        "play. Things that are created in play cannot be printed. Tables hold numbers, and you can clamp only "
        "numbers. `face` must be a `trait`. Keys that belong to other declarations are not allowed either, such as "
        "`of:` for an attribute or `start:` for a table.",
        "state: {seen: set of trait}",
        "cards: {card: {columns: {faces: set of trait}}}",
    ),
    Page(
        "N318",
        "missing value",
        "A required value is missing, and rulelang does not guess it. A column needs a value in each row unless it "
        "is a `bool`, a `maybe` or a set, or has a `default:`. A CSV file needs all columns, and its column "
        "`copies` needs a number in each row. A zone needs `holds:`, and a kind needs `of:` and `at_most:`.",
        "kinds: {species: {of: player}}",
        "kinds: {species: {of: player, at_most: 20}}",
    ),
    Page(
        "N319",
        "undeclared column",
        "A row or file has a value for a column that is not declared. Declare the column under `columns:` (for "
        "traits, under `traits:`). If rules do not need the column, name it in `unused_columns:`.",
        "cards: {card: {columns: {food: int}, rows: [{fod: 3}]}}",
        "cards: {card: {columns: {food: int}, rows: [{food: 3}]}}",
    ),
    Page(
        "N320",
        "wrong number of values",
        "A column `by: copy` needs one value for each copy of the card. A column by a list or range needs one value "
        "for each row or number. If you give both `copies` and the values, they must agree; you can leave one of "
        "them out.",
        "columns: {food: {is: int, by: copy}}\nrows: [{copies: 3, food: [1, 2]}]",
        "columns: {food: {is: int, by: copy}}\nrows: [{food: [1, 2, 2]}]",
    ),
    Page(
        "N321",
        "duplicate member",
        "Two columns, attributes, slots or zones of the same kind have the same name, and rules would read both as "
        "`x.NAME`. One of them may come from the state of a trait or from a mod. Rename one of them.",
        "kinds: {player: {attributes: {traits: int}}}\nzones: {traits: {of: player, holds: card}}",
        "kinds: {player: {attributes: {points: int}}}\nzones: {traits: {of: player, holds: card}}",
    ),
    Page(
        "N322",
        "contradictory zone",
        "A `playable` zone must also be `in_force`, because the actions of a card are rules. `refilled_from` and "
        "`played_to` name a different zone that holds the same card type. That zone belongs to the whole game or to "
        "the same kind of thing.",
        "zones: {deck: {holds: card, refilled_from: deck}}",
        "zones: {deck: {holds: card, refilled_from: discard}, discard: {holds: card}}",
    ),
    Page(
        "N323",
        "key not allowed for `player`",
        "`player` under `kinds:` can have only attributes, because players are not created in play. Give the number "
        "of players in the manifest, under `players:`.",
        "kinds: {player: {at_most: 6}}",
        "kinds: {player: {attributes: {points: int}}}",
    ),
    Page(
        "N324",
        "maps of different shapes",
        "All maps of a grid need the same number of rows. Each row needs the same number of spaces, or one value "
        "for the whole row. At least one column must give each space its own value. All maps of a grid together may "
        "have at most 20,000 spaces. To raise this limit, set the environment variable `RULELANG_MAX_SPACES`.",
        "ground:\n  - L W W\n  - L W",
        "ground:\n  - L W W\n  - L W L",
    ),
    Page(
        "N325",
        "unknown letter on a map",
        "A letter on a map must be in the `legend:` or be the name of a row of the column's list.",
        "legend: {L: land}\nmaps: {isle: {ground: [L L, L X]}}",
        "legend: {L: land, X: sea}\nmaps: {isle: {ground: [L L, L X]}}",
    ),
    Page(
        "N326",
        "options do not match the grid",
        "`chosen_by` names an option whose values are exactly the names of the maps. A grid with one map does not "
        "need it. `corners` and `east_west` are true, false, or `option.NAME` with a `bool` option.",
        "neighbours: {corners: option.map}",
        "neighbours: {corners: true}",
    ),
    Page(
        "N327",
        "invalid `players:` or `teams:`",
        "In `players:` of the manifest, `count` gives the smallest and the largest number of players. `play` is "
        "`clockwise` or `counterclockwise`, and `from` names a state value of type `player`. In `teams:`, an option "
        "says when teams are played. The number of players must be divisible by the size of a team. If some numbers "
        "are not, the option needs another default for them.",
        "players: {count: [6, 2]}",
        "players: {count: [2, 6]}",
    ),
    Page(
        "N328",
        "required trait not found",
        "The trait lists another one under `needs:`, and neither the ruleset nor a mod declares it. Load the mod "
        "that adds it. If the trait also works without it, use `knows:` instead.",
        "trait: pirate\nneeds: [swiming]",
        "trait: pirate\nneeds: [swimming]",
    ),
    Page(
        "N329",
        "no card type for a trait's cards",
        "The `cards:` in a trait file are added to the card type that has a column `face: trait` or `faces: set of "
        "trait`. If several card types have such a column, name the one that you mean. If none has, declare it.",
        "cards: [{copies: 4}]",
        "cards: {creature_card: [{copies: 4}]}",
    ),
    Page(
        "N330",
        "key not allowed for a counted list",
        "The length of a list with `count:` depends on the table, so its rows have numbers only. It cannot have "
        "named rows or columns, and cannot be a ladder.",
        "place: {count: places, rows: [north]}",
        "place: {count: places}",
    ),
    Page(
        "N331",
        "wrong name in `unused_columns:`",
        "`unused_columns:` names columns of the card files that no rule reads. This column is declared under "
        "`columns:`, or no row has it. Remove it from `unused_columns:`.",
        "unused_columns: [colour]",
        "unused_columns: [color]",
    ),
    Page(
        "N332",
        "state too large",
        "The state has one integer for each attribute of each thing, and one for each combination of rows in a "
        "table. A game may have at most a million of them. Use fewer kinds in the table, or lower their numbers.",
        "tables: {seen: {of: [card, card, card], is: int}}",
        "tables: {seen: {of: [player, card], is: int}}",
    ),
)
