"""Codes of types in rules, and of statements in the wrong place (T4xx)."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
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
