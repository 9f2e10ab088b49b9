"""Codes of hooks and patches (W5xx), and what can only be seen from the whole."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "W500",
        "a hook on nothing",
        "A hook names a routine, phase, action, value or invariant. What a trait or row declares is named with both "
        "names outside of it: `row.action`.",
        "after eet(f): strike(f, f)",
        "after eat(f): strike(f, f)",
    ),
    Page(
        "W501",
        "a hook of the wrong kind",
        "Values and invariants are modified; routines, phases and actions are forbidden, preceded, followed, replaced "
        "or answered.",
        "forbid hunger(f) when f.sated",
        "modify hunger(f): = 0 when f.sated",
    ),
    Page(
        "W502",
        "a name that a layer has removed",
        "A mod took out what this rule names. The message says which one and where.",
    ),
    Page(
        "W503",
        "a replacement that does not fit",
        "`replace` gives a phase, action, routine or value another body. It must exist, be of that kind, and keep its "
        "signature, for others call it as before; `always`, `in steps` and `in owner's order` belong to it. If the new "
        "one is no longer `free` or `once per` something, a warning says so.",
        "# in a mod\nreplace routine eat(fish f): nothing",
        "# in a mod\nreplace routine eat(fish f, food kind, int n): nothing",
    ),
    Page(
        "W504",
        "replaced twice",
        "Two mods give one thing another body and neither comes after the other. One of them must say `after:`, or be "
        "left out, or a third one that comes after both replaces it again, or the player says who has the last word: "
        "`--mod one,other`.",
        "# in a mod\nreplace routine strike(fish hunter, fish prey): bite(prey, hunter)\n"
        "replace routine strike(fish hunter, fish prey): bite(hunter, prey)",
        "# in a mod\nreplace routine strike(fish hunter, fish prey): bite(hunter, prey)",
    ),
    Page(
        "W505",
        "core rules name a trait",
        "Traits hook the core, never the other way: so any of them can be left out, and others put in. Let the core "
        "ask a value, and the trait modify it.",
        "value slow(fish f) -> bool: f has finned",
        "value slow(fish f) -> bool: false\n# in a trait\nmodify slow(self): or true",
    ),
    Page(
        "W506",
        "a trial that is not quiet",
        "An action that reaches an `ensure` is tried on a copy, to see whether what is ensured holds. So while one can "
        "still be reached nothing may ask a player or use chance: no choice, roll, draw, shuffle or offer, in hooks "
        "neither. After the last one all of that may come.",
        "action dive(fish f of actor) during feeding:\n  roll 1d6 as r\n  f.weight = r\n  ensure f is hungry",
        "action dive(fish f of actor) during feeding:\n  f.weight = 1\n  ensure f is hungry",
    ),
    Page(
        "W507",
        "a value that calls itself",
        "A value, a requirement or a modification asks for something that asks for the first again, so there would be "
        "no end to it. The message shows the circle.",
        "value depth(fish f) -> int: depth(f) + 1",
        "value depth(fish f) -> int: f.weight + 1",
    ),
    Page(
        "W509",
        "called without a bearer",
        "A routine or value of a trait or row that speaks of its bearer is called from an `always` rule, which has "
        "none. Give it what it needs as an argument.",
        "# in a trait\nvalue tired -> bool: this.trips > 3\nalways modify hungry(f): or f.sated and tired",
        "# in a trait\nvalue tired(card c) -> bool: c.trips > 3\n"
        "always modify hungry(f): or any(card c on f where tired(c))",
    ),
    Page(
        "W510",
        "too many parts in a pattern",
        "A pattern has at most as many parts as the event has parameters.",
        "forbid strike(any, any, any)",
        "forbid strike(any, any)",
    ),
    Page(
        "W512",
        "an order that hangs on file names",
        "Two files of one layer hook one event in the same way. Nothing depends on the order of files, so both hooks "
        "stand in one file, or one of them in a mod that says `after:`.",
    ),
    Page(
        "W513",
        "a rule that copies for nobody",
        "`copy cards on X` makes a thing work as if it bore the cards on X. The thing is the one that a card of the "
        "trait lies on: so the rule stands in a trait whose cards lie on things, without `always`.",
        "# in a trait\nalways copy cards on first(fish f)",
        "# in a trait\ncopy cards on first(fish f)",
    ),
    Page(
        "W514",
        "a hook that is never in force",
        "Hooks of a card count while it lies in a zone that is `in_force`, and no zone for cards of its sort is. Let "
        "the zone where they lie say `in_force: true`; what is to count wherever the cards lie says `always`. (Actions "
        "of cards are offered from zones that are `playable` as well.)",
        "# in a card\nafter feeding: nothing",
        "# in a card\nalways after feeding: nothing",
    ),
    Page(
        "W515",
        "set by two mods",
        "Two mods say `modify VALUE: =` for the same value, and neither comes after the other; so it would be left to "
        "chance which counts. One of them must say `after:`, or a third one that comes after both sets it again, or "
        "the player says who has the last word: `--mod one,other`. Rules that need a bearer are not compared, nor such "
        "that say the same or whose patterns or conditions keep them apart (`when option.cold`, `unless option.cold`).",
    ),
    Page(
        "W516",
        "nothing of that name bears it",
        "What stands behind `of` in a pattern is who bears an action of a trait or row. Events of the game's own rules "
        "and what is `always` are borne by nothing; routines and values say all that they take in brackets. The action "
        "of a row is borne by that row alone.",
        "before eat(any, plant) of f: f.weight = 1",
        "before eat(f, plant): f.weight = 1",
    ),
    Page(
        "W517",
        "an action that is never offered",
        "An action can be chosen where a phase that stands behind `during` says `offer`, and where the game comes to "
        "that phase. This one is done during a phase that asks nobody, or that no rule runs, so nobody can ever choose "
        "it. Let the phase offer actions, or write a phase behind `during` that does.",
        "after feeding: resting\nphase resting:\n  for player p: p.bag += 1\naction nap(fish f of actor) during "
        "resting: f.weight = 1",
        "after feeding: resting\nphase resting:\n  turns p from start once each: offer one action to p or pass\n"
        "action nap(fish f of actor) during resting: f.weight = 1",
    ),
    Page(
        "W518",
        "a hook that waits for a phase in vain",
        "The condition of a hook asks for a phase, and what it hooks on happens in other phases only: an action in "
        "those that offer it, a routine in those that run it. So the hook never runs.",
        "after graze when phase == resting: water = 1\nafter feeding: resting\nphase resting: water = 2",
        "after graze when phase == feeding: water = 1\nafter feeding: resting\nphase resting: water = 2",
    ),
    Page(
        "W520",
        "an `ensure` outside of actions",
        "What an action ensures is tried before it is offered, and the action is not offered if that fails. What the "
        "flow of the game or a hook on it does happens by itself: there is nothing that could be refused. Let it hang "
        "on an `if`, or on a `require` that opens the routine, which then does not happen.",
        "after feeding: rise\nroutine rise:\n  water += 1\n  ensure water < 9",
        "after feeding: rise\nroutine rise:\n  require water < 8\n  water += 1",
    ),
    Page(
        "W521",
        "routines that never end",
        "A routine calls itself, or routines call each other in a circle, and nothing on the way is a condition: no "
        "`if`, no loop, no `require`, no hook that forbids, replaces or stops one of them. The first call would go on "
        "until the rules call each other too deeply (X606).",
        "routine sink(fish f):\n  f.sated = true\n  sink(f)",
        "routine sink(fish f):\n  f.sated = true\n  if f.weight > 3: sink(f)",
    ),
    Page(
        "W522",
        "routines that may call too deeply",
        "A routine calls itself, directly or through others, and goes on to another row of a list or space of a grid. "
        "If there are more than 200 of them, the calls may become too deep, and the game stops (X606). Write a loop "
        "instead that repeats until nothing changes. For example, this marks all fields that can be reached:\n\n"
        "    repeat until no(field f where not f.wet and any(field g in neighbours(f) where g.wet)):\n"
        "      for field f where not f.wet and any(field g in neighbours(f) where g.wet): f.wet = true",
        "routine soak(field f):\n  require not f.wet\n  f.wet = true\n  for field g in neighbours(f): soak(g)",
        "routine soak(field f): f.wet = true",
    ),
    Page(
        "W530",
        "a place in rules that is not there",
        "A patch of rules names a place in the layers below: a declaration (`strike`, `game`, `row.action`), and what "
        "is found in it: a label, the word a statement begins with, what it calls, sets or binds. Brackets pick one of "
        'several, by its text or what it is about: `strike.require["it is full"]`, `lure.forbid[eat]`.',
        "# in a mod\nremove graze.requires",
        "# in a mod\nremove graze.require",
    ),
    Page(
        "W531",
        "a place found by counting",
        "The next version of the rules below may have its statements in another order, and then the patch changes "
        "another one. Say which one is meant: by its reason, its condition, or its whole text.",
        "# in a mod\nremove graze.require[1]",
        "# in a mod\nremove graze.require",
    ),
    Page(
        "W532",
        "a patch that does not fit its place",
        "Statements are inserted beside statements and replace statements; a hook is replaced with a hook. What comes "
        "before or after a whole routine is a hook of its own.",
        "# in a mod\ninsert after strike: nothing",
        "# in a mod\nafter strike: nothing",
    ),
    Page(
        "W533",
        "rules that are changed twice",
        "Two mods change one place of the rules and neither comes after the other, so one of the two would be lost. "
        "Let one say `after:` the other; or lay a third mod after both that changes it again; or, "
        "as a player, say who has the last word: `--mod one,other`. Within one mod each place is changed once; places "
        "are those before anything is changed.",
        "# in a mod\nremove graze.require\nreplace graze: nothing",
        "# in a mod\nremove graze.require",
    ),
    Page(
        "W534",
        "a patch of rules that changes nothing",
        "It replaces something with what says the same, or takes out what another mod takes out before it.",
        "# in a mod\nreplace graze.eat: eat(f, plant, 1)",
        "# in a mod\nreplace graze.eat: eat(f, meat, 1)",
    ),
)
