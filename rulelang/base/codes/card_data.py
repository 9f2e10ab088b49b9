"""Codes of card data: tables of rows, workbooks, and what is said of all rows together."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "Y170",
        "a separator that cannot be told",
        "What stands between the cells of a card file is recognised by its first line: a `,`, a `;` or a tab. Where "
        "several of them stand there, any could be meant, and nothing is guessed: `from:` says which. (A first line "
        "`sep=;`, as some spreadsheets write it, says it too.)",
        "id;size;text, short",
        'from: {file: cards.csv, separator: ";"}',
    ),
    Page(
        "Y171",
        "a package is missing",
        "Workbooks are read by `python-calamine` and written by `openpyxl`. Both come with the extra `sheets`.",
        "pip install rulelang",
        "pip install 'rulelang[sheets]'",
    ),
    Page(
        "Y172",
        "not a workbook",
        "The file is called `.xlsx`, and is none: an old `.xls` workbook, one with a password, or something else under "
        "that name. Save it as an Excel workbook (.xlsx) without a password.",
        "(cards.xls, renamed)",
        "(the same, saved as .xlsx)",
    ),
    Page(
        "Y173",
        "which sheet",
        "The rows of one sheet are read. Where a workbook has several visible sheets, `from:` names the one that is "
        "meant; hidden sheets count only if they are named.",
        "from: cards.xlsx               # with the sheets Deck and Notes",
        "from: {file: cards.xlsx, sheet: Deck}",
    ),
    Page(
        "Y174",
        "a cell without a value",
        "A date that a spreadsheet has made of what was typed, the error of a formula, a formula whose outcome was not "
        "saved, or a cell that is merged with another: what a card is to have there is not known, and nothing is "
        "guessed. In columns that no rule reads such cells do no harm.",
        "(3-1, typed into a cell that is no text)",
        "(the cell formatted as text, and 3-1 typed again)",
    ),
    Page(
        "Y175",
        "hidden rows",
        "Rows that are hidden in a spreadsheet, by hand or by a filter, are read like all others. If they are no "
        "cards, delete them; else show them, so that everyone sees what is read.",
        "(a filter hides 12 rows)",
        "(the filter is taken off)",
    ),
    Page(
        "Y176",
        "a file of rows that cannot be read so",
        "`from:` names files that hold rows and nothing else: `.csv`, `.tsv`, `.xlsx` and `.yaml`. `sheet` is said of "
        "workbooks, `separator` and `encoding` of text files. A YAML file of rows is a map by their ids, or a list; it "
        "has no sections, and stands in no `files:`.",
        "from: cards.ods",
        "from: cards.xlsx",
    ),
    Page(
        "Y182",
        "a column that the cards do not have",
        "A table that is imported has columns of the sort alone: those that it declares, the rows of the lists that "
        "columns are `by`, `id`, `copies`, `text`, `text.LANGUAGE`, `rules`, and what `unused_columns:` names. Nothing "
        "is written while one is unknown.",
        "id,prise",
        "id,price",
    ),
    Page(
        "Y177",
        "a sum that the rows do not come to",
        "`expect:` of a sort says what is known of the deck: how many cards or rows there are, and sums of what is "
        "printed. The rows come to something else: a row is missing, stands there twice, or has another number. It is "
        "tested where no mod or mode lies over the layer that says it.",
        "expect: {count: 129}     # and there are 128",
        "expect: {count: 129}",
    ),
    Page(
        "Y178",
        "a number far from all others",
        "A number lies farther from the next one of its column than all the others lie from each other, as a digit too "
        "many makes it. It is told by `rulelang cards GAME check` alone. If it is right, declare the range of the "
        "column.",
        "columns: {price: int}     # 1 to 6, and once 40",
        "columns: {price: 1..40}",
    ),
    Page(
        "Y179",
        "texts that lack a language",
        "Some texts are given in a language in which others are not. It is told by `rulelang cards GAME check` alone.",
        'text: {en: "Flies."}     # and others have ja, too',
        'text: {en: "Flies.", ja: "飛ぶ。"}',
    ),
    Page(
        "Y180",
        "a trait on no card",
        "No row of cards names the trait, and no rule does: what it says never happens. It is told by `rulelang cards "
        "GAME check` alone.",
        "trait: horns     # and no card has the face horns",
        "rows: [{face: horns, copies: 4}]",
    ),
    Page(
        "Y181",
        "cards that do nothing",
        "The trait on these cards has no rules and no printed columns, and no other rule names it. It is told by "
        "`rulelang cards GAME check` alone.",
        "trait: horns\ntext: {en: Keeps hunters off.}",
        "trait: horns\nrules: |\n  forbid attack(hunter, self)",
    ),
    Page(
        "Y184",
        "what is not printed on cards",
        "Cards are found and counted by what is printed on them: the columns of their sort, their traits, and numbers "
        "that are the same at every table. What changes in play, or is worked out by the rules, cannot be asked here.",
        "rulelang cards GAME find 'owner == active'",
        "rulelang cards GAME find 'food < 2'",
    ),
    Page(
        "Y185",
        "nothing that can be expected",
        "Expected are `count`, `rows` and `sum of EXPRESSION`, each also with `where CONDITION`.",
        "expect: {sum food: 422}",
        "expect: {sum of food: 422}",
    ),
)
