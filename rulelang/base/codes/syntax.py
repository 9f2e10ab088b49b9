"""Codes of syntax: errors in rules that are found before any name is looked up."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "S201",
        "invalid character",
        "In rules, names, numbers and operators can contain only ASCII characters. Other characters are allowed in "
        "comments and in double-quoted text. Typographic quotes, long dashes and symbols such as `≤` often come from "
        "a word processor. Write the plain characters instead.",
        'routine f(species s):\n  require s.food ≤ 3 because "it is full"',
        'routine f(species s):\n  require s.food <= 3 because "it is full"',
    ),
    Page(
        "S202",
        "tab in the indentation",
        "Indentation shows where a block begins and ends, and editors display tabs at different widths. Indent with "
        "spaces, two for each block. rulelang reports only the first line with a tab.",
        "routine f:\n\tnothing",
        "routine f:\n  nothing",
    ),
    Page(
        "S203",
        "number with too many digits",
        "A number in rules can have at most nine digits, because the state of a game consists of small integers. "
        "Write a smaller number.",
        "value limit -> int: 12345678901",
        "value limit -> int: 999999",
    ),
    Page(
        "S204",
        "missing closing quote",
        "Text must begin and end with a double quote on the same line. If the line becomes too long, begin a new line "
        "with `because` and put the text there.",
        'routine f:\n  tells "the hole is empty',
        'routine f:\n  tells "the hole is empty"',
    ),
    Page(
        "S205",
        "text in single quotes",
        "Write text in double quotes. The only single quote in the language is in the word `owner's`.",
        "routine f:\n  tells 'the hole is empty'",
        'routine f:\n  tells "the hole is empty"',
    ),
    Page(
        "S206",
        "invalid citation",
        "A line that begins with `#:` lists the ids of the rulebook rules that the next declarations implement, "
        "separated by spaces. The line applies until the next such line or an empty line. To write an ordinary "
        "comment, begin it with `#` and a space.",
        "#: see page (4)\nroutine f: nothing",
        "#: ev-4.2\nroutine f: nothing",
    ),
    Page(
        "S207",
        "wrong indentation",
        "A declaration begins at the left edge. Indent all lines of a block by the same number of spaces, and further "
        "than the line whose `:` opens the block. When a block ends, return to the indentation of one of the levels "
        "above.",
        "routine f:\n  base = 0\n    round = 1",
        "routine f:\n  base = 0\n  round = 1",
    ),
    Page(
        "S208",
        "unclosed parenthesis or bracket",
        "Close each `(` with `)`, and each `[` with `]`, before the declaration ends. The message shows where the "
        "parenthesis or bracket was opened.",
        "routine f:\n  base = max(0, base - 1",
        "routine f:\n  base = max(0, base - 1)",
    ),
    Page(
        "S209",
        "unmatched `)` or `]`",
        "Nothing is open that this `)` or `]` could close, or something opened later must be closed first. Delete the "
        "sign, or add the missing one.",
        "routine f:\n  base = base - 1)",
        "routine f:\n  base = base - 1",
    ),
    Page(
        "S210",
        "empty block",
        "At least one statement must follow `:`, on the same line or indented on the next lines. Write `nothing` for "
        "a block that does nothing. A routine without `:` is valid: it is an event without steps, which hooks can "
        "name.",
        "routine f:\nroutine g: nothing",
        "routine f: nothing\nroutine g: nothing",
    ),
    Page(
        "S211",
        "missing `:`",
        "A line that opens a block must end with `:`, or with `:` and one statement. Add the `:`.",
        "phase deal\n  nothing",
        "phase deal:\n  nothing",
    ),
    Page(
        "S212",
        "`=` and `==` confused",
        "Use `==` in a condition to compare two values. Use `=` in a statement to set a value.",
        "routine f:\n  if base = 0: nothing",
        "routine f:\n  if base == 0: nothing",
    ),
    Page(
        "S213",
        "`else if`",
        "Write `elif` for another case of an `if`.",
        "routine f:\n  if base == 0: nothing\n  else if base == 1: base = 0",
        "routine f:\n  if base == 0: nothing\n  elif base == 1: base = 0",
    ),
    Page(
        "S214",
        "`&&`, `||` or `!` in a condition",
        "Join conditions with the words `and`, `or` and `not`. The operators `&&`, `||` and `!` do not exist, but "
        "`!=` (not equal) does.",
        "routine f:\n  if base == 0 && !ready: nothing",
        "routine f:\n  if base == 0 and not ready: nothing",
    ),
    Page(
        "S215",
        "`or` after `where` without parentheses",
        "Put a `where` condition that contains `or` in parentheses. Without parentheses, the condition ends before "
        "`or`, because `or` can also continue a choice (`or pass`).",
        "routine f:\n  for species s where s.fat or s.old: remove s",
        "routine f:\n  for species s where (s.fat or s.old): remove s",
    ),
    Page(
        "S216",
        "range written with `in`",
        "Write a range of numbers as `from A to B`; both ends are included. After `in`, write a place or a zone.",
        "routine f:\n  for int n in 1 to 3: nothing",
        "routine f:\n  for int n from 1 to 3: nothing",
    ),
    Page(
        "S217",
        "type with `?`",
        "If a value may be missing, write `maybe` before its type. The language has no `?` operator.",
        "routine f(card? c): nothing",
        "routine f(maybe card c): nothing",
    ),
    Page(
        "S218",
        "`True`, `False` or `None`",
        "Write `true`, `false` and `none` in lowercase.",
        "value ready -> bool: True",
        "value ready -> bool: true",
    ),
    Page(
        "S219",
        "`if` instead of `when`",
        "In `modify`, `forbid`, `ignore`, `compulsory` and triggers, a condition begins with `when` or `unless`. `if` "
        "begins a block of statements, or selects one of two values: `A if C else B`.",
        "forbid strike(self) if base == 0",
        "forbid strike(self) when base == 0",
    ),
    Page(
        "S220",
        "rules nested too deeply or too long",
        "rulelang limits how deeply blocks, loops, parentheses and operators can be nested, and how long a rules text "
        "can be, so that no ruleset can exhaust the compiler. Statements after a `choose` without its own block count "
        "as nested in it. To stay within the limits, move some of the rules to a `let`, a value or a routine. The "
        "rules of a ruleset and its mods can have at most 1,000,000 characters and 15,000 declarations in total. To "
        "raise these two limits, set the environment variables `RULELANG_MAX_LETTERS` and "
        "`RULELANG_MAX_DECLARATIONS`.",
        "value deep -> int: " + "(" * 41 + "1" + ")" * 41,
        "value deep -> int: 1",
    ),
    Page(
        "S221",
        "unexpected end",
        "The line or block ends before the statement or declaration is complete. The message lists what can follow "
        "here.",
        "routine f(card c):\n  move c to",
        "routine f(card c):\n  move c to discards",
    ),
    Page(
        "S222",
        "unexpected word or sign",
        "This word or sign is not valid here. The message lists what can be written at this place.",
        "routine f:\n  let base 3",
        "routine f:\n  let base = 3",
    ),
    Page(
        "S223",
        "unknown statement or declaration",
        "A declaration or statement begins with a reserved word, with the name of the routine that it calls, or with "
        "the thing that it sets. The first word here may be misspelled, or may come from another programming "
        "language.",
        "modfy strength(self): + 1",
        "modify strength(self): + 1",
    ),
    Page(
        "S224",
        "statement outside a declaration",
        "Only declarations begin at the left edge. Indent statements under a `game`, `phase`, `action`, `routine` or "
        "hook.",
        "base = 3\nlet x = 3",
        "routine f:\n  base = 3\n  let x = 3",
    ),
    Page(
        "S225",
        "reserved word as a name",
        "You cannot use this name here, because rulelang would read it as a reserved word. For example, a routine "
        "cannot be called `draw`, a value cannot be called `count`, and a variable cannot be called `not` or `none`. "
        "Choose another name. After a dot, every word is allowed.",
        "routine draw(card c): nothing",
        "routine draw_one(card c): nothing",
    ),
    Page(
        "S226",
        "chained comparison",
        "A comparison has exactly two sides. Join two comparisons with `and`. To compare the results of two "
        "conditions, use parentheses.",
        "value fair(int a, int b) -> bool: 0 < a < b",
        "value fair(int a, int b) -> bool: 0 < a and a < b",
    ),
    Page(
        "S227",
        "dice outside `roll`",
        "An expression cannot roll dice. Use the `roll` statement, which gives the sum of the dice a name, and then "
        "use that name.",
        "routine f:\n  base = 2d6",
        "routine f:\n  roll 2d6 as sum_of_dice\n  base = sum_of_dice",
    ),
    Page(
        "S228",
        "variable without its kind",
        "In a loop, query or choice, write the kind before the name of a variable: `card c in p.hand`.",
        "routine f(player p):\n  for c in p.hand: nothing",
        "routine f(player p):\n  for card c in p.hand: nothing",
    ),
    Page(
        "S229",
        "too many errors in one text",
        "rulelang stops after 200 errors in one rules text. The file probably does not contain rules, or one early "
        "error causes the others. Fix the first errors and check again.",
        "routine f: x = = 1     # and 200 more lines like this one\n",
        "routine f: x = 1",
    ),
    Page(
        "S230",
        "`modify` without an operator",
        "`modify VALUE: OPERATOR E` says how the value changes. After the `:`, write one of `+`, `-`, `*`, `/`, `%`, "
        "`=`, `at least` and `at most` for a number, or one of `or`, `and` and `=` for a condition. For example, "
        "`modify strength(self): + 2` adds 2, and `modify strength(self): = 2` sets the value to 2.",
        "modify strength(self): 2",
        "modify strength(self): + 2",
    ),
    Page(
        "S231",
        "method call",
        "The language has no methods. Routines and values take the thing as an argument: `grow(s, 2)` instead of "
        "`s.grow(2)`. After a dot you can read attributes, columns and zones.",
        "routine f(species s):\n  s.grow(2)",
        "routine f(species s):\n  grow(s, 2)",
    ),
)
