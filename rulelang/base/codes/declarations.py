"""Codes of declarations (N300 to N349): what the data files of a ruleset say of its things."""

from __future__ import annotations

from rulelang.base.codes.page import Page

DECLARATION_PAGES: tuple[Page, ...] = (
    Page(
        "N300",
        "a name is taken",
        "Two things have one name: a list and a zone, a number and a state value, two slots. Rules tell "
        "them apart by their names alone. Rename one of the two; the other place is named in the message.",
        "lists: {deck: [upper, lower]}\nzones: {deck: {holds: card}}",
        "lists: {half: [upper, lower]}\nzones: {deck: {holds: card}}",
    ),
    Page(
        "N301",
        "a built-in name",
        "The name means something already, everywhere (`players`, `round`, `box`, `owner`, ...) or for this "
        "kind of thing (`.owner` of a creature, `.face` of a card, `.place` of what stands `in: place`). "
        "Take another name.",
        "state: {round: int}",
        "state: {day: int}",
    ),
    Page(
        "N302",
        "not a name",
        "Rules call things by names of letters, digits and `_` that do not begin with a digit, so other "
        "names could never be used. A row of a list needs a name too.",
        "lists: {size: [extra-large]}",
        "lists: {size: [extra_large]}",
    ),
    Page(
        "N303",
        "no such kind or zone",
        "What is written here is no kind, list, sort of cards or zone of this ruleset, or not one that "
        "fits: a zone `holds` a sort of cards, things are `of: player` and `in:` a list of places, "
        "`refilled_from` names a zone.",
        "zones: {hand: {of: playr, holds: card}}",
        "zones: {hand: {of: player, holds: card}}",
    ),
    Page(
        "N304",
        "a value of the wrong form",
        "A value is written in another form than its declaration asks for: a text where a whole number is "
        "expected, a list where one value is. Words of a spreadsheet can be translated with `cells:`.",
        "numbers: {eras: four}",
        "numbers: {eras: 4}",
    ),
    Page(
        "N305",
        "no such row or value",
        "The word names no row of the list that is expected here, or none of the few words that are "
        "possible. The same word may be a row of several lists; what counts is the list that the column or "
        "attribute is declared with.",
        "lists: {size: [small, large]}\ncards: {card: {columns: {size: size}, rows: {wolf: {size: smal}}}}",
        "lists: {size: [small, large]}\ncards: {card: {columns: {size: size}, rows: {wolf: {size: small}}}}",
    ),
    Page(
        "N306",
        "not a type",
        "Types of data are `int`, `number` (an int from 0 up), `bool`, a range like `0..6`, the name of a "
        "list, ladder, grid, sort of cards, kind, `player` or `trait`, `maybe` before a kind or number, "
        "`set of LIST` and `condition on LIST`. An `order` is computed by rules and never kept; an option "
        "is a menu, so it has values, is a bool or has a range with both ends.",
        "state: {era: integer}",
        "state: {era: int}",
    ),
    Page(
        "N307",
        "an empty range",
        "A range goes from the lower number to the higher.",
        "state: {die: 6..0}",
        "state: {die: 0..6}",
    ),
    Page(
        "N308",
        "no owner",
        "`seen_by: owner` is said of something that belongs to no player: a value of the game, a row of a "
        "list, a zone of the whole game.",
        "zones: {deck: {holds: card, seen_by: owner}}",
        "zones: {deck: {holds: card, seen_by: nobody}}",
    ),
    Page(
        "N309",
        "no such number",
        "Where a whole number is expected, the name of a `numbers:` entry that is one number (not a row of "
        "them) may stand, or `option.NAME` of an option with a range.",
        "numbers: {boards: 24}\nkinds: {species: {of: player, at_most: bords}}",
        "numbers: {boards: 24}\nkinds: {species: {of: player, at_most: boards}}",
    ),
    Page(
        "N310",
        "a number of players without a value",
        "A value is given by number of players, and one of those that may play is missing.",
        "players: {count: [2, 4]}\nnumbers: {places: {2: 3, 4: 5}}",
        "players: {count: [2, 4]}\nnumbers: {places: {2: 3, 3-4: 5}}",
    ),
    Page(
        "N311",
        "a wrong number of players",
        "A key of a value by players is no number of players, is outside the numbers that the game is for, "
        "or gives the same number a second value.",
        "players: {count: [2, 4]}\nnumbers: {places: {2-3: 3, 3-4: 5}}",
        "players: {count: [2, 4]}\nnumbers: {places: {2-3: 3, 4: 5}}",
    ),
    Page(
        "N312",
        "nothing in it",
        "A list without rows, an option without values, a sort without cards or a grid without maps can "
        "never be used. Either something is missing, or the declaration can go.",
        "lists: {part: []}",
        "lists: {part: [head, body]}",
    ),
    Page(
        "N313",
        "malformed condition",
        "A cell of a `condition on LIST` column holds terms joined by `;`. Each is a sum of rows (joined by "
        "`+`), a comparison (`= != < <= > >=`) and a whole number. An empty cell always holds. Conditions "
        "are tables, not code: nothing else can be written in them.",
        "requirement: climb+fly>one",
        "requirement: climb+fly>=1; cold=0",
    ),
    Page(
        "N314",
        "the same row twice",
        "A name stands twice in a set or in the values of an option or column.",
        "lists: {measure: [fly, swim]}\ncards: {card: {columns: {adapt: set of measure}, rows: [{adapt: fly+fly}]}}",
        "lists: {measure: [fly, swim]}\ncards: {card: {columns: {adapt: set of measure}, rows: [{adapt: fly+swim}]}}",
    ),
    Page(
        "N315",
        "out of range",
        "A printed value, a start, a default or a number of copies lies outside the range that its "
        "declaration gives. A value that says no start begins at 0, which must then be in its range too.",
        "state: {level: {is: 1..4, start: 5}}",
        "state: {level: {is: 1..4, start: 4}}",
    ),
    Page(
        "N316",
        "a column given twice",
        "`for_each` repeats every row of the sort and fills this column each time, so a row cannot give it itself.",
        "for_each: {set: 1..2}\nrows: [{face: horns, set: 1}]",
        "for_each: {set: 1..2}\nrows: [{face: horns}]",
    ),
    Page(
        "N317",
        "a type that cannot stand here",
        "The type is good, and not here: sets and conditions are printed and cannot change in play; things "
        "made in play cannot be printed; tables hold numbers; only numbers can be clamped; `face` is a "
        "`trait`. The same goes for words that fit other declarations (`of:` in an attribute, `start:` of a "
        "table).",
        "state: {seen: set of trait}",
        "cards: {card: {columns: {faces: set of trait}}}",
    ),
    Page(
        "N318",
        "a value is missing",
        "Something that cannot be guessed is left out: a cell of a column that is neither a bool, "
        "a `maybe` nor a set and has no `default:`; a column of a CSV file, or a cell of its "
        "column `copies`; `holds` of a zone, `of` or `at_most` of a kind.",
        "kinds: {species: {of: player}}",
        "kinds: {species: {of: player, at_most: 20}}",
    ),
    Page(
        "N319",
        "no such column",
        "A row or file gives a value for which nothing declares a column. Declare it under `columns:` (for "
        "traits: under `traits:`), or name it in `unused_columns:` if rules do not need it.",
        "cards: {card: {columns: {food: int}, rows: [{fod: 3}]}}",
        "cards: {card: {columns: {food: int}, rows: [{food: 3}]}}",
    ),
    Page(
        "N320",
        "a wrong number of values",
        "A column `by: copy` has one value for each copy of the card, a column by a list or range one for "
        "each of its rows. `copies` and the values must agree; either can be left out.",
        "columns: {food: {is: int, by: copy}}\nrows: [{copies: 3, food: [1, 2]}]",
        "columns: {food: {is: int, by: copy}}\nrows: [{food: [1, 2, 2]}]",
    ),
    Page(
        "N321",
        "two members of one name",
        "Two columns, attributes, slots or zones of one kind have the same name, and rules read both as "
        "`x.NAME`. One of them may come from the state of a trait or from a mod.",
        "kinds: {player: {attributes: {traits: int}}}\nzones: {traits: {of: player, holds: card}}",
        "kinds: {player: {attributes: {points: int}}}\nzones: {traits: {of: player, holds: card}}",
    ),
    Page(
        "N322",
        "a zone contradicts itself",
        "Cards are played from a zone that is `playable` and `in_force` only; `refilled_from` and "
        "`played_to` name another zone for the same sort of cards, one for the whole game or for the same "
        "kind.",
        "zones: {deck: {holds: card, refilled_from: deck}}",
        "zones: {deck: {holds: card, refilled_from: discard}, discard: {holds: card}}",
    ),
    Page(
        "N323",
        "players are not made in play",
        "`player` under `kinds:` takes attributes only. How many players there are stands in the manifest.",
        "kinds: {player: {at_most: 6}}",
        "kinds: {player: {attributes: {points: int}}}",
    ),
    Page(
        "N324",
        "a map of the wrong shape",
        "All maps of a grid have the same number of rows, and every row the same number of spaces, or one "
        "value for the whole row. At least one column is drawn space by space. All maps of a grid together have at "
        "most 20,000 spaces; the environment variable `RULELANG_MAX_SPACES` allows more.",
        "ground:\n  - L W W\n  - L W",
        "ground:\n  - L W W\n  - L W L",
    ),
    Page(
        "N325",
        "a letter that means nothing",
        "A letter of a map stands neither in the `legend:` nor is it a row of the column's list.",
        "legend: {L: land}\nmaps: {isle: {ground: [L L, L X]}}",
        "legend: {L: land, X: sea}\nmaps: {isle: {ground: [L L, L X]}}",
    ),
    Page(
        "N326",
        "a grid and its options disagree",
        "`chosen_by` names an option whose values are the names of the maps, all of them; with one map it "
        "can be left out. `corners` and `east_west` are true, false, or `option.NAME` of a bool option.",
        "neighbours: {corners: option.map}",
        "neighbours: {corners: true}",
    ),
    Page(
        "N327",
        "the table in the manifest",
        "`players:` and `teams:` of the manifest: `count` is the fewest and the most players, `play` "
        "clockwise or counterclockwise, `from` a state value of type `player`; teams are played when an "
        "option says so, and divide the players evenly; where they cannot be formed the option's default is another "
        "value.",
        "players: {count: [6, 2]}",
        "players: {count: [2, 6]}",
    ),
    Page(
        "N328",
        "a needed trait is absent",
        "A trait says under `needs:` that it works only beside another, and no file brings that one. If its "
        "rules also make sense without it, say `knows:`.",
        "trait: pirate\nneeds: [swiming]",
        "trait: pirate\nneeds: [swimming]",
    ),
    Page(
        "N329",
        "no place for a trait's cards",
        "The `cards:` of a trait file join the sort of cards that has a column `face: trait` or `faces: set "
        "of trait`. There is none, or several; then say which.",
        "cards: [{copies: 4}]",
        "cards: {creature_card: [{copies: 4}]}",
    ),
    Page(
        "N330",
        "a counted list",
        "The rows of a list with `count:` are only numbered, because their number depends on the table: it "
        "has no named rows, no columns, and is no ladder.",
        "place: {count: places, rows: [north]}",
        "place: {count: places}",
    ),
    Page(
        "N331",
        "an unused column that is not there",
        "`unused_columns:` names columns of the sort's files that no rule reads. This one is declared under "
        "`columns:`, or no row has it.",
        "unused_columns: [colour]",
        "unused_columns: [color]",
    ),
    Page(
        "N332",
        "a state that is too large",
        "Every attribute has a word for each thing, every table one for each combination of rows. All words together "
        "may be a million; this takes more. Keep the table over fewer kinds, or lower their numbers.",
        "tables: {seen: {of: [card, card, card], is: int}}",
        "tables: {seen: {of: [player, card], is: int}}",
    ),
)
