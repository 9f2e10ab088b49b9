"""Codes of errors while a game is played (X6xx)."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "X601",
        "value out of range",
        "A value has a declared range (`0..6`), and a rule tried to set the value to a number outside that range. "
        "The message shows the rule. Test the number first, or change the value by less. If the declaration has "
        "`clamp: true`, the value stops at the end of its range without an error.",
        bad="body_size: {is: 1..6, start: 1}      # and a rule: s.body_size += 1",
        good="body_size: {is: 1..6, start: 1, clamp: true}",
    ),
    Page(
        "X602",
        "division by zero",
        "In this game, the right side of `/` or `%` was 0. Test the divisor first, or keep it above 0.",
        bad="let share = food / count(species s of p)",
        good="let share = food / max(1, count(species s of p))",
    ),
    Page(
        "X603",
        "slot is full",
        "A slot holds only one card, and a rule tried to move a second card into the slot. Move the first card "
        "away, or require that the slot is empty.",
        bad="move c to p.biome",
        good="move all p.biome to discard\nmove c to p.biome",
    ),
    Page(
        "X604",
        "too many waiting effects",
        "A routine `in owner's order` triggers effects that wait in a pool until it ends. The pool overflowed, "
        "usually because the effects trigger each other. Limit them with `once per turn`, or add a condition.",
        bad="after drawn(any):\n  draw 1 from deck to owner.hand",
        good="after drawn(any) once per turn:\n  draw 1 from deck to owner.hand",
    ),
    Page(
        "X605",
        "too long without a decision",
        "Between two decisions, the rules can take only a limited number of steps (100,000, unless the ruleset sets "
        "another limit). Either a loop did not end, or triggers kept triggering each other. The message shows the "
        "routines that were running. Break the cycle with a condition, or with `once per turn`.",
        bad="repeat until food == 0:\n  feed(s)               # which does nothing once s is full",
        good="repeat until food == 0 or s is full:\n  feed(s)",
    ),
    Page(
        "X606",
        "calls nested too deeply",
        "A routine or value called itself, directly or through others, more than 200 levels deep (or another limit "
        "that the ruleset sets). The message shows the cycle. A value must not depend on itself, and a chain of "
        "triggers needs a condition that ends it.",
        bad="value size(species s) -> int: size(right_of s) + 1",
        good="value size(species s) -> int: (size(right_of s) if right_of s is present else 0) + 1",
    ),
    Page(
        "X607",
        "broken invariant",
        "The ruleset states a condition that must be true after every step (`invariant NAME: ...`), and after this "
        "step the condition was false. Either the step is wrong, or the invariant is too strict.",
        bad="invariant full_table: food == 20",
        good="invariant no_debt: food >= 0",
    ),
    Page(
        "X608",
        "too many waiting routines",
        "While a player decides, every routine that led to the question waits in the state of the game. Only a "
        "limited number of routines can wait. A routine that calls itself and asks a question at every level "
        "reaches this limit. Ask once, outside the recursion, or end the recursion earlier.",
        bad="routine chain(species s):\n  choose species t of actor\n  chain(t)",
        good="repeat 5 times:\n  choose species t of actor\n  feed(t)",
    ),
    Page(
        "X610",
        "number too large",
        "Rules calculate with integers from -9,223,372,036,854,775,807 to 9,223,372,036,854,775,807. A number that "
        "is stored (a `let`, an argument of a routine, the ends of a range) must be between -2,147,483,648 and "
        "2,147,483,647. In this game, a calculation exceeded one of these limits. Limit its result with `min`.",
        bad="let size = f.weight * f.weight * f.weight * f.weight",
        good="let size = min(1000, f.weight * f.weight)",
    ),
    Page(
        "X611",
        "game does not end",
        "An automatic game (`rulelang sim`, a playout) exceeded its decision limit. The limit is 100,000, unless "
        "`--max-decisions` or `max_decisions=` sets another limit. In a scenario, the limit is 5,000 decisions in a "
        "row without a choice. The message shows the round, the phase and the question. Usually, a `rounds until` "
        "waits for something that cannot happen.",
        bad="rounds until round == 0: play",
        good="rounds until round == 9: play",
    ),
    Page(
        "X612",
        "too many items in one loop",
        "When a `for` starts, it fixes the items that it loops over. Sorting and `with most` do the same. They can "
        "hold 4,096 combinations, or 1,000 numbers of a range whose ends are not literal numbers. Filter with "
        "`where`, or nest two loops.\n\n"
        "A second limit applies to an action that removes and creates things: it can use twice as many things as "
        "can be in play. The place of a removed thing becomes free at the next action or phase.",
        bad="for int n from 1 to 9000 where n % 2 == 0: count_up(n)",
        good="for int n from 1 to 4000 where n % 2 == 0: count_up(n)",
    ),
    Page(
        "X613",
        "printed data breaks an invariant",
        "Some invariants read only printed data: columns of cards and rows, `numbers:` and options. `rulelang check` "
        "tests these invariants with all options and numbers of players for which the data differ. This invariant is "
        "false. The message names the rows that break it, and the values that it read. Fix the row or the invariant. "
        "If a mod adds or changes such a row, the message shows the line of the mod.",
        bad="invariant costly: all(card c: c.cost > 0)        # and a card of cost 0",
        good="invariant costly: all(card c: c.cost > 0)        # where each card has a cost",
    ),
    Page(
        "X614",
        "too many events in one move",
        "Between two decisions, the log can record at most 5,000 events: `tells` sentences, actions, triggers and "
        "rolls. Write one sentence that contains a number, or end the loop earlier. Games without a log (`rulelang "
        "sim`) have no such limit.",
        bad='repeat 9000 times: tells "boo"',
        good='tells "boo, {n} times"',
    ),
    Page(
        "X609",
        "empty slot",
        "A rule read a value of the card in a slot (`x.tool.cost`), but the slot was empty. Test `x.tool is "
        "present` first, or add a default with `otherwise`.",
        bad="value worth(place x) -> int: x.tool.cost",
        good="value worth(place x) -> int: x.tool.cost if x.tool is present else 0",
    ),
)
