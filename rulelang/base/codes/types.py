"""Codes of types in rules, and of statements in the wrong place (T4xx)."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "T400",
        "wrong type",
        "The expression has the wrong type: for example, it is a number where a condition is expected, or a fish "
        "where a player is expected. The message gives both types.",
        "routine feed(fish f): eat(f, plant, f)",
        "routine feed(fish f): eat(f, plant, f.weight)",
    ),
    Page(
        "T401",
        "wrong number of arguments",
        "Give each parameter one argument. Only the pattern of a hook may leave off the last parts.",
        "routine feed(fish f): eat(f, plant)",
        "routine feed(fish f): eat(f, plant, 1)",
    ),
    Page(
        "T403",
        "value may be missing",
        "A value that you read through a `maybe` may be missing. A condition on it is then false, and a statement "
        "on it does nothing. But a `let` or a value needs a result. Give a replacement with `otherwise`, or make "
        "the result `maybe` too.",
        "value beside(fish f) -> int: right_of(f).weight",
        "value beside(fish f) -> int: right_of(f).weight otherwise 0",
    ),
    Page(
        "T404",
        "value is never missing",
        "Use `otherwise`, `is present` and `is missing` only with something that may be missing. This value is "
        "always there, so remove the test.",
        "value heavy(fish f) -> int: limit otherwise 0",
        "value heavy(fish f) -> int: f.mark otherwise 0",
    ),
    Page(
        "T405",
        "value cannot be changed",
        "You can change state values, attributes, tables and the place of a thing. Parameters and `let` names are "
        "fixed, columns are printed, and values are computed. Numbers and options stay the same for the whole game."
        " Move cards with `move`.",
        "routine feed(fish f, int n):\n  n = 3\n  eat(f, plant, n)",
        "routine feed(fish f, int n):\n  let m = min(n, 3)\n  eat(f, plant, m)",
    ),
    Page(
        "T406",
        "values cannot be compared",
        "Compare only values of one type. `<`, `>`, `<=` and `>=` need numbers, levels of ladders or orders.",
        "value same(fish f, player p) -> bool: f == p",
        "value same(fish f, player p) -> bool: f.owner == p",
    ),
    Page(
        "T407",
        "expected a zone",
        "Cards are moved, drawn and shuffled in zones: `deck`, `p.hand`, `hand of p`, `box`. If each player or "
        "thing has a zone of that name, say whose zone you mean.",
        "routine deal: draw 1 from deck to hand",
        "routine deal(player p): draw 1 from deck to p.hand",
    ),
    Page(
        "T408",
        "expected a single value",
        "A zone and `neighbours(x)` contain several things. Run over them with a binder, or use a query such as "
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
        "Each word of a binder fits certain kinds. Use `of` with things made in play, `in` with cards, things and "
        "rows, `on` with cards, and `from` with numbers and players. `secretly` takes one player, and `first` takes"
        " one binder.",
        "value reds -> int: count(colour c of actor)",
        "value reds -> int: count(fish f of actor)",
    ),
    Page(
        "T411",
        "numbers without a range",
        "`int n` runs over numbers, so give both ends: `int n from 1 to 6`.",
        "action bid(int n) during feeding: water = n",
        "action bid(int n from 1 to 6) during feeding: water = n",
    ),
    Page(
        "T412",
        "unknown condition after `is`",
        "After `is`, write `present`, `missing`, `empty` or `working`. You can also write a value with one "
        "parameter, or an attribute, if it is true or false.",
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
        "`require` says when a routine or action is possible. rulelang tests it before the routine begins, so it "
        "must come first. To test something later, use `if`.",
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
        "Use `stop` and `redirect` in a `react to`, and `proceed` in an `instead of`. Other rules have no event to "
        "stop or to run.",
        "after strike(hunter, prey) when prey.sated and hunter.sated: stop",
        "react to strike(hunter, prey) when prey.sated and hunter.sated: stop",
    ),
    Page(
        "T418",
        "`offer` outside a phase",
        "`offer` offers the actions of the phase that contains it. For an offer in a routine, write a phase with "
        "the `offer`, and call the phase.",
        "routine ask(player p): offer one action to p",
        "phase ask: offer one action to actor",
    ),
    Page(
        "T419",
        "wrong kind of call",
        "Call routines and phases as statements, and values in expressions. A player chooses an action, so no rule "
        "can call it. Put the steps that others need into a routine.",
        "routine feed(fish f): hunger(f)",
        "routine feed(fish f): eat(f, plant, hunger(f))",
    ),
    Page(
        "T420",
        "wrong number of indexes",
        "Tables and rows of numbers need indexes in brackets, as in `t[a, b]`. So do columns and state values that "
        "are kept for each row of a list. Write as many indexes as the declaration has.",
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
        "You can make and remove only the kinds under `kinds:`. If the kind is declared `in` a place, say where. "
        "Use `at` only for things in a row (`line: true`).",
        "routine spawn(player p): create frog of p",
        "routine spawn(player p): create frog of p in north",
    ),
    Page(
        "T423",
        "card with several copies",
        "A card's name means a single card, but this row has several copies. Choose or query one of them. To test "
        "whether a card is one of the copies, give the rows a column that distinguishes them, such as a `bool`.",
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
        "or the plural, depending on `n`. Close each brace, and write something in it. Sets and orders cannot be "
        "part of a text.",
        'routine feed(fish f):\n  tells "{f eats"\n  f.sated = true',
        'routine feed(fish f):\n  tells "{f} eats"\n  f.sated = true',
    ),
    Page(
        "T426",
        "die without sides",
        "A die shows a number from 1 to the number of its sides, so it needs at least one side.",
        "routine cast: roll 1d0 as n",
        "routine cast: roll 1d6 as n",
    ),
    Page(
        "T430",
        "division by zero",
        "You cannot divide by 0. If a number of `numbers:` is 0 for some or all numbers of players, you get only a "
        "warning, because a test may prevent the division.",
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
        "The text at the end of a `choose`, of an `offer` or of an argument is a question to a player. Remove it "
        "from a random choice. In an action, each argument gets a question of its own only if the action is `in "
        "steps`.",
        'routine pick: choose fish f at random "to feed"',
        'routine pick: choose fish f "to feed"',
    ),
    Page(
        "T433",
        "reason that nobody sees",
        "After the `where` of a `choose` or of an argument, `because` explains why the player cannot choose "
        "something. Nobody chooses here, so remove the reason.",
        'routine feed: for fish f where not f.sated because "{f} is fed": f.sated = true',
        "routine feed: for fish f where not f.sated: f.sated = true",
    ),
    Page(
        "T434",
        "reason that is never shown",
        "`modify ... because` explains why a condition fails that the hook adds with `and`. Other modifications "
        "refuse nothing, so remove the reason.",
        'modify hunger(f): + 1 because "{f} is strong"',
        "modify hunger(f): + 1 when f.sated",
    ),
)
