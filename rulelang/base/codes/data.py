"""Manual pages of codes for data files (Y1xx): files, YAML, schemas, manifests, mods and card tables."""

from __future__ import annotations

from rulelang.base.diagnostics import Page

# ---- files, YAML, schemas and mods

DATA_PAGES: tuple[Page, ...] = (
    Page(
        "Y101",
        "unreadable text file",
        "Files must be UTF-8 text. Other encodings, control characters and invisible line breaks are not allowed, "
        "because they would make the line and column numbers in all other messages wrong. Save the file as UTF-8. If "
        "the message names a character, delete that character.",
        "(a file saved as UTF-16 by a spreadsheet)",
        "(the same file exported as UTF-8)",
    ),
    Page(
        "Y102",
        "malformed YAML",
        "The file is not valid YAML. Common causes are an unclosed bracket or quote, a line that is indented "
        "differently from its neighbors, and a tab in the indentation. Fix this error first, because rulelang reads "
        "nothing after this place.",
        "lists:\n  part: [head, body",
        "lists:\n  part: [head, body]",
    ),
    Page(
        "Y103",
        "duplicate name",
        "A map contains the same key twice, a list contains the same row twice, or `files:` lists the same file "
        "twice. Most YAML readers silently keep only the last value. rulelang shows both places. Remove or rename one "
        "of the two.",
        "numbers:\n  eras: 4\n  eras: 6",
        "numbers:\n  eras: 6",
    ),
    Page(
        "Y104",
        "file too large",
        "The file exceeds a limit on its size, its nesting or its number of values. These limits keep a malicious "
        "file from exhausting memory. An alias counts each time it is used. If you need everything in the file, set "
        "the environment variable `RULELANG_MAX_VALUES` (for YAML) or `RULELANG_MAX_CELLS` (for tables) to a higher "
        "limit.",
        "a: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]     # and so on, twenty times",
        "a: [1, 1]",
    ),
    Page(
        "Y105",
        "unsupported YAML",
        "rulelang reads plain YAML: text, numbers, lists and maps. It does not accept tags, several documents in one "
        "file, or maps and lists as keys. An alias cannot be used inside its own anchor, and a number can have at "
        "most 18 digits.",
        "when: !!python/name:os.system ls",
        "when: feeding",
    ),
    Page(
        "Y106",
        "file without sections",
        "A file listed in `files:` must be a map. It contains either sections, such as `numbers:` and `cards:`, or "
        "one trait, which begins with `trait:`. Put lists of scenarios in the `scenarios/` folder, and do not list "
        "that folder in `files:`.",
        "- head\n- body",
        "lists:\n  part: [head, body]",
    ),
    Page(
        "Y107",
        "ruleset too large",
        "A ruleset or mod, whether it is a folder or a zip file, can contain at most 20,000 files and 64 MiB. A "
        "ruleset and its mods together can have at most 300,000 keys and values in YAML, and 500,000 cells in card "
        "files. These limits keep a malicious ruleset from exhausting memory. If some files do not belong to the "
        "ruleset, move them to another folder. If you need all the files, set the environment variable "
        "`RULELANG_MAX_FILES`, `RULELANG_MAX_MIB`, `RULELANG_MAX_VALUES` or `RULELANG_MAX_CELLS` to a higher limit.",
        "rulelang check downloads/",
        "rulelang check downloads/my_game",
    ),
    Page(
        "Y108",
        "too many errors",
        "A check shows at most 1,000 errors and warnings, errors first. rulelang does not check such files to the "
        "end, so there may be more errors than it counted. Fix the first ones and check again. Many errors often have "
        "a single cause, for example a file whose contents do not match its name.",
        "game:\n  nothing_is_called_so = 1    # and so on, in 30,000 routines",
        "game:\n  round = 1",
    ),
    Page(
        "Y110",
        "invalid header row in a card file",
        "The first line of a CSV file names the columns. Write each name once, and separate the names with commas. "
        "The column with the row names must be called `id`.",
        "ID;size;part",
        "id,size,part",
    ),
    Page(
        "Y111",
        "wrong number of cells in a row",
        "Each row of a CSV file must have as many cells as the first line. If a cell contains a comma, put the cell "
        "in double quotes.",
        "id,text\nwolf,Howls, then bites",
        'id,text\nwolf,"Howls, then bites"',
    ),
    Page(
        "Y112",
        "invalid or duplicate row id",
        "Each row of a CSV file needs a unique name in the `id` column. The name must begin with a letter, and can "
        "contain only letters, digits, `_`, `.` and `-`.",
        "id,size\nwolf,3\nwolf,4",
        "id,size\nwolf,3\nshe_wolf,4",
    ),
    Page(
        "Y113",
        "misplaced quote in a card file",
        "If a cell begins with a double quote, it must also end with one. To write a quote inside such a cell, double "
        'the quote: `""`.',
        'id,text\nwolf,"the "grey" one"',
        'id,text\nwolf,"the ""grey"" one"',
    ),
    Page(
        "Y120",
        "unknown key",
        "rulelang does not know this key. It never ignores an unknown key, because a misspelled key could then "
        "silently disable a rule. To use your own keys in trait files, declare them as columns in the `traits:` "
        "section of the ruleset.",
        "zones:\n  deck: {holds: card, seen_buy: nobody}",
        "zones:\n  deck: {holds: card, seen_by: nobody}",
    ),
    Page(
        "Y121",
        "wrong kind of value",
        "This key expects a different kind of value. For example, the key expects a number but its value is text, or "
        "it expects a map but its value is a list. If the key accepts only certain words, use one of those words.",
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
        "Write rules in a block that begins with `|`, or on one line without escapes. In other YAML string styles, "
        "line numbers differ from those in the file, so messages could not give the right line and column.",
        "rules: >\n  modify defence(self):\n  + 4",
        "rules: |\n  modify defence(self): + 4",
    ),
    Page(
        "Y130",
        "ruleset or mod not found",
        "Name a ruleset or mod by its id, or by the path of its folder or zip file. To find an id, rulelang looks in "
        "the game's `mods/` folder, next to the game, and in a `mods/` folder there. Then it looks among installed "
        "packages (entry points `rulelang.rulesets`) and the games that come with rulelang. Instead of a mod, you can "
        "name a YAML file that lists mods: `mods: [one, two]`.",
        "rulelang check evolutoin",
        "rulelang check evolution",
    ),
    Page(
        "Y131",
        "invalid manifest",
        "A folder must contain exactly one manifest: `ruleset.yaml` for a game or `mod.yaml` for a mod. Each id can "
        "be used only once, and only mods can be applied on top of a ruleset.",
        "my_mod/harbour.yaml",
        "my_mod/mod.yaml\nmy_mod/harbour.yaml",
    ),
    Page(
        "Y132",
        "missing file",
        "The manifest lists a file or folder that does not exist or cannot be read. Correct the name, or remove it "
        "from the list.",
        "files: [component.yaml]",
        "files: [components.yaml]",
    ),
    Page(
        "Y133",
        "path outside the ruleset",
        "A ruleset can read only files in its own folder. A path cannot contain `..`, be absolute, or follow a link "
        "out of the folder. Copy the file into the folder.",
        "files: [../other/cards.yaml]",
        "files: [cards.yaml]",
    ),
    Page(
        "Y134",
        "unused file",
        "Nothing reads this file. List the file in `files:` of the manifest or of a mode. If it is a card file, name "
        "it in `from:` of a card type. You don't need to list README, LICENSE, CHANGELOG, hidden files or the "
        "`scenarios/` folder.",
        "files: [components.yaml]        # and the folder also contains cards.yaml",
        "files: [components.yaml, cards.yaml]",
    ),
    Page(
        "Y135",
        "unsupported language version",
        "`language:` gives the version of the rules language that the files use. This version of rulelang supports "
        "only version 1 of the language.",
        "language: 2",
        "language: 1",
    ),
    Page(
        "Y136",
        "invalid version",
        "Write a version like `1.0.0`, and a version range like `>=1.0, <2`. Put a range in quotes.",
        'extends: {evolution: "1.x"}',
        'extends: {evolution: ">=1.0, <2"}',
    ),
    Page(
        "Y137",
        "unmet dependency of a mod",
        "In `extends:`, a mod names the ruleset and the mods that it changes. rulelang must find each of them in a "
        "version within the range, and they must lead to the loaded ruleset. rulelang looks among the mods that you "
        "name, near the mod and the game, and among the rulesets that are installed or come with rulelang. A mod in "
        "`optional:` can be missing, but if it is present, its version must be within the range.",
        'extends: {evolutoin: ">=1.0"}',
        'extends: {evolution: ">=1.0"}',
    ),
    Page(
        "Y138",
        "circular dependency",
        "Mods cannot extend or follow each other in a cycle. The order that you give (`wet,dry`, or a list in a file) "
        "cannot contradict the order that the manifests require. A manifest cannot list itself.",
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
        "rulelang merges the files of a ruleset and its mods: it combines maps and appends to lists. A file cannot "
        "give a second value to a key that already has a value. To change a value of the game, use `set:` in a mod.",
        "numbers:\n  eras: 6            # in a mod; the base says 4",
        "set:\n  numbers.eras: 6",
    ),
    Page(
        "Y141",
        "path not found",
        "A patch can change only what the game or an earlier mod declares, so each part of its path must exist there. "
        "To identify a row without an id, use one of its cells, `cards.card.rows[face=horns]`, or its number, counted "
        "from 1. If you give both, `rows[3, face=horns]`, rulelang reports when a new version of the game has moved "
        "the row. You can also set a declared column that is empty in the row.",
        "set:\n  numbers.era: 6",
        "set:\n  numbers.eras: 6",
    ),
    Page(
        "Y142",
        "conflicting patches",
        "Two mods change the same value, and nothing determines which mod comes last. If you write mods, add `after:` "
        "with the other mod's id to one of the manifests, or write a third mod that comes after both and sets the "
        "value. If you play, give the order: `--mod wet,dry`. Within one mod, change each path only once; row numbers "
        "refer to the rows before any change. To replace something that you remove, declare it again.",
        "set: {numbers.eras: 6}           # in two unrelated mods",
        "after: [other_mod]               # in one of the manifests",
    ),
    Page(
        "Y143",
        "duplicate trait",
        "A trait can be declared in only one file. To change an existing trait in a mod, use `set:`, hooks or "
        "`replace`.",
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
        "row identified only by its number",
        "In the next version of the game, the rows may be in a different order, and this patch would then change "
        "another card. Identify the row by a cell that no other row has, `[COLUMN=VALUE]`, or by two cells. If there "
        "is no such cell, give the number together with a cell: rulelang then reports when the row has moved.",
        "set:\n  cards.card.rows[3].copies: 4",
        "set:\n  cards.card.rows[face=horns].copies: 4",
    ),
    Page(
        "Y147",
        "patch without effect",
        "This patch changes nothing: the path already has this value, or an earlier mod has already removed or "
        "disabled the thing. Perhaps the game has adopted the change. Remove the patch, or check that its path and "
        "value are what you meant.",
        "set:\n  numbers.eras: 6            # the base says 6",
        "set:\n  numbers.eras: 7",
    ),
    Page(
        "Y148",
        "value cannot be extended",
        "`extend:` appends items to a list, rules to the rules of a trait or row, or keys to a map. To replace a "
        "single value, use `set:`.",
        "extend:\n  numbers.eras: [6]",
        "set:\n  numbers.eras: 6",
    ),
    Page(
        "Y149",
        "invalid `rename:`",
        "`rename:` gives a new name to a trait, row, column, attribute or entry of a section. It can also rename an "
        "action, routine, phase or value that rules declare. It replaces the name everywhere in the game and in "
        "earlier mods, so the old name must have only one meaning, and the new name must not exist yet.",
        "rename:\n  traits.horns: shell          # there is a shell",
        "rename:\n  traits.horns: antlers",
    ),
    Page(
        "Y150",
        "original not found",
        "`like:` identifies one row or trait to copy, in the same mod, in an earlier mod or in the game. Identify a "
        "trait by its id, and a row by its name or by cell values. If you write a key in the copy, the copy uses your "
        "value for that key.",
        "trait: spikes\nlike: horn",
        "trait: spikes\nlike: horns",
    ),
    Page(
        "Y152",
        "no number to change",
        "`add:` and `multiply:` change an integer, or every integer in a list or map, after any change by earlier "
        "mods: `add: {numbers.eras: 1}`. You can multiply by an integer or by a fraction; rulelang rounds the "
        "result down. To change anything else, use `set:`.",
        "add:\n  lists.part: 1",
        "add:\n  numbers.eras: 1",
    ),
    Page(
        "Y151",
        "invalid path",
        "A path consists of names separated by dots. Brackets after a name select a list item by its text or number, "
        "or a row by its cells: `[a]`, `[2]`, `[face=horns]`, `[face=horns, food=3]`. A dot before a cell is an older "
        "spelling.",
        "set:\n  cards.card.rows.face=horns.copies: 4",
        "set:\n  cards.card.rows[face=horns].copies: 4",
    ),
    Page(
        "Y153",
        "indented section",
        "`numbers:`, `cards:`, `kinds:`, `zones:` and the other sections must begin at the left edge of the file. The "
        "same applies to `name:`, `text:` and `rules:` in a trait file. An indented key belongs to the key above it.",
        "kinds:\n  snail: {of: player, at_most: 9}\n  zones:\n  deck: {holds: card, seen_by: nobody}",
        "kinds:\n  snail: {of: player, at_most: 9}\nzones:\n  deck: {holds: card, seen_by: nobody}",
    ),
    Page(
        "Y160",
        "incompatible mods",
        "The manifest of one mod lists the other mod under `conflicts:`, either for all versions or for a range of "
        "versions. Leave out one of the two mods, or use another version.",
        "rulelang play garden wet drought      # wet says `conflicts: [drought]`",
        "rulelang play garden wet",
    ),
    Page(
        "Y161",
        "lock does not match",
        "A lock, written by `rulelang mods lock`, records which mods are applied to a game and in which order. It "
        "also records the versions and the exact contents of the mods and the game. If you want the change, update "
        "the lock with `rulelang mods lock`. Otherwise restore the locked files. A folder, its zip file and a package "
        "with the same files count as equal.",
        "rulelang play garden --locked         # after a file of the mod was changed",
        "rulelang mods lock garden wet\nrulelang play garden --locked",
    ),
    Page(
        "Y162",
        "patched value has changed",
        "When the lock was written, this patch replaced a different value. Since then the game, or an earlier mod, "
        "has changed that value, so the patch may no longer do what you meant. Check the patch, correct it if "
        "necessary, and update the lock with `rulelang mods lock`.",
        "set: {numbers.limit: 4}          # the limit was 3, and is 6 in the game's new version",
        "set: {numbers.limit: 7}",
    ),
    Page(
        "Y163",
        "picture not found",
        "`picture:` gives the path of an SVG or PNG file, relative to the folder of the ruleset or of one of its "
        "mods. The file size can be at most half a megabyte. Graphical interfaces show the picture on the cards of "
        "that trait or row.",
        "look:\n  trait: {rows: {horns: {picture: horn.svg}}}            # the file is in pictures/",
        "look:\n  trait: {rows: {horns: {picture: pictures/horn.svg}}}",
    ),
    Page(
        "Y186",
        "optional file that is always read",
        "rulelang reads a file under `optional:` only together with the mod named there. If `files:` also lists the "
        "file, rulelang always reads it. For example, with `optional: {snow: {version: any, files: [snowy.rules]}}`, "
        "leave `snowy.rules` out of `files:`.",
        "optional: {snow: {version: any, files: [snowy.rules]}}\nfiles: [rain.rules, snowy.rules]",
        "optional: {snow: {version: any, files: [snowy.rules]}}\nfiles: [rain.rules]",
    ),
)


# ---- card tables

CARD_DATA_PAGES: tuple[Page, ...] = (
    Page(
        "Y170",
        "ambiguous column separator",
        "rulelang detects the separator from the first line of a card file: `,`, `;` or a tab. This first line "
        "contains more than one of these characters. Name the separator in `from:`, or begin the file with the line "
        "`sep=;`, as some spreadsheets do.",
        "id;size;text, short",
        'from: {file: cards.csv, separator: ";"}',
    ),
    Page(
        "Y171",
        "missing package for workbooks",
        "rulelang needs `python-calamine` to read workbooks and `openpyxl` to write them. The `sheets` extra installs "
        "both.",
        "pip install rulelang",
        "pip install 'rulelang[sheets]'",
    ),
    Page(
        "Y172",
        "not a workbook",
        "The file name ends in `.xlsx`, but the file is an old `.xls` workbook, a workbook with a password, or a "
        "different kind of file. Save it as an Excel workbook (.xlsx) without a password.",
        "(cards.xls, renamed)",
        "(the same, saved as .xlsx)",
    ),
    Page(
        "Y173",
        "ambiguous or unknown sheet",
        "rulelang reads the rows of one sheet. If a workbook has several visible sheets, name the sheet in `from:`. "
        "rulelang reads a hidden sheet only if you name it.",
        "from: cards.xlsx               # with the sheets Deck and Notes",
        "from: {file: cards.xlsx, sheet: Deck}",
    ),
    Page(
        "Y174",
        "cell without a usable value",
        "The cell contains a date, a formula error, or a formula without a saved result; or it is merged with other "
        "cells. rulelang does not guess which value you meant. Spreadsheets turn text such as `3-1` into dates, so "
        "format the cells as text before you type. rulelang does not check cells in columns that no rule reads.",
        "(3-1, typed into a cell that is not formatted as text)",
        "(the cell formatted as text, and 3-1 typed again)",
    ),
    Page(
        "Y175",
        "hidden rows",
        "rulelang also reads rows that are hidden in the spreadsheet, manually or by a filter. If these rows are not "
        "cards, delete them. Otherwise unhide them, so that everyone sees the rows that rulelang reads.",
        "(a filter hides 12 rows)",
        "(the filter is removed)",
    ),
    Page(
        "Y176",
        "unreadable file in `from:`",
        "`from:` names a file that contains only rows: `.csv`, `.tsv`, `.xlsx` or `.yaml`. Use `sheet` only with "
        "workbooks, and `separator` and `encoding` only with text files. A YAML file of rows is a list, or a map from "
        "row ids to rows. The file has no sections, and `files:` does not list it.",
        "from: cards.ods",
        "from: cards.xlsx",
    ),
    Page(
        "Y182",
        "unknown column in an import",
        "An imported table can contain only columns that the card type knows: its declared columns, `id`, `copies`, "
        "`text`, `text.LANGUAGE`, `rules`, and the names in `unused_columns:`. If a column is declared `by` a list, "
        "the table has one column for each row of that list. rulelang imports nothing until you rename, declare or "
        "remove the unknown column.",
        "id,prise",
        "id,price",
    ),
    Page(
        "Y177",
        "count or sum differs from `expect:`",
        "`expect:` of a card type records what you know about the deck: the number of cards or rows, and sums of "
        "printed numbers. The rows give a different result. Look for a missing row, a duplicate row or a wrong "
        "number. If another mod or mode is applied on top of the file, rulelang skips this check.",
        "expect: {count: 129}     # and there are 128",
        "expect: {count: 129}",
    ),
    Page(
        "Y178",
        "outlier in a column",
        "This number is far from all other numbers in its column, so it may have an extra digit. If the number is "
        "correct, declare the range of the column. Only `rulelang cards GAME check` gives this warning.",
        "columns: {price: int}     # 1 to 6, and once 40",
        "columns: {price: 1..40}",
    ),
    Page(
        "Y179",
        "texts without a translation",
        "Some texts of this kind have a translation into this language, and others do not. Add the missing "
        "translations. Only `rulelang cards GAME check` gives this warning.",
        'text: {en: "Flies."}     # and others have ja, too',
        'text: {en: "Flies.", ja: "飛ぶ。"}',
    ),
    Page(
        "Y180",
        "trait on no card",
        "No card has this trait and no rule names it, so the trait never has an effect. Add cards with the trait, or "
        "delete the trait. Only `rulelang cards GAME check` gives this warning.",
        "trait: horns     # and no card has the face horns",
        "rows: [{face: horns, copies: 4}]",
    ),
    Page(
        "Y181",
        "cards without an effect",
        "The trait on these cards has no rules and no printed columns, and no other rule names the trait. Write rules "
        "for the trait. Only `rulelang cards GAME check` gives this warning.",
        "trait: horns\ntext: {en: Keeps hunters off.}",
        "trait: horns\nrules: |\n  forbid attack(hunter, self)",
    ),
    Page(
        "Y184",
        "value not printed on cards",
        "You can find and count cards only by what is printed on them: the columns of their card type, their traits, "
        "and numbers that are the same in every game. You cannot use values that change in play or that rules "
        "compute.",
        "rulelang cards GAME find 'owner == active'",
        "rulelang cards GAME find 'food < 2'",
    ),
    Page(
        "Y185",
        "unknown check in `expect:`",
        "Use `count`, `rows` or `sum of EXPRESSION`. You can add `where CONDITION` to each.",
        "expect: {sum food: 422}",
        "expect: {sum of food: 422}",
    ),
)
