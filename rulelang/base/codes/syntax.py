"""Codes of this room: what can be wrong with the writing of the rules, before any name is looked up."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "S201",
        "a character without meaning",
        "Names, numbers and signs of the rules are plain ASCII. Other characters may stand in texts in double quotes "
        "and in comments. Typographic quotes, long dashes and signs such as `≤` often come from a word processor.",
        'routine f(species s):\n  require s.food ≤ 3 because "it is full"',
        'routine f(species s):\n  require s.food <= 3 because "it is full"',
    ),
    Page(
        "S202",
        "a tab in the indentation",
        "Blocks are told by how far a line is indented, and each editor shows a tab in a width of its own. Indent with "
        "spaces, two for each block. Only the first line with a tab is told.",
        "routine f:\n\tnothing",
        "routine f:\n  nothing",
    ),
    Page(
        "S203",
        "a number with too many digits",
        "A number in the rules has at most nine digits: every cell of a game's state is a small integer.",
        "value limit -> int: 12345678901",
        "value limit -> int: 999999",
    ),
    Page(
        "S204",
        "a text that is not closed",
        "A text begins and ends with a double quote, on one line. A long reason may stand on a line of its own that "
        "begins with `because`.",
        'routine f:\n  tells "the hole is empty',
        'routine f:\n  tells "the hole is empty"',
    ),
    Page(
        "S205",
        "single quotes",
        "Texts stand in double quotes. A single quote is used in one word only, `owner's`.",
        "routine f:\n  tells 'the hole is empty'",
        'routine f:\n  tells "the hole is empty"',
    ),
    Page(
        "S206",
        "a citation that is none",
        "A line `#:` names the rules of the rulebook that the next declarations carry out: ids parted by blanks. It "
        "holds until the next such line or an empty one. An ordinary comment begins with `#` and a blank.",
        "#: see page (4)\nroutine f: nothing",
        "#: ev-4.2\nroutine f: nothing",
    ),
    Page(
        "S207",
        "an indentation that fits no block",
        "A declaration begins at the left edge. The lines of a block are all indented alike, further than the line "
        "with the `:` that opens it. A line that ends the block goes back to one of the levels above.",
        "routine f:\n  base = 0\n    round = 1",
        "routine f:\n  base = 0\n  round = 1",
    ),
    Page(
        "S208",
        "a bracket that is never closed",
        "Each `(` and `[` is closed by its `)` or `]` before the declaration ends. The place shown is the opening one.",
        "routine f:\n  base = max(0, base - 1",
        "routine f:\n  base = max(0, base - 1)",
    ),
    Page(
        "S209",
        "a closing bracket that closes nothing",
        "A `)` or `]` stands where no bracket is open, or where the other kind must be closed first.",
        "routine f:\n  base = base - 1)",
        "routine f:\n  base = base - 1",
    ),
    Page(
        "S210",
        "an empty block",
        "After `:` at least one statement stands, on the same line or indented on the next ones. `nothing` is the "
        "statement that does nothing. A routine without `:` is a bare event, for hooks to name.",
        "routine f:\nroutine g: nothing",
        "routine f: nothing\nroutine g: nothing",
    ),
    Page(
        "S211",
        "a missing `:`",
        "A line that opens a block ends in `:`, or has `:` and one statement behind it.",
        "phase deal\n  nothing",
        "phase deal:\n  nothing",
    ),
    Page(
        "S212",
        "`=` and `==`",
        "`==` asks whether two things are equal, in a condition. `=` sets the left side, in a statement.",
        "routine f:\n  if base = 0: nothing",
        "routine f:\n  if base == 0: nothing",
    ),
    Page(
        "S213",
        "`else if`",
        "One more case of an `if` is opened by `elif`.",
        "routine f:\n  if base == 0: nothing\n  else if base == 1: base = 0",
        "routine f:\n  if base == 0: nothing\n  elif base == 1: base = 0",
    ),
    Page(
        "S214",
        "signs for `and`, `or`, `not`",
        "Conditions are joined by the words `and`, `or` and `not`; `&&`, `||` and `!` have no meaning. "
        "`!=` (is not equal) is a sign of the language.",
        "routine f:\n  if base == 0 && !ready: nothing",
        "routine f:\n  if base == 0 and not ready: nothing",
    ),
    Page(
        "S215",
        "`or` after `where`",
        "What follows `where` reaches as far as `and` does. With `or` in it the whole stands in brackets, since `or` "
        "also follows a choice (`or pass`).",
        "routine f:\n  for species s where s.fat or s.old: remove s",
        "routine f:\n  for species s where (s.fat or s.old): remove s",
    ),
    Page(
        "S216",
        "a range written with `in`",
        "A range of numbers is `from A to B`, both ends included. `in` takes a place or a zone.",
        "routine f:\n  for int n in 1 to 3: nothing",
        "routine f:\n  for int n from 1 to 3: nothing",
    ),
    Page(
        "S217",
        "a type with `?`",
        "What may be missing has `maybe` in front of its type. `?` is no sign of the language.",
        "routine f(card? c): nothing",
        "routine f(maybe card c): nothing",
    ),
    Page(
        "S218",
        "`True`, `False`, `None`",
        "The words `true`, `false` and `none` are written small.",
        "value ready -> bool: True",
        "value ready -> bool: true",
    ),
    Page(
        "S219",
        "`if` instead of `when`",
        "The condition of `modify`, `forbid`, `ignore`, of a trigger and of `compulsory` follows `when` or `unless`. "
        "`if` opens a block of statements, or stands between two values: `A if C else B`.",
        "forbid strike(self) if base == 0",
        "forbid strike(self) when base == 0",
    ),
    Page(
        "S220",
        "too deep or too long",
        "Blocks, loops, brackets and operators may nest only so deep, and one text may be only so long, so that no "
        "ruleset can exhaust the compiler. What follows a `choose` without a block stands in it. Give a part a name: "
        "a `let`, a value, or a routine. All rules of a ruleset with its mods have at most 1,000,000 characters and "
        "15,000 declarations; the environment variables `RULELANG_MAX_LETTERS` and `RULELANG_MAX_DECLARATIONS` "
        "allow more.",
        "value deep -> int: " + "(" * 41 + "1" + ")" * 41,
        "value deep -> int: 1",
    ),
    Page(
        "S221",
        "a line or block that ends too early",
        "The form that was begun needs more. The message names what could stand next.",
        "routine f(card c):\n  move c to",
        "routine f(card c):\n  move c to discards",
    ),
    Page(
        "S222",
        "something that cannot stand here",
        "The form that was begun cannot go on like this. The message names what could stand in this place.",
        "routine f:\n  let base 3",
        "routine f:\n  let base = 3",
    ),
    Page(
        "S223",
        "an unknown word at the beginning",
        "A declaration, and each statement, begins with one of the words of the language, with the name of a routine "
        "that is called, or with what is set. `rulelang explain S223` is mostly needed for misspelt words.",
        "modfy strength(self): + 1",
        "modify strength(self): + 1",
    ),
    Page(
        "S224",
        "a statement outside of every declaration",
        "Statements stand in the block of a `game`, `phase`, `action`, `routine` or hook, indented. At the left edge "
        "only declarations begin.",
        "base = 3\nlet x = 3",
        "routine f:\n  base = 3\n  let x = 3",
    ),
    Page(
        "S225",
        "a name that is a word of the language",
        "A few words cannot be names, because where the name would be used the language reads the word: a routine "
        "called like a statement (`draw`), a value called like a query (`count`), a variable called `not` or `none`. "
        "After a dot every word may be a name.",
        "routine draw(card c): nothing",
        "routine draw_one(card c): nothing",
    ),
    Page(
        "S226",
        "comparisons in a chain",
        "A comparison has two sides. Join two comparisons with `and`; to compare two conditions, use brackets.",
        "value fair(int a, int b) -> bool: 0 < a < b",
        "value fair(int a, int b) -> bool: 0 < a and a < b",
    ),
    Page(
        "S227",
        "dice outside of `roll`",
        "Expressions have no chance in them. Dice are thrown by the statement `roll`, which names the sum.",
        "routine f:\n  base = 2d6",
        "routine f:\n  roll 2d6 as sum_of_dice\n  base = sum_of_dice",
    ),
    Page(
        "S228",
        "a variable without its kind",
        "Whatever is looked for or chosen is named with its kind in front: `card c in p.hand`.",
        "routine f(player p):\n  for c in p.hand: nothing",
        "routine f(player p):\n  for card c in p.hand: nothing",
    ),
    Page(
        "S229",
        "too many mistakes",
        "After two hundred mistakes in one text the rest of it is not looked at. Most likely it is no rules text, "
        "or one early mistake causes the others.",
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
