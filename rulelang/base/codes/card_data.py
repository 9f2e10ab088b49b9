"""Codes of card data: tables of rows, workbooks, and checks of all rows together."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
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
