"""Codes of hooks and patches, and of mistakes that only show in the whole ruleset (W5xx)."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
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
