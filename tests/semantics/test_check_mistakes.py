"""Each mistake is told at its place: code, line, column and end column."""

from __future__ import annotations

import pytest

from rulelang.base.codes import CODES
from tests.semantics.check_pond import first, told

CASES = {
    # names
    "value thrown(card c) -> bool: c in discard": [("N350", 1, 36, 43)],
    "value mild(fish f) -> bool: f.weight < limitt": [("N350", 1, 40, 46)],
    "routine paint:\n  let c = green\n  show(c)\nroutine show(light l): nothing": [("N351", 2, 11, 16)],
    "routine eat(fish f): nothing": [("N352", 1, 9, 12)],
    "value position(fish f) -> int: 1": [("N353", 1, 7, 15)],
    "routine feed(fsh f): nothing": [("N354", 1, 14, 17)],
    "routine feed:\n  for fsh f: nothing": [("N354", 2, 7, 10)],
    "value v(maybe bool b) -> int: 1": [("N354", 1, 9, 19)],
    "value mild(fish f) -> bool: f.wait < 3": [("N355", 1, 31, 35)],
    "value mild(int n) -> bool: n.weight < 3": [("N355", 1, 30, 36)],
    "routine feed(fish f): eatt(f, plant, 1)": [("N356", 1, 23, 27)],
    "value v(fish f) -> int: hungar(f)": [("N356", 1, 25, 31)],
    "action rest during feedings: nothing": [("N357", 1, 20, 28)],
    "action rest during eat: nothing": [("N357", 1, 20, 23)],
    "routine feed(fish f):\n  let n = hunger(f)\n  eat(f, plant, 1)": [("N358", 2, 7, 8)],
    "forbid eat(f, plnt) when f.sated": [("N359", 1, 15, 19)],
    "value frost -> bool: option.colder": [("N361", 1, 29, 35)],
    "forbid strike(any, self)": [("N362", 1, 20, 24)],
    "value v -> int: self.weight": [("N362", 1, 17, 21)],
    "# in a trait\nalways modify hungry(self): or true": [("N362", 2, 22, 26)],
    "# in a trait\nafter strike(any, self): strike(self, partner)": [("N362", 2, 39, 46)],
    "after eat(f) once per day: strike(f, f)": [("N363", 1, 1, 40)],
    "routine meet(fish f, fish f): nothing": [("N364", 1, 22, 28)],
    "forbid strike(f, f) when f.sated": [("N364", 1, 18, 19)],
    # types
    "routine feed(fish f): eat(f, plant, f)": [("T400", 1, 37, 38)],
    "value v(fish f) -> bool: f.weight": [("T400", 1, 26, 34)],
    "value v(fish f) -> int: 1 if f.weight else 2": [("T400", 1, 30, 38)],
    "value v(fish f) -> int: f.sated + 1": [("T400", 1, 25, 32)],
    "routine feed(fish f): f.sated += 1": [("T400", 1, 23, 30)],
    "routine feed(fish f): move f to deck": [("T400", 1, 28, 29)],
    "routine feed(player p): turns q from water once each: eat(first(fish f of q), plant, p.bag)": [
        ("T400", 1, 38, 43)
    ],
    "routine feed(fish f): eat(f, plant)": [("T401", 1, 23, 36)],
    "value v -> int: hunger": [("T401", 1, 17, 23)],
    "value v(fish f) -> int: position(f, f)": [("T401", 1, 25, 39)],
    "value beside(fish f) -> int: right_of(f).weight": [("T403", 1, 30, 48)],
    "value beside(fish f) -> int: right_of(f).weight + 1 if f.sated else 0": [("T403", 1, 30, 52)],
    "value beside(fish f) -> fish: right_of(f)": [("T403", 1, 31, 42)],
    "value beside(fish f) -> int: hunger(right_of(f))": [("T403", 1, 30, 49)],
    "routine feed(fish f):\n  let n = right_of(f).weight\n  eat(f, plant, n)": [("T403", 2, 11, 29)],
    "routine feed(fish f): f.size = none": [("T403", 1, 32, 36)],
    "routine feed(fish f): strike(f, none)": [("T403", 1, 33, 37)],
    "value heavy(fish f) -> int: limit otherwise 0": [("T404", 1, 29, 46)],
    "value v -> bool: limit is missing": [("T404", 1, 18, 34)],
    "routine feed(fish f, int n): n = 3": [("T405", 1, 30, 31)],
    "routine feed(tool t): t.cost = 3": [("T405", 1, 23, 29)],
    "routine feed: limit = 3": [("T405", 1, 15, 20)],
    "routine feed(fish f): hunger(f) = 3": [("T405", 1, 23, 32)],
    "value same(fish f, player p) -> bool: f == p": [("T406", 1, 39, 45)],
    "value same(food a, food b) -> bool: a < b": [("T406", 1, 37, 42)],
    "value v(fish f) -> order: f then f.weight": [("T406", 1, 27, 28)],
    "routine deal: draw 1 from deck to hand": [("T407", 1, 35, 39)],
    "routine deal(fish f): draw 1 from dek to f.traits": [("T407", 1, 35, 38)],
    "routine deal(fish f): draw 1 from deck to f.hand": [("T407", 1, 45, 49)],
    "value v(fish f) -> bool: f in water": [("T407", 1, 31, 36)],
    "value cards(player p) -> int: p.hand": [("T408", 1, 33, 37)],
    "value cards -> int: deck": [("T408", 1, 21, 25)],
    "value v(fish f) -> fish: neighbours(f)": [("T408", 1, 26, 39)],
    "routine tidy: for tool t in rack: move t to discards": [("T409", 1, 40, 41)],
    "routine tidy: for tool t in deck: nothing": [("T409", 1, 29, 33)],
    "routine tidy: draw 1 from rack to deck": [("T409", 1, 27, 31)],
    "value reds -> int: count(colour c of actor)": [("T410", 1, 38, 43)],
    "value v -> bool: any(fish f from actor)": [("T410", 1, 34, 39)],
    "value v -> maybe fish: first(fish f, fish g)": [("T410", 1, 38, 44)],
    "routine v: secretly for fish f: f.sated = true": [("T410", 1, 25, 31)],
    "value v -> int: sum(int n: n)": [("T411", 1, 21, 26)],
    "value calm(fish f) -> bool: f is hungri": [("T412", 1, 34, 40)],
    "value calm(fish f) -> bool: f.size is small": [("T412", 1, 39, 44)],
    "# in a mod\nvalue hidden(player p) -> bool: p has shy": [("T413", 2, 33, 34)],
    "value v(fish f) -> bool: f meets limit": [("T413", 1, 34, 39)],
    "value v(fish f, tool t) -> bool: f meets (t.need if f.sated else limit)": [("T400", 1, 42, 72)],
    "value v(fish f, tool t, tool u) -> bool: f meets (t.need if f.sated else u.need)": [("T400", 1, 42, 43)],
    "value v(fish f, tool t) -> bool: f meets t.need": [("T400", 1, 34, 35)],
    "value beside(frog f) -> maybe frog: left_of(f)": [("T414", 1, 45, 46)],
    "value v(food f) -> maybe food: step(f, 1)": [("T414", 1, 37, 38)],
    "routine feed(fish f):\n  f.sated = true\n  require f is hungry": [("T415", 3, 3, 22)],
    "after strike(f, any):\n  require f is hungry": [("T415", 2, 3, 22)],
    "routine feed(fish f):\n  compulsory\n  f.sated = true": [("T416", 2, 3, 13)],
    "after strike(a, b) when a.sated and b.sated: stop": [("T417", 1, 46, 50)],
    "routine feed: proceed": [("T417", 1, 15, 22)],
    "before strike(f, any): redirect strike(f, f)": [("T417", 1, 24, 45)],
    "routine ask(player p): offer one action to p": [("T418", 1, 24, 45)],
    "routine feed(fish f): hunger(f)": [("T419", 1, 23, 29)],
    "routine feed(fish f): graze(f)": [("T419", 1, 23, 28)],
    "value v(fish f) -> int: eat(f, plant, 1)": [("T419", 1, 25, 28)],
    "value v -> int: feeding": [("T419", 1, 17, 24)],
    "value price -> int: prices": [("T420", 1, 21, 27)],
    "value price -> int: limit[1]": [("T420", 1, 21, 29)],
    "value price(fish f) -> int: shoal[f]": [("T420", 1, 29, 37)],
    "value price(tool t) -> int: t.shows": [("T420", 1, 29, 36)],
    "modify hunger: or true": [("T421", 1, 19, 23)],
    "modify hungry: + 1": [("T421", 1, 18, 19)],
    "routine spawn(player p): create frog of p": [("T422", 1, 26, 42)],
    "routine spawn(player p): create tool of p": [("T422", 1, 33, 37)],
    "routine spawn(player p): create fish of p in north": [("T422", 1, 46, 51)],
    "routine drop(card c): remove c": [("T422", 1, 30, 31)],
    "routine tidy: move rod to rack": [("T423", 1, 20, 23)],
    'routine feed(fish f):\n  tells "{f eats"\n  f.sated = true': [("T425", 2, 10, 11)],
    'routine feed(fish f):\n  tells "a {} eats"\n  f.sated = true': [("T425", 2, 13, 13)],
    'routine feed(fish f):\n  tells "{f.weight:pound}"\n  f.sated = true': [("T425", 2, 11, 25)],
    'routine feed(fish f):\n  tells "{f.weight:a|b|c}"\n  f.sated = true': [("T425", 2, 11, 25)],
    'routine feed(fish f):\n  tells "{f:a|b}"\n  f.sated = true': [("T400", 2, 11, 12)],
    'routine feed(fish f):\n  tells "see {g}"\n  f.sated = true': [("N350", 2, 15, 16)],
    'routine feed(fish f):\n  require f is hungry because "not {f.wait}"': [("N355", 2, 39, 43)],
    # hooks
    "after eet(f): strike(f, f)": [("W500", 1, 7, 10)],
    "# in a trait\naction hop during feeding: nothing\n# in a mod\nforbid hop": [("W500", 4, 8, 11)],
    "forbid hunger(f) when f.sated": [("W501", 1, 8, 14)],
    "modify eat(f): + 1": [("W501", 1, 8, 11)],
    "# in a mod\nreplace routine eat(fish f): nothing": [("W503", 2, 17, 20)],
    "# in a mod\nreplace routine eet(fish f): nothing": [("W503", 2, 17, 20)],
    "# in a mod\nreplace phase eat: nothing": [("W503", 2, 15, 18)],
    "value slow(fish f) -> bool: f has finned": [("W505", 1, 35, 41)],
    "ignore shy in strike": [("W505", 1, 8, 11)],
    "action dive(fish f of actor) during feeding:\n  roll 1d6 as r\n  f.weight = r\n  ensure f is hungry": [
        ("W506", 1, 8, 12)
    ],
    "after feeding: rise\nroutine rise:\n  water += 1\n  ensure water < 9": [("W520", 4, 3, 19)],
    "value depth(fish f) -> int: depth(f) + 1": [("W507", 1, 7, 12)],
    "value a(fish f) -> int: b(f)\nvalue b(fish f) -> int: 1\nmodify b(f): + a(f)": [("W507", 1, 7, 8)],
    "# in a trait\nvalue tired -> bool: this.trips > 3\nalways modify hungry(f): or f.sated and tired": [
        ("W509", 3, 41, 46)
    ],
    "forbid strike(any, any, any)": [("W510", 1, 25, 28)],
    "before eat(any, plant) of f: f.weight = 1": [("W516", 1, 27, 28)],
    "before strike of self: nothing": [("W516", 1, 18, 22)],
    "forbid strike(any, any, f) when f.weight == 1": [("W510", 1, 25, 26)],
    "# in a trait\nalways copy cards on first(fish f)": [("W513", 2, 1, 35)],
    "# in a card\ncopy cards on first(fish f)": [("W513", 2, 1, 28), ("W514", 2, 1, 28)],
    "# in a trait\ncopy cards on first(frog f)": [("T413", 2, 15, 28)],
    "# in a card\nafter feeding: nothing": [("W514", 2, 1, 23)],
    "# in a card\nalways after feeding: nothing": [],
    "after feeding: rest\nphase rest: water = 1\naction nap during rest: water = 2": [("W517", 3, 1, 34)],
    "phase rest:\n  turns p from start once each: offer one action to p\naction nap during rest: water = 2": [
        ("W517", 3, 1, 34)  # nothing runs the phase
    ],
    "after feeding: rest\nphase rest: water = 1\naction nap during rest, feeding: water = 2": [("W517", 3, 1, 43)],
    "after feeding: rest\nphase rest: water = 1\naction a during rest: water = 2\naction b during rest: water = 3": [
        ("W517", 3, 1, 32)  # one message for a phase
    ],
    "# in a mod\naction nap during rest: water = 2\nafter feeding: rest\nphase rest: water = 1": [("W517", 2, 1, 34)],
    "after graze: ask\nphase ask:\n  for player p: offer one action to p\naction nap during ask: water = 2": [],
    "after eat(any): ask\nphase ask: offer one action to start\naction nap during ask: water = 2": [],
    "# in a mod\nreplace feeding: nothing": [],  # what it is for may be just that
    "after feeding: rest\nphase rest: rise\nroutine rise: water += 1\nafter rise when phase == feeding: water = 1": [
        ("W518", 4, 1, 44)
    ],
    "after eat(any) when phase != feeding and water > 1: water = 1": [("W518", 1, 1, 62)],
    "after eat(any) unless phase == feeding: water = 1": [("W518", 1, 1, 50)],
    "after eat(any) when phase == feeding or water > 1: water = 1": [],
    "after feeding when phase == feeding: water = 1": [],
    "routine cast(fish f):\n  roll 1d0 as r\n  f.weight = r": [("T426", 2, 3, 16)],
    "value keen(fish f) -> order: ((f.weight then 1) if water > 1 else f.weight) then 2": [],
    "value keen(fish f) -> order: ((f.weight then 1) if water > 1 else f) then 2": [("T400", 1, 67, 68)],
    "value keen(fish f) -> order: left_of(f).weight if water > 1 else 2 then 1": [("T403", 1, 30, 74)],
    "value keen(fish f) -> order:\n  if water > 1: f.weight then 1\n  else: left_of(f).weight": [("T403", 3, 9, 26)],
    "routine cast(fish f): roll 1d6 as f.sated": [("T400", 1, 35, 42)],
    "routine cast(fish f): roll 1d6 as f.owner": [("T405", 1, 35, 42)],
    "routine cast(fish f): roll 1d6 as f.nothing": [("N355", 1, 37, 44)],
    "value none_of_it -> int: water / (3 - 3)": [("T430", 1, 34, 41)],
    "value vast -> int: 999999999 * 999999999 * 999999999": [("T431", 1, 20, 53)],
}


@pytest.mark.parametrize("text", CASES)
def test_place(text: str) -> None:
    assert told(text) == CASES[text]


def test_every_code_of_rules_has_a_case() -> None:
    # in test_check_layers, test_space_names, test_deep_calls, test_rule_patches, test_questions, present/test_look,
    # texts/test_translating or test_frames
    elsewhere = {"N360", "N368", "T424", "W502", "W504", "W512", "W515", "W521", "W530", "W531", "W532", "W533", "W534"}
    elsewhere |= {"W522"}
    elsewhere |= {"N369", "N370", "N371", "N372", "N373", "N374", "N375", "N400", "N401", "N402", "N403", "N404"}
    elsewhere |= {"T432", "T433", "T434"}
    covered = {code for found in CASES.values() for code, *_ in found}
    codes = {code for code in CODES if code[0] in "TW" or (code > "N349" and code[0] == "N")}
    assert codes - covered == elsewhere


def test_independent_mistakes_come_together() -> None:
    text = "routine feed(fish f):\n  eatt(f)\n  f.wait = 1\n  strike(f)\nvalue v -> bool: limit\nforbid eet"
    assert [code for code, *_ in told(text)] == ["N356", "N355", "T401", "T400", "W500"]


def test_one_mistake_is_told_once() -> None:
    text = "routine feed(fish f):\n  let n = f.wait + 1\n  eat(f, plant, n * 2)\n  if n > 3: f.weight = n"
    assert [code for code, *_ in told(text)] == ["N355"]


def test_a_wrong_argument_names_the_signature_and_where_it_is_declared() -> None:
    mistake = first("routine feed(fish f): eat(f, plant, f)")
    assert mistake.message == "expected a number, found a `fish`"
    assert mistake.because == "`eat` takes (fish, food, int)"
    assert [r.note for r in mistake.related] == ["`eat` is declared here"]
    assert mistake.related[0].span.path.endswith("game.rules")


def test_the_nearest_name_is_proposed() -> None:
    assert first("forbid eat(f, plnt) when f.sated").hint == "did you mean `plant`?"
    assert first("routine feed(fish f): eatt(f, plant, 1)").hint == "did you mean `eat`?"
    assert first("value mild(fish f) -> bool: f.weigt < 3").hint == "did you mean `weight`?"
    assert first("after eet(f): strike(f, f)").hint == "did you mean `eat`?"
    assert first("value thrown(card c) -> bool: c in discard").hint == "did you mean `discards`?"


def test_a_circle_is_shown() -> None:
    mistake = first("value a(fish f) -> int: b(f)\nvalue b(fish f) -> int: 1\nmodify b(f): + a(f)")
    assert mistake.because == "the cycle is `a` -> `b` -> `a`"


def test_a_changed_signature_shows_both() -> None:
    mistake = first("# in a mod\nreplace routine eat(fish f): nothing")
    assert (
        mistake.because
        == "other rules use the old signature: `eat` takes (fish, food, int), but the new one takes (fish)"
    )
