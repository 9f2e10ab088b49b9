"""Codes of card data: tables of rows, workbooks, and checks of all rows together."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "Y170",
        "ambiguous column separator",
        "rulelang detects the separator from the first line of a card file: `,`, `;` or a tab. This line contains more "
        "than one of them. Name the separator in `from:`, or begin the file with the line `sep=;`, as some "
        "spreadsheets do.",
        "id;size;text, short",
        'from: {file: cards.csv, separator: ";"}',
    ),
    Page(
        "Y171",
        "missing package for workbooks",
        "`python-calamine` reads workbooks and `openpyxl` writes them. Install both with the extra `sheets`.",
        "pip install rulelang",
        "pip install 'rulelang[sheets]'",
    ),
    Page(
        "Y172",
        "not a workbook",
        "The file has the ending `.xlsx` but is something else: an old `.xls` workbook, a workbook with a password, or "
        "a different kind of file. Save it as an Excel workbook (.xlsx) without a password.",
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
        "The cell contains a date, the error of a formula, or a formula whose result was not saved; or it is merged "
        "with other cells. rulelang does not guess which value you meant. Spreadsheets turn texts such as `3-1` into "
        "dates, so format the cells as text before you type. Cells in columns that no rule reads are not checked.",
        "(3-1, typed into a cell that is not formatted as text)",
        "(the cell formatted as text, and 3-1 typed again)",
    ),
    Page(
        "Y175",
        "hidden rows",
        "rulelang reads rows that are hidden in the spreadsheet, by hand or by a filter, like all others. If they are "
        "not cards, delete them. Otherwise show them, so that everyone sees what is read.",
        "(a filter hides 12 rows)",
        "(the filter is taken off)",
    ),
    Page(
        "Y176",
        "unreadable file in `from:`",
        "`from:` names a file with rows and nothing else: `.csv`, `.tsv`, `.xlsx` or `.yaml`. Use `sheet` only with "
        "workbooks, and `separator` and `encoding` only with text files. A YAML file of rows is a list, or a map by "
        "the ids of the rows. It has no sections, and `files:` does not list it.",
        "from: cards.ods",
        "from: cards.xlsx",
    ),
    Page(
        "Y182",
        "unknown column in an import",
        "An imported table may contain only columns that the card type knows. These are its declared columns, `id`, "
        "`copies`, `text`, `text.LANGUAGE`, `rules`, and the names in `unused_columns:`. A column that is `by` a "
        "list has one column for each row of the list. rulelang imports nothing until you rename, declare or remove "
        "the unknown column.",
        "id,prise",
        "id,price",
    ),
    Page(
        "Y177",
        "count or sum differs from `expect:`",
        "`expect:` of a card type records what you know about the deck: the number of cards or rows, and sums of "
        "printed numbers. The rows give another result. Look for a missing row, a duplicate row or a wrong number. "
        "If another mod or mode is applied on top of the file, rulelang skips this check.",
        "expect: {count: 129}     # and there are 128",
        "expect: {count: 129}",
    ),
    Page(
        "Y178",
        "outlier in a column",
        "This number is far from all other numbers of its column, so it may have a digit too many. If it is right, "
        "declare the range of the column. Only `rulelang cards GAME check` gives this warning.",
        "columns: {price: int}     # 1 to 6, and once 40",
        "columns: {price: 1..40}",
    ),
    Page(
        "Y179",
        "texts without a translation",
        "Some texts of this kind are translated into a language and others are not. Add the missing translations. Only "
        "`rulelang cards GAME check` gives this warning.",
        'text: {en: "Flies."}     # and others have ja, too',
        'text: {en: "Flies.", ja: "飛ぶ。"}',
    ),
    Page(
        "Y180",
        "trait on no card",
        "No card has this trait and no rule names it, so it never has an effect. Add cards with the trait, or delete "
        "it. Only `rulelang cards GAME check` gives this warning.",
        "trait: horns     # and no card has the face horns",
        "rows: [{face: horns, copies: 4}]",
    ),
    Page(
        "Y181",
        "cards without an effect",
        "The trait on these cards has no rules and no printed columns, and no other rule names it. Write rules for it. "
        "Only `rulelang cards GAME check` gives this warning.",
        "trait: horns\ntext: {en: Keeps hunters off.}",
        "trait: horns\nrules: |\n  forbid attack(hunter, self)",
    ),
    Page(
        "Y184",
        "not printed on cards",
        "You can find and count cards only by what is printed on them: the columns of their card type, their traits, "
        "and numbers that are the same in every game. Values that change in play or that rules compute are not "
        "available here.",
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
