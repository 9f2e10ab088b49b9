"""Codes of syntax: mistakes in rules that are found before any name is looked up."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "S201",
        "invalid character",
        "Names, numbers and operators in rules use only ASCII characters. Other characters are allowed in comments "
        "and in texts in double quotes. Typographic quotes, long dashes and signs such as `≤` often come from a "
        "word processor; write the plain signs instead.",
        'routine f(species s):\n  require s.food ≤ 3 because "it is full"',
        'routine f(species s):\n  require s.food <= 3 because "it is full"',
    ),
    Page(
        "S202",
        "tab in the indentation",
        "Indentation shows where a block begins and ends, and editors display tabs in different widths. Indent with "
        "spaces, two for each block. rulelang reports only the first line with a tab.",
        "routine f:\n\tnothing",
        "routine f:\n  nothing",
    ),
    Page(
        "S203",
        "number with too many digits",
        "A number in rules has at most nine digits, because the state of a game consists of small integers. Write a "
        "smaller number.",
        "value limit -> int: 12345678901",
        "value limit -> int: 999999",
    ),
    Page(
        "S204",
        "unclosed text",
        "A text begins and ends with a double quote on the same line. If the line becomes too long, begin a new "
        "line with `because` and put the text there.",
        'routine f:\n  tells "the hole is empty',
        'routine f:\n  tells "the hole is empty"',
    ),
    Page(
        "S205",
        "text in single quotes",
        "Write texts in double quotes. The only single quote in the language is the one in `owner's`.",
        "routine f:\n  tells 'the hole is empty'",
        'routine f:\n  tells "the hole is empty"',
    ),
    Page(
        "S206",
        "invalid citation",
        "A line that begins with `#:` lists the ids of the rulebook's rules that the next declarations implement, "
        "separated by spaces. It applies until the next such line or an empty line. If you want an ordinary "
        "comment, begin it with `#` and a space.",
        "#: see page (4)\nroutine f: nothing",
        "#: ev-4.2\nroutine f: nothing",
    ),
    Page(
        "S207",
        "wrong indentation",
        "A declaration begins at the left edge. Indent all lines of a block by the same number of spaces, and "
        "further than the line with the `:` that opens the block. When a block ends, go back to the indentation of "
        "one of the levels above.",
        "routine f:\n  base = 0\n    round = 1",
        "routine f:\n  base = 0\n  round = 1",
    ),
    Page(
        "S208",
        "unclosed bracket",
        "A `(` or `[` must be closed by `)` or `]` before the declaration ends. The message shows the opening bracket.",
        "routine f:\n  base = max(0, base - 1",
        "routine f:\n  base = max(0, base - 1)",
    ),
    Page(
        "S209",
        "unmatched closing bracket",
        "No bracket is open for this `)` or `]`, or a bracket of the other kind must be closed first. Delete "
        "it, or add the bracket that is missing.",
        "routine f:\n  base = base - 1)",
        "routine f:\n  base = base - 1",
    ),
    Page(
        "S210",
        "empty block",
        "At least one statement must follow `:`, on the same line or indented on the next ones. Write `nothing` for "
        "a block that does nothing. A routine without `:` is valid: it is an event without steps, for hooks to name.",
        "routine f:\nroutine g: nothing",
        "routine f: nothing\nroutine g: nothing",
    ),
    Page(
        "S211",
        "missing `:`",
        "A line that opens a block must end in `:`, or have `:` and one statement. Add the `:`.",
        "phase deal\n  nothing",
        "phase deal:\n  nothing",
    ),
    Page(
        "S212",
        "`=` and `==` confused",
        "Use `==` in a condition to compare two things. Use `=` in a statement to set a value.",
        "routine f:\n  if base = 0: nothing",
        "routine f:\n  if base == 0: nothing",
    ),
    Page(
        "S213",
        "`else if`",
        "Write `elif` for a further case of an `if`.",
        "routine f:\n  if base == 0: nothing\n  else if base == 1: base = 0",
        "routine f:\n  if base == 0: nothing\n  elif base == 1: base = 0",
    ),
    Page(
        "S214",
        "`&&`, `||` or `!` in a condition",
        "Join conditions with the words `and`, `or` and `not`. The signs `&&`, `||` and `!` do not exist; `!=` (not "
        "equal) does.",
        "routine f:\n  if base == 0 && !ready: nothing",
        "routine f:\n  if base == 0 and not ready: nothing",
    ),
    Page(
        "S215",
        "`or` after `where` without brackets",
        "Put a `where` condition that contains `or` in brackets. Without brackets the condition ends before `or`, "
        "because `or` can also continue a choice (`or pass`).",
        "routine f:\n  for species s where s.fat or s.old: remove s",
        "routine f:\n  for species s where (s.fat or s.old): remove s",
    ),
    Page(
        "S216",
        "range written with `in`",
        "Write a range of numbers as `from A to B`; both ends are included. `in` is followed by a place or a zone.",
        "routine f:\n  for int n in 1 to 3: nothing",
        "routine f:\n  for int n from 1 to 3: nothing",
    ),
    Page(
        "S217",
        "type with `?`",
        "If a value may be missing, write `maybe` before its type. The language has no `?`.",
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
        "In `modify`, `forbid`, `ignore`, `compulsory` and triggers, a condition follows `when` or `unless`. `if` "
        "begins a block of statements, or chooses between two values: `A if C else B`.",
        "forbid strike(self) if base == 0",
        "forbid strike(self) when base == 0",
    ),
    Page(
        "S220",
        "code too deep or too long",
        "There are limits on nested blocks, loops, brackets and operators, and on the length of a text, so that no "
        "ruleset can exhaust the compiler. Statements after a `choose` without a block of its own count as nested "
        "in it. Move a part into a `let`, a value or a routine. All rules of a ruleset with its mods may have at "
        "most 1,000,000 characters and 15,000 declarations. To raise these two limits, set the environment "
        "variables `RULELANG_MAX_LETTERS` and `RULELANG_MAX_DECLARATIONS`.",
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
        "This word or sign does not fit here. The message lists what can follow at this place.",
        "routine f:\n  let base 3",
        "routine f:\n  let base = 3",
    ),
    Page(
        "S223",
        "unknown statement or declaration",
        "A declaration or statement begins with a word of the language, with the routine that it calls, or with the "
        "thing that it sets. The word is often misspelled, or comes from another language.",
        "modfy strength(self): + 1",
        "modify strength(self): + 1",
    ),
    Page(
        "S224",
        "statement outside a declaration",
        "Only declarations begin at the left edge. Indent statements below a `game`, `phase`, `action`, `routine` "
        "or hook.",
        "base = 3\nlet x = 3",
        "routine f:\n  base = 3\n  let x = 3",
    ),
    Page(
        "S225",
        "reserved word as a name",
        "You cannot use this name here, because rulelang would read it as a word of the language. For example, a "
        "routine cannot be called `draw`, a value cannot be called `count`, and a variable cannot be called `not` "
        "or `none`. Choose another name. After a dot, every word is allowed.",
        "routine draw(card c): nothing",
        "routine draw_one(card c): nothing",
    ),
    Page(
        "S226",
        "chained comparison",
        "A comparison has exactly two sides. Join two comparisons with `and`. To compare the results of two "
        "conditions, use brackets.",
        "value fair(int a, int b) -> bool: 0 < a < b",
        "value fair(int a, int b) -> bool: 0 < a and a < b",
    ),
    Page(
        "S227",
        "dice outside `roll`",
        "An expression cannot contain chance. Use the statement `roll`, which gives the sum of the dice a name, and "
        "use that name.",
        "routine f:\n  base = 2d6",
        "routine f:\n  roll 2d6 as sum_of_dice\n  base = sum_of_dice",
    ),
    Page(
        "S228",
        "variable without its kind",
        "Write the kind before the name of a variable that loops, searches or is chosen: `card c in p.hand`.",
        "routine f(player p):\n  for c in p.hand: nothing",
        "routine f(player p):\n  for card c in p.hand: nothing",
    ),
    Page(
        "S229",
        "too many mistakes in one text",
        "rulelang stops after two hundred mistakes in one text. The file probably does not contain rules, or one "
        "early mistake causes the others. Fix the first mistakes and check again.",
        "routine f: x = = 1     # and two hundred lines more like this one\n",
        "routine f: x = 1",
    ),
    Page(
        "S230",
        "a `modify` without its operator",
        "`modify VALUE: OPERATOR E` says how the value changes. After the `:` comes one of `+`, `-`, `*`, `/`, `%`, "
        "`=`, `at least` and `at most` for a number, and `or`, `and` or `=` for a condition. For example, "
        "`modify strength(self): + 2` adds 2, and `= 2` sets it.",
        "modify strength(self): 2",
        "modify strength(self): + 2",
    ),
    Page(
        "S231",
        "a call of a method",
        "The language has no methods. Routines and values take the thing as an argument: `grow(s, 2)` instead of "
        "`s.grow(2)`. After a dot you can read attributes, columns and zones.",
        "routine f(species s):\n  s.grow(2)",
        "routine f(species s):\n  grow(s, 2)",
    ),
)
