"""Codes of types in rules (T4xx): what fits where, and which statement stands where."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "T400",
        "another type is expected",
        "A number stands where a condition is expected, a fish where a player is, and so on. The message says what is "
        "expected and because of what.",
        "routine feed(fish f): eat(f, plant, f)",
        "routine feed(fish f): eat(f, plant, f.weight)",
    ),
    Page(
        "T401",
        "a wrong number of arguments",
        "A call gives each parameter one argument. Only in the pattern of a hook trailing parts may be left off.",
        "routine feed(fish f): eat(f, plant)",
        "routine feed(fish f): eat(f, plant, 1)",
    ),
    Page(
        "T403",
        "this may be missing",
        "What is read through a `maybe` may be missing. In a condition that makes it false, and a statement does not "
        "happen; but a `let` or a value needs a result: say what holds then with `otherwise`, or make the result "
        "`maybe` too.",
        "value beside(fish f) -> int: right_of(f).weight",
        "value beside(fish f) -> int: right_of(f).weight otherwise 0",
    ),
    Page(
        "T404",
        "never missing",
        "`otherwise`, `is present` and `is missing` go with what may be missing; this never is.",
        "value heavy(fish f) -> int: limit otherwise 0",
        "value heavy(fish f) -> int: f.mark otherwise 0",
    ),
    Page(
        "T405",
        "this cannot be changed",
        "State, attributes, tables and the place of a thing change. Parameters and `let` names are fixed, columns are "
        "printed, numbers and options hold for the whole game, values are computed, and cards are moved.",
        "routine feed(fish f, int n):\n  n = 3\n  eat(f, plant, n)",
        "routine feed(fish f, int n):\n  let m = min(n, 3)\n  eat(f, plant, m)",
    ),
    Page(
        "T406",
        "not comparable",
        "Only things of one type are compared, and only numbers, levels of ladders and orders are more or less than "
        "another.",
        "value same(fish f, player p) -> bool: f == p",
        "value same(fish f, player p) -> bool: f.owner == p",
    ),
    Page(
        "T407",
        "a zone is expected",
        "Cards are moved, drawn and shuffled in zones: `deck`, `p.hand`, `hand of p`, `box`. Where each player or "
        "thing has a zone of that name, it must be said whose is meant.",
        "routine deal: draw 1 from deck to hand",
        "routine deal(player p): draw 1 from deck to p.hand",
    ),
    Page(
        "T408",
        "not a single value",
        "Zones and `neighbours(x)` are several things. Rules run over them with a binder or ask what is in them.",
        "value cards(player p) -> int: p.hand",
        "value cards(player p) -> int: count(card c in p.hand)",
    ),
    Page(
        "T409",
        "cards of another sort",
        "Each zone holds one sort of cards.",
        "routine tidy: for tool t in rack: move t to discards",
        "routine tidy: for card c in deck: move c to discards",
    ),
    Page(
        "T410",
        "this does not go with the binder",
        "Things made in play have owners (`of`), cards lie `in` zones or `on` things, rows are `in` sets, numbers and "
        "players go `from`. `secretly` goes with one player, `first` with one binder.",
        "value reds -> int: count(colour c of actor)",
        "value reds -> int: count(fish f of actor)",
    ),
    Page(
        "T411",
        "numbers without an end",
        "`int n` runs over numbers, so it says from where to where.",
        "action bid(int n) during feeding: water = n",
        "action bid(int n from 1 to 6) during feeding: water = n",
    ),
    Page(
        "T412",
        "not a predicate",
        "After `is` stands `present`, `missing`, `empty`, `working`, a value with one argument that is true or false, "
        "or an attribute of that type.",
        "value calm(fish f) -> bool: f is hungri",
        "value calm(fish f) -> bool: f is hungry",
    ),
    Page(
        "T413",
        "no traits, conditions or cards there",
        "`x has TRAIT` asks a thing on which trait cards lie, `c meets REQ` a column of type `condition on LIST` whose "
        "`counted_by` is a value, and `copy cards on x` copies from a thing.",
        "# in a mod\nvalue hidden(player p) -> bool: p has shy",
        "# in a mod\nvalue hidden(fish f) -> bool: f has shy",
    ),
    Page(
        "T414",
        "not for this kind",
        "`left_of`, `right_of`, `position` and `neighbours` go with things that lie in a row (`line: true`), "
        "`adjacent` with those and with spaces of a grid, `step` with ladders, `forbids` with conditions.",
        "value beside(frog f) -> maybe frog: left_of(f)",
        "value beside(fish f) -> maybe fish: left_of(f)",
    ),
    Page(
        "T415",
        "a requirement in the middle",
        "`require` lines say when a routine or action is possible; they are asked before it begins, so they open it.",
        "routine feed(fish f):\n  f.sated = true\n  require f is hungry",
        "routine feed(fish f):\n  require f is hungry\n  f.sated = true",
    ),
    Page(
        "T416",
        "compulsory elsewhere",
        "`compulsory` opens an action: while the action is possible, the pass is hidden.",
        "routine feed(fish f):\n  compulsory\n  f.sated = true",
        "action feed(fish f of actor) during feeding:\n  compulsory\n  f.sated = true",
    ),
    Page(
        "T417",
        "stop, redirect or proceed elsewhere",
        "`stop` and `redirect` stand in a `react to`, `proceed` in an `instead of`: elsewhere there is nothing to stop "
        "or to run.",
        "after strike(hunter, prey) when prey.sated and hunter.sated: stop",
        "react to strike(hunter, prey) when prey.sated and hunter.sated: stop",
    ),
    Page(
        "T418",
        "an offer outside a phase",
        "`offer` offers the actions of the phase it stands in. A response is a phase that a routine opens.",
        "routine ask(player p): offer one action to p",
        "phase ask: offer one action to actor",
    ),
    Page(
        "T419",
        "called where it cannot be",
        "Routines and phases are called as statements, values in expressions; an action is chosen by a player, so what "
        "it does for others to use stands in a routine.",
        "routine feed(fish f): hunger(f)",
        "routine feed(fish f): eat(f, plant, hunger(f))",
    ),
    Page(
        "T420",
        "wrong brackets",
        "Tables, rows of numbers, and columns or state kept for each row of a list are read with brackets; the number "
        "of parts is that of the declaration.",
        "value price -> int: prices",
        "value price -> int: prices[1]",
    ),
    Page(
        "T421",
        "another kind of modification",
        "A number is modified with `= + - * / %`, `at least` and `at most`, a condition with `=`, `or` and `and`, "
        "anything else with `=`.",
        "modify hunger: or true",
        "modify hunger: + 1",
    ),
    Page(
        "T422",
        "cannot be made or removed so",
        "Only the kinds under `kinds:` are made and removed. What is `in` a place says where, and only what lies in a "
        "row (`line: true`) is made `at` a side.",
        "routine spawn(player p): create frog of p",
        "routine spawn(player p): create frog of p in north",
    ),
    Page(
        "T423",
        "a card of several copies",
        "A card's name stands for a single card; this row has several copies. Choose or query one of them. To ask "
        "whether a card is one of these, give the rows a column that tells them apart, such as a `bool`, and ask it.",
        "routine tidy: move rod to rack",
        "routine tidy: move net to rack",
    ),
    Page(
        "T424",
        "not a score or tiebreak",
        "The end of the game asks `score(player) -> int` and, if there is one, `tiebreak(player) -> order`.",
    ),
    Page(
        "T425",
        "braces in a text",
        "In `tells` and `because`, `{s}` is replaced by the name or number of what stands in it, and `{n:leaf|leaves}` "
        "by the form of a word that the number takes: that of one, or of any other. Braces are closed and not empty, "
        "and sets and orders cannot be told.",
        'routine feed(fish f):\n  tells "{f eats"\n  f.sated = true',
        'routine feed(fish f):\n  tells "{f} eats"\n  f.sated = true',
    ),
    Page(
        "T426",
        "a die without sides",
        "A die shows a number from 1 to the number of its sides, so it has one side at least.",
        "routine cast: roll 1d0 as n",
        "routine cast: roll 1d6 as n",
    ),
    Page(
        "T430",
        "a division by zero",
        "Nothing can be divided by 0. Where a number of `numbers:` is 0, for some numbers of players or for all, this "
        "is only a warning: the division may stand behind a test.",
        "value half -> int: limit / 0",
        "value half -> int: limit / 2",
    ),
    Page(
        "T431",
        "a number that is too large",
        "Rules calculate with whole numbers from -9,223,372,036,854,775,807 to 9,223,372,036,854,775,807.",
        "value vast -> int: 999999999 * 999999999 * 999999999",
        "value vast -> int: 999999999 * 999999999",
    ),
    Page(
        "T432",
        "words of a question that is not asked",
        "The text at the end of a `choose`, of an `offer` or of an argument is the words of a question to a player. "
        "Chance is asked nothing; and the arguments of an action are asked one by one only if it is `in steps`.",
        'routine pick: choose fish f at random "to feed"',
        'routine pick: choose fish f "to feed"',
    ),
    Page(
        "T433",
        "a reason where nobody chooses",
        "Behind the `where` of a `choose` or of an argument, `because` tells a player why he cannot choose what fails "
        "it. Elsewhere nobody would ever read it.",
        'routine feed: for fish f where not f.sated because "{f} is fed": f.sated = true',
        "routine feed: for fish f where not f.sated: f.sated = true",
    ),
    Page(
        "T434",
        "a reason that no value is refused by",
        "`modify ... because` tells a player why a condition fails that `and` adds to a value. What is added otherwise "
        "refuses nothing.",
        'modify hunger(f): + 1 because "{f} is strong"',
        "modify hunger(f): + 1 when f.sated",
    ),
)
