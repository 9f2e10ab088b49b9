"""Manual pages of codes for rules: syntax (S2xx), types (T4xx), and hooks and patches (W5xx)."""

from __future__ import annotations

from rulelang.base.diagnostics import Page

# ---- syntax

SYNTAX_PAGES: tuple[Page, ...] = (
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


# ---- types

TYPE_PAGES: tuple[Page, ...] = (
    Page(
        "T400",
        "wrong type",
        "The expression has the wrong type: for example, it is a number where a condition is expected, or a fish "
        "where a player is expected. The message shows both types.",
        "routine feed(fish f): eat(f, plant, f)",
        "routine feed(fish f): eat(f, plant, f.weight)",
    ),
    Page(
        "T401",
        "wrong number of arguments",
        "Give each parameter one argument. Only the pattern of a hook can omit its last parts.",
        "routine feed(fish f): eat(f, plant)",
        "routine feed(fish f): eat(f, plant, 1)",
    ),
    Page(
        "T403",
        "value may be missing",
        "A value that you read through a `maybe` may be missing. If it is missing, a condition on it is false, and "
        "a statement on it does nothing. But a `let` or a value needs a result. Add a default with `otherwise`, or "
        "make the result `maybe` too.",
        "value beside(fish f) -> int: right_of(f).weight",
        "value beside(fish f) -> int: right_of(f).weight otherwise 0",
    ),
    Page(
        "T404",
        "value is never missing",
        "Use `otherwise`, `is present` and `is missing` only with a value that may be missing. This value is always "
        "present, so remove the test or the default.",
        "value heavy(fish f) -> int: limit otherwise 0",
        "value heavy(fish f) -> int: f.mark otherwise 0",
    ),
    Page(
        "T405",
        "value cannot be changed",
        "You can change state values, attributes, tables and the place of a thing. Parameters and `let` names are "
        "fixed, columns are printed, and values are computed. Numbers and options stay the same for the whole game. "
        "To move a card, use `move`.",
        "routine feed(fish f, int n):\n  n = 3\n  eat(f, plant, n)",
        "routine feed(fish f, int n):\n  let m = min(n, 3)\n  eat(f, plant, m)",
    ),
    Page(
        "T406",
        "values cannot be compared",
        "Compare only values of the same type. `<`, `>`, `<=` and `>=` need numbers, levels of ladders or orders.",
        "value same(fish f, player p) -> bool: f == p",
        "value same(fish f, player p) -> bool: f.owner == p",
    ),
    Page(
        "T407",
        "expected a zone",
        "`move`, `draw` and `shuffle` need a zone, such as `deck`, `p.hand`, `hand of p` or `box`. If each player "
        "or thing has a zone with that name, write whose zone you mean.",
        "routine deal: draw 1 from deck to hand",
        "routine deal(player p): draw 1 from deck to p.hand",
    ),
    Page(
        "T408",
        "expected a single value",
        "A zone and `neighbours(x)` contain several things. Loop over them with a binder, or use a query such as "
        "`count`.",
        "value cards(player p) -> int: p.hand",
        "value cards(player p) -> int: count(card c in p.hand)",
    ),
    Page(
        "T409",
        "wrong card type",
        "Each zone holds cards of one type. Move these cards to a zone that holds their type.",
        "routine tidy: for tool t in rack: move t to discards",
        "routine tidy: for card c in deck: move c to discards",
    ),
    Page(
        "T410",
        "binder does not take this word",
        "Each of these words in a binder works only with certain kinds. Use `of` with things made in play, `in` "
        "with cards, things and rows, `on` with cards, and `from` with numbers and players. `secretly` takes one "
        "player, and `first` takes one binder.",
        "value reds -> int: count(colour c of actor)",
        "value reds -> int: count(fish f of actor)",
    ),
    Page(
        "T411",
        "numbers without a range",
        "`int n` loops over a range of numbers, so write both ends: `int n from 1 to 6`.",
        "action bid(int n) during feeding: water = n",
        "action bid(int n from 1 to 6) during feeding: water = n",
    ),
    Page(
        "T412",
        "unknown condition after `is`",
        "After `is`, write `present`, `missing`, `empty` or `working`. You can also write an attribute, or a value "
        "with one parameter, if its type is `bool`.",
        "value calm(fish f) -> bool: f is hungri",
        "value calm(fish f) -> bool: f is hungry",
    ),
    Page(
        "T413",
        "expected a thing or condition",
        "`x has TRAIT` needs a thing that can have trait cards. `x meets c.COLUMN` needs a column of type "
        "`condition on LIST` whose `counted_by` is a value. `copy cards on x` needs a thing.",
        "# in a mod\nvalue hidden(player p) -> bool: p has shy",
        "# in a mod\nvalue hidden(fish f) -> bool: f has shy",
    ),
    Page(
        "T414",
        "not defined for this kind",
        "`left_of`, `right_of` and `position` need things in a row (`line: true`). `neighbours` and `adjacent` need"
        " things in a row or spaces of a grid. `step` needs a level of a ladder, and `forbids` needs a condition.",
        "value beside(frog f) -> maybe frog: left_of(f)",
        "value beside(fish f) -> maybe fish: left_of(f)",
    ),
    Page(
        "T415",
        "`require` is not at the top",
        "`require` says when a routine or action is possible. rulelang tests it before the routine begins, so every "
        "`require` must come before other statements. To test something later, use `if`.",
        "routine feed(fish f):\n  f.sated = true\n  require f is hungry",
        "routine feed(fish f):\n  require f is hungry\n  f.sated = true",
    ),
    Page(
        "T416",
        "`compulsory` outside an action",
        "`compulsory` must be the first line of an action. While that action is possible, the player cannot pass.",
        "routine feed(fish f):\n  compulsory\n  f.sated = true",
        "action feed(fish f of actor) during feeding:\n  compulsory\n  f.sated = true",
    ),
    Page(
        "T417",
        "`stop`, `redirect` or `proceed` in the wrong place",
        "Use `stop` and `redirect` in a `react to`, and `proceed` in an `instead of`. Other rules have no event "
        "that they could stop, redirect or run.",
        "after strike(hunter, prey) when prey.sated and hunter.sated: stop",
        "react to strike(hunter, prey) when prey.sated and hunter.sated: stop",
    ),
    Page(
        "T418",
        "`offer` outside a phase",
        "`offer` offers the actions of the phase that contains it. To make an offer in a routine, write a phase "
        "that contains the `offer`, and call that phase.",
        "routine ask(player p): offer one action to p",
        "phase ask: offer one action to actor",
    ),
    Page(
        "T419",
        "wrong kind of call",
        "Call routines and phases as statements, and values in expressions. Only a player can choose an action, so "
        "no rule can call one. Put steps that other rules need into a routine.",
        "routine feed(fish f): hunger(f)",
        "routine feed(fish f): eat(f, plant, hunger(f))",
    ),
    Page(
        "T420",
        "wrong number of indexes",
        "Tables and rows of numbers need indexes in brackets, as in `t[a, b]`. Columns and state values that are "
        "kept for each row of a list need indexes, too. Write as many indexes as the declaration has.",
        "value price -> int: prices",
        "value price -> int: prices[1]",
    ),
    Page(
        "T421",
        "operator does not fit the value",
        "Modify a number with `= + - * / %`, `at least` or `at most`, a condition with `=`, `or` or `and`, and "
        "anything else with `=`.",
        "modify hunger: or true",
        "modify hunger: + 1",
    ),
    Page(
        "T422",
        "thing cannot be made or removed",
        "You can create and remove only things of the kinds under `kinds:`. If the kind is declared `in` a place, "
        "name the place. Use `at` only for things in a row (`line: true`).",
        "routine spawn(player p): create frog of p",
        "routine spawn(player p): create frog of p in north",
    ),
    Page(
        "T423",
        "card with several copies",
        "A card's name identifies a single card, but this row has several copies. Choose or query one of the "
        "copies. To test whether a card is one of them, give the rows a column that distinguishes them, such as a "
        "`bool`.",
        "routine tidy: move rod to rack",
        "routine tidy: move net to rack",
    ),
    Page(
        "T424",
        "wrong signature of `score` or `tiebreak`",
        "At the end of the game, rulelang reads `score(player) -> int` and, if you declare it, `tiebreak(player) ->"
        " order`.",
    ),
    Page(
        "T425",
        "wrong braces in a text",
        "In `tells` and `because`, `{s}` becomes the name or number of `s`. `{n:leaf|leaves}` becomes the singular "
        "or the plural, depending on `n`. Close each brace, and write a name between the braces. A text cannot "
        "contain sets or orders.",
        'routine feed(fish f):\n  tells "{f eats"\n  f.sated = true',
        'routine feed(fish f):\n  tells "{f} eats"\n  f.sated = true',
    ),
    Page(
        "T426",
        "die without sides",
        "A die shows a number from 1 to its number of sides, so it needs at least one side.",
        "routine cast: roll 1d0 as n",
        "routine cast: roll 1d6 as n",
    ),
    Page(
        "T430",
        "division by zero",
        "You cannot divide by 0. If the divisor is an entry of `numbers:` that is 0 for some or all player counts, "
        "you get only a warning, because a test may prevent the division.",
        "value half -> int: limit / 0",
        "value half -> int: limit / 2",
    ),
    Page(
        "T431",
        "number too large",
        "Rules calculate with integers from -9,223,372,036,854,775,807 to 9,223,372,036,854,775,807.",
        "value vast -> int: 999999999 * 999999999 * 999999999",
        "value vast -> int: 999999999 * 999999999",
    ),
    Page(
        "T432",
        "question that nobody sees",
        "The text at the end of a `choose`, an `offer` or an argument is a question to a player. A random choice "
        "asks nobody, so remove its question. In an action, each argument can have its own question only if the "
        "action is `in steps`.",
        'routine pick: choose fish f at random "to feed"',
        'routine pick: choose fish f "to feed"',
    ),
    Page(
        "T433",
        "reason that nobody sees",
        "In a `choose` or an argument, the `because` after `where` explains why the player cannot choose something. "
        "Nobody makes a choice here, so remove the reason.",
        'routine feed: for fish f where not f.sated because "{f} is fed": f.sated = true',
        "routine feed: for fish f where not f.sated: f.sated = true",
    ),
    Page(
        "T434",
        "reason that is never shown",
        "A hook `modify` can add a condition with `and`. Its `because` explains why that condition fails. Other "
        "modifications never refuse anything, so remove the reason.",
        'modify hunger(f): + 1 because "{f} is strong"',
        "modify hunger(f): + 1 when f.sated",
    ),
)


# ---- hooks and patches

HOOK_PAGES: tuple[Page, ...] = (
    Page(
        "W500",
        "hook on an unknown name",
        "A hook must name a routine, phase, action, value or invariant. To hook an event of a trait or row from "
        "outside, write both names: `row.action`.",
        "after eet(f): strike(f, f)",
        "after eat(f): strike(f, f)",
    ),
    Page(
        "W501",
        "wrong kind of hook",
        "Use `modify` with values and invariants. Use `forbid`, `before`, `after`, `instead of` and `react to` with"
        " routines, phases and actions.",
        "forbid hunger(f) when f.sated",
        "modify hunger(f): = 0 when f.sated",
    ),
    Page(
        "W502",
        "removed name",
        "A mod has removed something that this rule uses. The message shows the mod and the line. Change the rule, "
        "or do not use it together with that mod.",
    ),
    Page(
        "W503",
        "replacement does not fit",
        "`replace` gives a phase, action, routine or value a new body. The original must exist and be of that kind. "
        "Its signature must stay the same, because other rules call it. `always`, `in steps` and `in owner's order` "
        "are part of the signature. You get a warning if the new declaration drops `free` or `once per`.",
        "# in a mod\nreplace routine eat(fish f): nothing",
        "# in a mod\nreplace routine eat(fish f, food kind, int n): nothing",
    ),
    Page(
        "W504",
        "two mods replace the same rules",
        "Two mods replace the same declaration, and neither mod comes after the other. Write `after:` in one mod, "
        "remove one of the mods, or add a third mod after both that replaces the declaration again. Players can "
        "also choose the order: in `--mod one,other`, the last mod wins.",
        "# in a mod\nreplace routine strike(fish hunter, fish prey): bite(prey, hunter)\n"
        "replace routine strike(fish hunter, fish prey): bite(hunter, prey)",
        "# in a mod\nreplace routine strike(fish hunter, fish prey): bite(hunter, prey)",
    ),
    Page(
        "W505",
        "core rule names a trait",
        "Traits hook the core rules, so that a game works with or without any trait. The core rules therefore must "
        "not name a trait. Read a value in the core rules, and let the trait modify this value.",
        "value slow(fish f) -> bool: f has finned",
        "value slow(fish f) -> bool: false\n# in a trait\nmodify slow(self): or true",
    ),
    Page(
        "W506",
        "choice or chance before an `ensure`",
        "rulelang tries an action on a copy of the game, to see whether each `ensure` is true. Before the last "
        "`ensure`, the rules must not ask a player or use chance. This excludes choices, rolls, draws, shuffles and "
        "offers, in hooks too. After the last `ensure`, all of them are allowed.",
        "action dive(fish f of actor) during feeding:\n  roll 1d6 as r\n  f.weight = r\n  ensure f is hungry",
        "action dive(fish f of actor) during feeding:\n  f.weight = 1\n  ensure f is hungry",
    ),
    Page(
        "W507",
        "value that depends on itself",
        "A value, a requirement or a modification depends on itself, directly or through others, so the calculation "
        "would never end. The message shows the cycle. To break it, read an attribute at one point instead.",
        "value depth(fish f) -> int: depth(f) + 1",
        "value depth(fish f) -> int: f.weight + 1",
    ),
    Page(
        "W509",
        "called without a bearer",
        "This routine or value of a trait or row uses its bearer, but an `always` rule calls it, and `always` rules "
        "have no bearer. Pass the things that the routine or value needs as arguments.",
        "# in a trait\nvalue tired -> bool: this.trips > 3\nalways modify hungry(f): or f.sated and tired",
        "# in a trait\nvalue tired(card c) -> bool: c.trips > 3\n"
        "always modify hungry(f): or any(card c on f where tired(c))",
    ),
    Page(
        "W510",
        "too many parts in a pattern",
        "A pattern can have at most one part for each parameter of the event. Remove the extra parts.",
        "forbid strike(any, any, any)",
        "forbid strike(any, any)",
    ),
    Page(
        "W512",
        "order of hooks is undefined",
        "Two files of the same layer hook the same event in the same way, and the order of files is not "
        "significant. Put both hooks in one file, or move one hook to a mod with `after:`.",
    ),
    Page(
        "W513",
        "`copy` without a bearer",
        "With `copy cards on X`, a thing works as if it also had the cards on X. That thing is the rule's bearer. "
        "So write the rule in a trait whose cards are on things, and without `always`.",
        "# in a trait\nalways copy cards on first(fish f)",
        "# in a trait\ncopy cards on first(fish f)",
    ),
    Page(
        "W514",
        "hook that is never in effect",
        "A card's hooks are in effect while the card is in a zone with `in_force: true`, and this card type has no "
        "such zone. Add `in_force: true` to a zone. If the hook must apply wherever the card is, write `always`. (A "
        "card's actions are also offered from zones with `playable: true`.)",
        "# in a card\nafter feeding: nothing",
        "# in a card\nalways after feeding: nothing",
    ),
    Page(
        "W515",
        "two mods set the same value",
        "Two mods use `modify VALUE: =` for the same value, and neither mod comes after the other, so the result "
        "would be arbitrary. Write `after:` in one mod, or add a third mod after both that sets the value again. "
        "Players can also choose the order: in `--mod one,other`, the last mod wins.\n\n"
        "rulelang does not compare rules that need a bearer. It also allows rules that set the same value, and "
        "rules whose patterns or conditions never apply together (`when option.cold`, `unless option.cold`).",
    ),
    Page(
        "W516",
        "event without a bearer",
        "In a pattern, `of` names the bearer of an action that belongs to a trait or row. Core events, `always` "
        "rules, routines and values have no bearer. Name their arguments in the parentheses. A row's action has "
        "only that row as its bearer.",
        "before eat(any, plant) of f: f.weight = 1",
        "before eat(f, plant): f.weight = 1",
    ),
    Page(
        "W517",
        "action that is never offered",
        "`during` names the phases in which a player can choose an action. Such a phase must contain an `offer`, "
        "and a rule must run the phase. Here, the phase has no `offer`, or no rule runs it. Add an `offer`, run the "
        "phase, or name another phase after `during`.",
        "after feeding: resting\nphase resting:\n  for player p: p.bag += 1\naction nap(fish f of actor) during "
        "resting: f.weight = 1",
        "after feeding: resting\nphase resting:\n  turns p from start once each: offer one action to p or pass\n"
        "action nap(fish f of actor) during resting: f.weight = 1",
    ),
    Page(
        "W518",
        "hook that never runs",
        "The condition of this hook requires a phase, but its event happens only in other phases. An action happens "
        "in the phases that offer it, and a routine happens in the phases that run it. Use one of those phases in "
        "the condition.",
        "after graze when phase == resting: water = 1\nafter feeding: resting\nphase resting: water = 2",
        "after graze when phase == feeding: water = 1\nafter feeding: resting\nphase resting: water = 2",
    ),
    Page(
        "W520",
        "`ensure` outside actions",
        "rulelang tests an `ensure` before it offers an action, and does not offer the action if the test fails. "
        "The game's flow and the hooks on it run automatically, so nothing can be refused there. Use an `if`. Or "
        "put a `require` at the top of the routine: if it is false, the routine does not run.",
        "after feeding: rise\nroutine rise:\n  water += 1\n  ensure water < 9",
        "after feeding: rise\nroutine rise:\n  require water < 8\n  water += 1",
    ),
    Page(
        "W521",
        "routines that never end",
        "A routine calls itself, or routines call each other in a cycle, and nothing can end the cycle. No call is "
        "inside an `if` or a loop, no routine has a `require`, and no hook forbids, replaces or stops one of them. "
        "The game would stop with X606. Put one of the calls inside an `if`, or begin a routine with a `require`.",
        "routine sink(fish f):\n  f.sated = true\n  sink(f)",
        "routine sink(fish f):\n  f.sated = true\n  if f.weight > 3: sink(f)",
    ),
    Page(
        "W522",
        "recursion may be too deep",
        "A routine calls itself, directly or through others, for another row of a list or space of a grid. If there "
        "are more than 200 rows or spaces, the calls may be nested too deeply, and the game would stop (X606). "
        "Write a loop that repeats until nothing changes. For example, this loop marks all fields that can be "
        "reached:\n\n    repeat until no(field f where not f.wet and any(field g in neighbours(f) where "
        "g.wet)):\n      for field f where not f.wet and any(field g in neighbours(f) where g.wet): f.wet = true",
        "routine soak(field f):\n  require not f.wet\n  f.wet = true\n  for field g in neighbours(f): soak(g)",
        "routine soak(field f): f.wet = true",
    ),
    Page(
        "W530",
        "unknown place in rules",
        "A patch names a place in the rules of earlier layers. The place begins with a declaration (`strike`, "
        "`game`, `row.action`). After the dot comes a label, the first word of a statement, or the name that a "
        "statement calls, sets or binds. If several statements match, select one in brackets by its text or its "
        'subject: `strike.require["it is full"]`, `lure.forbid[eat]`.',
        "# in a mod\nremove graze.requires",
        "# in a mod\nremove graze.require",
    ),
    Page(
        "W531",
        "place selected by position",
        "The next version of the patched rules may have its statements in another order, and then the patch would "
        "change the wrong statement. Select the statement by its reason, its condition or its whole text.",
        "# in a mod\nremove graze.require[1]",
        "# in a mod\nremove graze.require",
    ),
    Page(
        "W532",
        "patch does not fit its place",
        "You can insert statements before and after statements, and replace statements with statements. You can "
        "replace a hook only with a hook. To add something before or after a whole routine, write a hook.",
        "# in a mod\ninsert after strike: nothing",
        "# in a mod\nafter strike: nothing",
    ),
    Page(
        "W533",
        "rules changed twice",
        "Two mods change the same place in the rules, and neither mod comes after the other, so one change would be "
        "lost. Write `after:` in one mod, or add a third mod after both that changes the place again. Players can "
        "also choose the order: in `--mod one,other`, the last mod wins.\n\n"
        "A mod can change each place only once. Its patches name places in the rules as they were before any of its "
        "changes.",
        "# in a mod\nremove graze.require\nreplace graze: nothing",
        "# in a mod\nremove graze.require",
    ),
    Page(
        "W534",
        "patch without effect",
        "This patch replaces something with the same text, or removes something that an earlier mod has already "
        "removed. Delete the patch.",
        "# in a mod\nreplace graze.eat: eat(f, plant, 1)",
        "# in a mod\nreplace graze.eat: eat(f, meat, 1)",
    ),
)
