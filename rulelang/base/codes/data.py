"""Codes of the data room: files, YAML, CSV, schemas, manifests, mods."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "Y101",
        "not readable text",
        "Files are UTF-8 text. Other encodings, control characters and line breaks that no editor shows are refused, "
        "because the places in all other messages would be wrong. Save the file as UTF-8; delete the character named.",
        "(a file saved as UTF-16 by a spreadsheet)",
        "(the same file exported as UTF-8)",
    ),
    Page(
        "Y102",
        "malformed YAML",
        "The file is not YAML: a bracket or quote is open, a line is indented differently from its "
        "neighbours, or a tab stands in the indentation. The rest of the file is not read until this is "
        "mended.",
        "lists:\n  part: [head, body",
        "lists:\n  part: [head, body]",
    ),
    Page(
        "Y103",
        "the same name twice",
        "A key stands twice in one map, a row twice in one list, or a file twice in `files:`. YAML readers "
        "usually keep the last one and lose the first in silence; here both places are named.",
        "numbers:\n  eras: 4\n  eras: 6",
        "numbers:\n  eras: 6",
    ),
    Page(
        "Y104",
        "too large",
        "A file is larger, nested deeper or holds more values than any ruleset needs. Aliases count as often as they "
        "are used. The bounds keep a hostile file from filling the memory. If all of it belongs in the file, the "
        "environment variables `RULELANG_MAX_VALUES` and `RULELANG_MAX_CELLS` allow more.",
        "a: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]     # and so on, twenty times",
        "a: [1, 1]",
    ),
    Page(
        "Y105",
        "YAML that is not read here",
        "Tags, several documents in a file, keys that are maps or lists, aliases inside themselves and "
        "numbers with more than 18 digits are refused. Data is words, numbers, lists and maps.",
        "when: !!python/name:os.system ls",
        "when: feeding",
    ),
    Page(
        "Y106",
        "not a map of sections",
        "A file of a ruleset is a map: sections such as `numbers:` and `cards:`, or a trait with `trait:`. "
        "Lists of scenarios lie in the folder `scenarios/` and are not listed in `files:`.",
        "- head\n- body",
        "lists:\n  part: [head, body]",
    ),
    Page(
        "Y107",
        "more than a ruleset may hold",
        "A ruleset or mod has at most 20,000 files and 64 MiB that are read, in a folder or in a zip. A ruleset with "
        "its mods has at most 300,000 keys and values in YAML and 500,000 cells in card files. The bounds keep a "
        "hostile one from filling the memory. Move what is not part of it elsewhere. If all of it belongs there, the "
        "environment variables `RULELANG_MAX_FILES`, `RULELANG_MAX_MIB`, `RULELANG_MAX_VALUES` and "
        "`RULELANG_MAX_CELLS` allow more.",
        "rulelang check downloads/",
        "rulelang check downloads/my_game",
    ),
    Page(
        "Y108",
        "too many mistakes",
        "A check shows at most 1,000 mistakes, errors before warnings. Files with more mistakes are not checked to "
        "their end, so the number of mistakes that are left out may be smaller than all that there are. Fix the first "
        "ones and check again: often many mistakes have one cause, for example a file that is not what it seems.",
        "game:\n  nothing_is_called_so = 1    # and so on, in 30,000 routines",
        "game:\n  round = 1",
    ),
    Page(
        "Y110",
        "the first line of a card file",
        "The first line of a CSV file names the columns: each once, separated by commas. The column `id` "
        "names the rows.",
        "ID;size;part",
        "id,size,part",
    ),
    Page(
        "Y111",
        "a row of the wrong length",
        "Every row of a CSV file has as many cells as the first line. A cell that holds a comma stands in "
        "double quotes.",
        "id,text\nwolf,Howls, then bites",
        'id,text\nwolf,"Howls, then bites"',
    ),
    Page(
        "Y112",
        "the id of a row",
        "The column `id` gives every row of a CSV file a name of its own: letters, digits, `_`, `.` and `-`.",
        "id,size\nwolf,3\nwolf,4",
        "id,size\nwolf,3\nshe_wolf,4",
    ),
    Page(
        "Y113",
        "quotes in a card file",
        "A cell in double quotes ends with its closing quote; a quote inside it is written twice.",
        'id,text\nwolf,"the "grey" one"',
        'id,text\nwolf,"the ""grey"" one"',
    ),
    Page(
        "Y120",
        "unknown key",
        "This key has no meaning here. Nothing is skipped in silence, so a misspelt key cannot switch a rule off. "
        "In a trait file the ruleset's section `traits:` may declare further keys.",
        "zones:\n  deck: {holds: card, seen_buy: nobody}",
        "zones:\n  deck: {holds: card, seen_by: nobody}",
    ),
    Page(
        "Y121",
        "a value of the wrong kind",
        "The value is not what this key holds: a text where a number belongs, a list where a map belongs, a "
        "word that is not among those allowed.",
        "numbers:\n  eras: four",
        "numbers:\n  eras: 4",
    ),
    Page(
        "Y122",
        "a missing key",
        "This map needs a key that is not there.",
        "zones:\n  deck: {seen_by: nobody}",
        "zones:\n  deck: {holds: card, seen_by: nobody}",
    ),
    Page(
        "Y123",
        "rules that are folded or escaped",
        "Rules inside YAML stand in a block that begins with `|`, or on one line without escapes, so that messages can "
        "name the line and column in the file.",
        "rules: >\n  modify defence(self):\n  + 4",
        "rules: |\n  modify defence(self): + 4",
    ),
    Page(
        "Y130",
        "no such ruleset",
        "A ruleset or mod is named by the path of its folder or zip, or by its id: ids are looked for in the game's "
        "folder `mods/`, beside the game, in `mods/` there, among installed packages (entry points "
        "`rulelang.rulesets`), and among what is shipped. A file given in place of a mod lists "
        "mods: `mods: [one, two]`.",
        "rulelang check evolutoin",
        "rulelang check evolution",
    ),
    Page(
        "Y131",
        "the manifest",
        "A folder holds one manifest: `ruleset.yaml` for a game, `mod.yaml` for a mod. Ids are not used "
        "twice, and only mods are laid over a ruleset.",
        "my_mod/harbour.yaml",
        "my_mod/mod.yaml\nmy_mod/harbour.yaml",
    ),
    Page(
        "Y132",
        "a missing file",
        "A file or folder that is listed does not exist or cannot be read.",
        "files: [component.yaml]",
        "files: [components.yaml]",
    ),
    Page(
        "Y133",
        "a path that leaves its folder",
        "A ruleset reads only what lies in its own folder: no `..`, no absolute paths, no links that lead out.",
        "files: [../other/cards.yaml]",
        "files: [cards.yaml]",
    ),
    Page(
        "Y134",
        "a file that nothing reads",
        "Every file in the folder is listed in `files:` or in a mode, and every card file is named by a `from:`. "
        "README, LICENSE, CHANGELOG, hidden files and `scenarios/` are left alone.",
        "files: [components.yaml]        # and cards.yaml lies beside it",
        "files: [components.yaml, cards.yaml]",
    ),
    Page(
        "Y135",
        "another version of the language",
        "`language:` names the version of the rules language that the files are written in. This rulelang "
        "reads version 1.",
        "language: 2",
        "language: 1",
    ),
    Page(
        "Y136",
        "versions",
        "A version is written like `1.0.0`, a range of versions like `>=1.0, <2` (in quotes).",
        'extends: {evolution: "1.x"}',
        'extends: {evolution: ">=1.0, <2"}',
    ),
    Page(
        "Y137",
        "what a mod extends",
        "A mod names in `extends:` the ruleset and mods it changes. They must be found (given, near it or the game, "
        "installed or shipped), have a version in the range, and lead to the ruleset that is loaded. What it names in "
        "`optional:` may be missing, but if it is there it must have a version in the range.",
        'extends: {evolutoin: ">=1.0"}',
        'extends: {evolution: ">=1.0"}',
    ),
    Page(
        "Y138",
        "a circle",
        "Mods cannot extend or follow each other in a circle, your own order of them (`wet,dry`, or a list in a file) "
        "cannot turn round what their manifests say, and a manifest cannot list itself.",
        "files: [ruleset.yaml, cards.yaml]",
        "files: [cards.yaml]",
    ),
    Page(
        "Y139",
        "no such mode",
        "The mode asked for stands neither in the ruleset's `modes:` nor in those of the mods.",
        "rulelang check darwins_choice --mode kid",
        "rulelang check darwins_choice --mode kids",
    ),
    Page(
        "Y140",
        "declared already",
        "Files are merged: maps unite and lists grow, but the same value cannot be given twice. "
        "To change what a ruleset declares, a mod writes `set:`.",
        "numbers:\n  eras: 6            # in a mod; the base says 4",
        "set:\n  numbers.eras: 6",
    ),
    Page(
        "Y141",
        "a path that does not exist",
        "Patches change what the layers below declare; each part of the path must exist there. A row without a name is "
        "found by what its cells say, `cards.card.rows[face=horns]`, or by its number from 1. With both, "
        "`rows[3, face=horns]`, it is noticed when another version of the base has moved the row. A cell of a declared "
        "column may be set where the row has none yet.",
        "set:\n  numbers.era: 6",
        "set:\n  numbers.eras: 6",
    ),
    Page(
        "Y142",
        "changed twice",
        "Two mods change the same value and neither comes after the other, so the result would depend on chance. "
        "Let one say `after:` the other; or lay a third mod after both that sets the value again; or, as a player, say "
        "who has the last word: `--mod wet,dry`. Within one mod a path is changed once; numbers of rows are those "
        "before anything is changed. To put something else in the place of what is removed, declare it anew.",
        "set: {numbers.eras: 6}           # in two unrelated mods",
        "after: [other_mod]               # in one of the manifests",
    ),
    Page(
        "Y143",
        "a trait that exists already",
        "A trait is declared in one file. A mod changes a trait with `set:`, with hooks, or with `replace`.",
        "trait: horns                     # in a mod; the base has it",
        'set:\n  traits.horns.text: "..."',
    ),
    Page(
        "Y145",
        "a kind of file that is not read",
        "A ruleset is made of `.yaml` and `.rules` files. Rows of cards may stand in `.csv`, `.tsv` and `.xlsx` files "
        "too, which a sort of cards names by `from:`.",
        "files: [cards.ods]",
        "files: [cards.csv]",
    ),
    Page(
        "Y146",
        "a row found by counting",
        "Rows without a name can be counted, but the next version of the ruleset below may have them in another "
        "order, and then the patch changes another card. If one of its cells is like no other row's, name the row by "
        "that: `[COLUMN=VALUE]`, or by two of them. Where none are, write the number and a cell: that is tested.",
        "set:\n  cards.card.rows[3].copies: 4",
        "set:\n  cards.card.rows[face=horns].copies: 4",
    ),
    Page(
        "Y147",
        "a patch that changes nothing",
        "It sets what has that value already, extends a list with what is there, or takes out or disables what another "
        "mod does before it. The layers below may have caught up with the patch, or it means something else.",
        "set:\n  numbers.eras: 6            # the base says 6",
        "set:\n  numbers.eras: 7",
    ),
    Page(
        "Y148",
        "what cannot be extended",
        "`extend:` puts items at the end of a list, rules behind the rules of a trait or row, or keys into a map. A "
        "single value is exchanged with `set:`.",
        "extend:\n  numbers.eras: [6]",
        "set:\n  numbers.eras: 6",
    ),
    Page(
        "Y149",
        "what cannot be renamed",
        "`rename:` gives a trait, a row, a column, an attribute, an entry of a section, or what rules declare (an "
        "action, a routine, a phase, a value) another name, and changes the word "
        "wherever the layers below speak of it. So the old name has to mean one thing only, and the new one "
        "nothing yet.",
        "rename:\n  traits.horns: shell          # there is a shell",
        "rename:\n  traits.horns: antlers",
    ),
    Page(
        "Y150",
        "like nothing that is there",
        "`like:` names the row or trait that this one is like, in the same mod or in the layers below: a trait by its "
        "id, a row by its name or by what its cells say. What the new one says itself stays as it is.",
        "trait: spikes\nlike: horn",
        "trait: spikes\nlike: horns",
    ),
    Page(
        "Y152",
        "no number to reckon with",
        "`add:` and `multiply:` change a whole number of the layers below, or each of a list or map, whatever it is "
        "there: `add: {numbers.eras: 1}`. It is multiplied with a whole number or a fraction and rounded down. What "
        "is no number is changed with `set:`.",
        "add:\n  lists.part: 1",
        "add:\n  numbers.eras: 1",
    ),
    Page(
        "Y151",
        "how a path is spelt",
        "A path is names with dots between them. Brackets behind a name pick an item of a list, by its text or number, "
        "or a row, by what its cells say: `[a]`, `[2]`, `[face=horns]`, `[face=horns, food=3]`. Older mods wrote a dot "
        "there.",
        "set:\n  cards.card.rows.face=horns.copies: 4",
        "set:\n  cards.card.rows[face=horns].copies: 4",
    ),
    Page(
        "Y153",
        "a section that stands too far in",
        "`numbers:`, `cards:`, `kinds:`, `zones:` and the like are sections of a file, and begin at its left edge, as "
        "`name:`, `text:` and `rules:` do in the file of a trait. What stands below another key with blanks in front "
        "is part of that.",
        "kinds:\n  snail: {of: player, at_most: 9}\n  zones:\n  deck: {holds: card, seen_by: nobody}",
        "kinds:\n  snail: {of: player, at_most: 9}\nzones:\n  deck: {holds: card, seen_by: nobody}",
    ),
    Page(
        "Y160",
        "mods that cannot be together",
        "A mod names in `conflicts:` those with which it does not work, all versions or a range of them. Leave one of "
        "the two out, or take another version.",
        "rulelang play garden wet drought      # wet says `conflicts: [drought]`",
        "rulelang play garden wet",
    ),
    Page(
        "Y161",
        "not as it was locked",
        "A lock, which `rulelang mods lock` writes, holds which mods are laid over a game, in which order, their "
        "versions and every byte of them, and the game's. If the change is wanted, write the lock anew; else get back "
        "what was locked. A folder, its zip and a package that holds the same files count as the same.",
        "rulelang play garden --locked         # after a file of the mod was changed",
        "rulelang mods lock garden wet\nrulelang play garden --locked",
    ),
    Page(
        "Y162",
        "a patch that meets something else",
        "A lock notes what each patch found in its place when it was written. Since then the game, or a mod below, has "
        "another value there; so the patch may mean something else now. If it still does what it should, write the "
        "lock anew.",
        "set: {numbers.limit: 4}          # the limit was 3, and is 6 in the game's new version",
        "set: {numbers.limit: 7}",
    ),
    Page(
        "Y163",
        "a picture that is not there",
        "`picture:` names an SVG or PNG in the folder of the ruleset, or of a mod over it, by its way from there on. "
        "It has half a megabyte at most. Screens that draw show it on the cards of that trait or row.",
        "look:\n  trait: {rows: {horns: {picture: horn.svg}}}            # it lies in pictures/",
        "look:\n  trait: {rows: {horns: {picture: pictures/horn.svg}}}",
    ),
    Page(
        "Y186",
        "a file that is both optional and always read",
        "A file under `optional:` is read only together with the mod that is named there. If `files:` lists it too, "
        "it is always read. For example, with `optional: {snow: {version: any, files: [snowy.rules]}}`, leave "
        "`snowy.rules` out of `files:`.",
        "optional: {snow: {version: any, files: [snowy.rules]}}\nfiles: [rain.rules, snowy.rules]",
        "optional: {snow: {version: any, files: [snowy.rules]}}\nfiles: [rain.rules]",
    ),
)
