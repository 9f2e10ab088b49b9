"""Codes of data files: YAML, CSV, schemas, manifests, mods."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "Y101",
        "the file is not readable text",
        "Files must be UTF-8 text. Other encodings, control characters and invisible line breaks are not allowed, "
        "because they would shift the lines and columns in all other messages. Save the file as UTF-8. Delete the "
        "character that the message names.",
        "(a file saved as UTF-16 by a spreadsheet)",
        "(the same file exported as UTF-8)",
    ),
    Page(
        "Y102",
        "malformed YAML",
        "The file is not valid YAML. Common causes are a bracket or quote that is not closed, a line that is not "
        "indented like its neighbors, and a tab in the indentation. Fix it first: rulelang reads nothing after this "
        "place.",
        "lists:\n  part: [head, body",
        "lists:\n  part: [head, body]",
    ),
    Page(
        "Y103",
        "duplicate name",
        "A map has the same key twice, a list has the same row twice, or `files:` lists a file twice. Most YAML "
        "readers silently keep only the last value; rulelang shows both places. Remove or rename one of them.",
        "numbers:\n  eras: 4\n  eras: 6",
        "numbers:\n  eras: 6",
    ),
    Page(
        "Y104",
        "the file is too large",
        "A file exceeds the limit on its size, its nesting or its number of values. The limits keep a hostile file "
        "from filling the memory. An alias counts each time it is used. If you need everything in the file, raise the "
        "limit with the environment variable `RULELANG_MAX_VALUES` (for YAML) or `RULELANG_MAX_CELLS` (for tables).",
        "a: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]     # and so on, twenty times",
        "a: [1, 1]",
    ),
    Page(
        "Y105",
        "unsupported YAML",
        "rulelang reads plain YAML: words, numbers, lists and maps. It does not accept tags, several documents in "
        "one file, or maps and lists as keys. An alias cannot be inside its own anchor, and a number may have at "
        "most 18 digits.",
        "when: !!python/name:os.system ls",
        "when: feeding",
    ),
    Page(
        "Y106",
        "the file does not contain sections",
        "A file listed in `files:` must be a map. It contains either sections, such as `numbers:` and `cards:`, or "
        "one trait, which begins with `trait:`. Put lists of scenarios into the folder `scenarios/`, and do not list "
        "that folder in `files:`.",
        "- head\n- body",
        "lists:\n  part: [head, body]",
    ),
    Page(
        "Y107",
        "the ruleset is too large",
        "A ruleset or mod, as a folder or a zip, may contain at most 20,000 files and 64 MiB. A ruleset with its mods "
        "may have at most 300,000 keys and values in YAML and 500,000 cells in card files. The limits keep a hostile "
        "ruleset from filling the memory. Move files that do not belong to the ruleset elsewhere. If you need "
        "everything, raise the limit with one of the environment variables `RULELANG_MAX_FILES`, `RULELANG_MAX_MIB`, "
        "`RULELANG_MAX_VALUES` and `RULELANG_MAX_CELLS`.",
        "rulelang check downloads/",
        "rulelang check downloads/my_game",
    ),
    Page(
        "Y108",
        "too many mistakes",
        "A check shows at most 1,000 mistakes, errors before warnings. rulelang does not check such files to the end, "
        "so there may be more mistakes than it counted. Fix the first ones and check again. Many mistakes often have "
        "one cause, for example a file that is not what its name says.",
        "game:\n  nothing_is_called_so = 1    # and so on, in 30,000 routines",
        "game:\n  round = 1",
    ),
    Page(
        "Y110",
        "invalid header row in a card file",
        "The first line of a CSV file names the columns. Write each name once and separate the names with commas. The "
        "column with the names of the rows must be called `id`.",
        "ID;size;part",
        "id,size,part",
    ),
    Page(
        "Y111",
        "wrong number of cells in a row",
        "Each row of a CSV file needs as many cells as the first line. Put a cell that contains a comma in double "
        "quotes.",
        "id,text\nwolf,Howls, then bites",
        'id,text\nwolf,"Howls, then bites"',
    ),
    Page(
        "Y112",
        "invalid or duplicate row id",
        "Each row of a CSV file needs a unique name in the column `id`. It begins with a letter and consists of "
        "letters, digits, `_`, `.` and `-`.",
        "id,size\nwolf,3\nwolf,4",
        "id,size\nwolf,3\nshe_wolf,4",
    ),
    Page(
        "Y113",
        "misplaced quote in a card file",
        "A cell that begins with a double quote must end with one. To write a quote inside such a cell, double it: "
        '`""`.',
        'id,text\nwolf,"the "grey" one"',
        'id,text\nwolf,"the ""grey"" one"',
    ),
    Page(
        "Y120",
        "unknown key",
        "rulelang does not know this key. It never ignores one, because a misspelled key could then silently disable a "
        "rule. To add your own keys to trait files, declare them as columns in the section `traits:` of the ruleset.",
        "zones:\n  deck: {holds: card, seen_buy: nobody}",
        "zones:\n  deck: {holds: card, seen_by: nobody}",
    ),
    Page(
        "Y121",
        "value of the wrong kind",
        "This key expects a different kind of value. For example, it expects a number and found text, or it expects a "
        "map and found a list. If the key accepts only certain words, the value must be one of them.",
        "numbers:\n  eras: four",
        "numbers:\n  eras: 4",
    ),
    Page(
        "Y122",
        "missing key",
        "This map lacks a required key. Add the key that the message names.",
        "zones:\n  deck: {seen_by: nobody}",
        "zones:\n  deck: {holds: card, seen_by: nobody}",
    ),
    Page(
        "Y123",
        "rules in folded or escaped text",
        "Write rules in a block that begins with `|`, or on one line without escapes. In other YAML texts the lines "
        "differ from those in the file, so messages could not give the right line and column.",
        "rules: >\n  modify defence(self):\n  + 4",
        "rules: |\n  modify defence(self): + 4",
    ),
    Page(
        "Y130",
        "ruleset or mod not found",
        "Name a ruleset or mod by its id, or by the path of its folder or zip. To find an id, rulelang looks in the "
        "game's folder `mods/`, next to the game, and in a folder `mods/` there. Then it looks among installed "
        "packages (entry points `rulelang.rulesets`) and the games that come with rulelang. In place of a mod you "
        "can give a YAML file that lists mods: `mods: [one, two]`.",
        "rulelang check evolutoin",
        "rulelang check evolution",
    ),
    Page(
        "Y131",
        "invalid manifest",
        "A folder needs exactly one manifest: `ruleset.yaml` for a game or `mod.yaml` for a mod. Each id can be used "
        "only once, and only mods can be applied on top of a ruleset.",
        "my_mod/harbour.yaml",
        "my_mod/mod.yaml\nmy_mod/harbour.yaml",
    ),
    Page(
        "Y132",
        "missing file",
        "The manifest lists a file or folder that does not exist or cannot be read. Correct its name, or remove it "
        "from the list.",
        "files: [component.yaml]",
        "files: [components.yaml]",
    ),
    Page(
        "Y133",
        "path outside the ruleset",
        "A ruleset can read only files in its own folder. Its paths cannot contain `..`, be absolute, or follow a link "
        "that leads out of the folder. Copy the file into the folder.",
        "files: [../other/cards.yaml]",
        "files: [cards.yaml]",
    ),
    Page(
        "Y134",
        "unused file",
        "Nothing reads this file. List it in `files:` of the manifest or of a mode; for a card file, name it in a "
        "`from:`. README, LICENSE, CHANGELOG, hidden files and the folder `scenarios/` need not be listed.",
        "files: [components.yaml]        # and the folder also contains cards.yaml",
        "files: [components.yaml, cards.yaml]",
    ),
    Page(
        "Y135",
        "unsupported language version",
        "`language:` gives the version of the rules language in which the files are written. This rulelang reads only "
        "version 1.",
        "language: 2",
        "language: 1",
    ),
    Page(
        "Y136",
        "invalid version",
        "Write a version like `1.0.0` and a range of versions like `>=1.0, <2`, in quotes.",
        'extends: {evolution: "1.x"}',
        'extends: {evolution: ">=1.0, <2"}',
    ),
    Page(
        "Y137",
        "unmet dependency of a mod",
        "A mod names the ruleset and the mods that it changes in `extends:`. rulelang must find each of them, in a "
        "version within the range, and they must lead to the ruleset that is loaded. It looks among the mods that you "
        "give, near the mod and the game, and among installed and shipped rulesets. A mod in `optional:` may be "
        "missing, but if it is there, its version must be within the range.",
        'extends: {evolutoin: ">=1.0"}',
        'extends: {evolution: ">=1.0"}',
    ),
    Page(
        "Y138",
        "circular dependency",
        "Mods cannot extend or follow each other in a circle. The order that you give (`wet,dry`, or a list in a file) "
        "cannot contradict the order that their manifests require. A manifest cannot list itself.",
        "files: [ruleset.yaml, cards.yaml]",
        "files: [cards.yaml]",
    ),
    Page(
        "Y139",
        "unknown mode",
        "Neither the ruleset nor a mod declares this mode under `modes:`. Use one of the modes that the message lists.",
        "rulelang check darwins_choice --mode kid",
        "rulelang check darwins_choice --mode kids",
    ),
    Page(
        "Y140",
        "duplicate declaration",
        "rulelang merges the files of a ruleset and its mods: maps are united and lists grow. A file cannot give a "
        "second value to something that has one. To change a value of the game, a mod uses `set:`.",
        "numbers:\n  eras: 6            # in a mod; the base says 4",
        "set:\n  numbers.eras: 6",
    ),
    Page(
        "Y141",
        "path not found",
        "A patch changes something that the game or an earlier mod declares, so each part of its path must exist "
        "there. To name a row without an id, use one of its cells, `cards.card.rows[face=horns]`, or its number, "
        "counted from 1. With both, `rows[3, face=horns]`, rulelang reports when a new version of the game has moved "
        "the row. You can also set a declared column that the row leaves empty.",
        "set:\n  numbers.era: 6",
        "set:\n  numbers.eras: 6",
    ),
    Page(
        "Y142",
        "conflicting patches",
        "Two mods change the same value, and nothing says which of them comes last. As an author, write `after:` with "
        "the other mod's id into one manifest, or write a third mod that comes after both and sets the value. As a "
        "player, give the order: `--mod wet,dry`. Within one mod, change each path only once; row numbers refer to "
        "the rows before any change. To replace something that you remove, declare it again.",
        "set: {numbers.eras: 6}           # in two unrelated mods",
        "after: [other_mod]               # in one of the manifests",
    ),
    Page(
        "Y143",
        "duplicate trait",
        "A trait can be declared in only one file. To change an existing trait, a mod uses `set:`, hooks or `replace`.",
        "trait: horns                     # in a mod; the base has it",
        'set:\n  traits.horns.text: "..."',
    ),
    Page(
        "Y145",
        "unsupported file type",
        "`files:` can list `.yaml` and `.rules` files, and the `.csv`, `.tsv` and `.xlsx` files that card types name "
        "in `from:`. Save the file in one of these formats.",
        "files: [cards.ods]",
        "files: [cards.csv]",
    ),
    Page(
        "Y146",
        "row named by its number only",
        "The next version of the game may have its rows in another order, and then this patch would change another "
        "card. Name the row by a cell that no other row has, `[COLUMN=VALUE]`, or by two cells. If there is no such "
        "cell, write the number together with a cell: rulelang then reports when the row has moved.",
        "set:\n  cards.card.rows[3].copies: 4",
        "set:\n  cards.card.rows[face=horns].copies: 4",
    ),
    Page(
        "Y147",
        "patch without effect",
        "This patch changes nothing: the value is already there, or an earlier mod has already removed or disabled "
        "the thing. Perhaps the game has adopted the change. Remove the patch, or check that its path and value are "
        "what you meant.",
        "set:\n  numbers.eras: 6            # the base says 6",
        "set:\n  numbers.eras: 7",
    ),
    Page(
        "Y148",
        "not extendable",
        "`extend:` appends items to a list, rules to the rules of a trait or row, or keys to a map. To replace a "
        "single value, use `set:`.",
        "extend:\n  numbers.eras: [6]",
        "set:\n  numbers.eras: 6",
    ),
    Page(
        "Y149",
        "invalid renaming",
        "`rename:` gives a new name to a trait, row, column, attribute or entry of a section. It can also rename an "
        "action, routine, phase or value that rules declare. It replaces the name everywhere in the game and in "
        "earlier mods. So the old name must have only one meaning, and the new name must not exist yet.",
        "rename:\n  traits.horns: shell          # there is a shell",
        "rename:\n  traits.horns: antlers",
    ),
    Page(
        "Y150",
        "original not found",
        "`like:` names one row or trait to copy, in the same mod, in an earlier one or in the game. Name a trait by "
        "its id, and a row by its name or its cells. The copy keeps the keys that it gives itself.",
        "trait: spikes\nlike: horn",
        "trait: spikes\nlike: horns",
    ),
    Page(
        "Y152",
        "no number to change",
        "`add:` and `multiply:` change an integer, or every integer in a list or map, whichever value earlier mods "
        "gave it: `add: {numbers.eras: 1}`. You can multiply by an integer or by a fraction; rulelang rounds "
        "the result down. To change anything else, use `set:`.",
        "add:\n  lists.part: 1",
        "add:\n  numbers.eras: 1",
    ),
    Page(
        "Y151",
        "invalid path",
        "A path consists of names with dots between them. Put brackets after a name to pick an item of a list by its "
        "text or number, or a row by its cells: `[a]`, `[2]`, `[face=horns]`, `[face=horns, food=3]`. A dot in front "
        "of a cell is an older spelling.",
        "set:\n  cards.card.rows.face=horns.copies: 4",
        "set:\n  cards.card.rows[face=horns].copies: 4",
    ),
    Page(
        "Y153",
        "indented section",
        "`numbers:`, `cards:`, `kinds:`, `zones:` and the other sections must begin at the left edge of the file. "
        "So must `name:`, `text:` and `rules:` in a trait file. An indented key belongs to the key above it.",
        "kinds:\n  snail: {of: player, at_most: 9}\n  zones:\n  deck: {holds: card, seen_by: nobody}",
        "kinds:\n  snail: {of: player, at_most: 9}\nzones:\n  deck: {holds: card, seen_by: nobody}",
    ),
    Page(
        "Y160",
        "incompatible mods",
        "The manifest of one mod lists the other under `conflicts:`, either all versions or a range of them. Leave one "
        "of the two out, or use another version.",
        "rulelang play garden wet drought      # wet says `conflicts: [drought]`",
        "rulelang play garden wet",
    ),
    Page(
        "Y161",
        "the lock does not match",
        "A lock, written by `rulelang mods lock`, records which mods are applied to a game and in which order. It "
        "also records the versions and the exact contents of the mods and the game. If you want the change, write "
        "the lock again. Otherwise restore the locked files. A folder, its zip and a package with the same files "
        "count as equal.",
        "rulelang play garden --locked         # after a file of the mod was changed",
        "rulelang mods lock garden wet\nrulelang play garden --locked",
    ),
    Page(
        "Y162",
        "the patched value has changed",
        "When you wrote the lock, this patch replaced another value. Since then the game, or an earlier mod, has "
        "changed that value, so the patch may no longer do what you meant. Check it, correct it if necessary, and "
        "write the lock again.",
        "set: {numbers.limit: 4}          # the limit was 3, and is 6 in the game's new version",
        "set: {numbers.limit: 7}",
    ),
    Page(
        "Y163",
        "picture not found",
        "`picture:` gives the path of an SVG or PNG file, relative to the folder of the ruleset or of one of its mods. "
        "The file may have at most half a megabyte. Graphical screens show the picture on the cards of that trait or "
        "row.",
        "look:\n  trait: {rows: {horns: {picture: horn.svg}}}            # the file is in pictures/",
        "look:\n  trait: {rows: {horns: {picture: pictures/horn.svg}}}",
    ),
    Page(
        "Y186",
        "file both optional and always read",
        "A file under `optional:` is read only together with the mod that is named there. If `files:` lists it too, "
        "it is always read. For example, with `optional: {snow: {version: any, files: [snowy.rules]}}`, leave "
        "`snowy.rules` out of `files:`.",
        "optional: {snow: {version: any, files: [snowy.rules]}}\nfiles: [rain.rules, snowy.rules]",
        "optional: {snow: {version: any, files: [snowy.rules]}}\nfiles: [rain.rules]",
    ),
)
