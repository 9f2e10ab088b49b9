"""Codes of this room (runtime): what can go wrong while a game is played."""

from __future__ import annotations

from rulelang.base.codes.page import Page

PAGES: tuple[Page, ...] = (
    Page(
        "X601",
        "A value left its range",
        "A value that was declared with a range (`0..6`) would have become smaller or larger than it allows. The rule "
        "that wrote it is shown. Test before you write, let the statement take less, or declare the value with "
        "`clamp: true`: then it stops at the end of its range without a word.",
        bad="body_size: {is: 1..6, start: 1}      # and a rule: s.body_size += 1",
        good="body_size: {is: 1..6, start: 1, clamp: true}",
    ),
    Page(
        "X602",
        "Division by zero",
        "The right side of a division or of a remainder was 0 in this game. Test it first, or give it a lower end.",
        bad="let share = food // count(species s of p)",
        good="let share = food // max(1, count(species s of p))",
    ),
    Page(
        "X603",
        "A slot is taken already",
        "A slot holds one card, and another was moved into it. Move the card that lies there away first, or require "
        "that the slot is empty.",
        bad="move c to p.biome",
        good="move all p.biome to discard\nmove c to p.biome",
    ),
    Page(
        "X604",
        "Too many effects wait for their owners",
        "In a routine `in owner's order` the effects that it set off wait in a pool until it ends. More came together "
        "than the pool holds, mostly because they set each other off. Let them happen `once per turn`, or under a "
        "condition.",
        bad="after drawn(any):\n  draw 1 from deck to owner.hand",
        good="after drawn(any) once per turn:\n  draw 1 from deck to owner.hand",
    ),
    Page(
        "X605",
        "The rules went on too long without a decision",
        "Between two decisions only so many steps may be made (100,000 unless the ruleset says otherwise). A loop did "
        "not end, or triggers set each other off for ever. The cycle of routines that was going on is shown: break it "
        "with a condition, or with `once per turn`.",
        bad="repeat until food == 0:\n  feed(s)               # which does nothing once s is full",
        good="repeat until food == 0 or s is full:\n  feed(s)",
    ),
    Page(
        "X606",
        "The rules call each other too deeply",
        "A routine or a value called itself, directly or through others, more often than is allowed (200 times deep "
        "unless the ruleset says otherwise). The cycle is shown. A value that needs itself to be worked out has no "
        "end; a chain of triggers needs a condition that stops it.",
        bad="value size(species s) -> int: size(right_of s) + 1",
        good="value size(species s) -> int: (size(right_of s) if right_of s is present else 0) + 1",
    ),
    Page(
        "X607",
        "An invariant does not hold",
        "The ruleset states something that is true in every game (`invariant NAME: ...`), and after this step it was "
        "not. Either the step before went wrong, or the invariant says too much.",
        bad="invariant full_table: food == 20",
        good="invariant no_debt: food >= 0",
    ),
    Page(
        "X608",
        "Too much waits for one decision",
        "While a player is asked, every routine that led to the question waits in the game's state, which has room for "
        "a limited number of them. Routines that call themselves and ask at every level fill it. Ask once, outside of "
        "the recursion, or end the chain earlier.",
        bad="routine chain(species s):\n  choose species t of actor\n  chain(t)",
        good="repeat 5 times:\n  choose species t of actor\n  feed(t)",
    ),
    Page(
        "X610",
        "A number is too large",
        "Rules calculate with whole numbers from -9,223,372,036,854,775,807 to 9,223,372,036,854,775,807, and what is "
        "kept (a `let`, an argument of a routine, the ends of a range) lies between -2,147,483,648 and 2,147,483,647. "
        "In this game a calculation came to more. Take the least of it and a sensible bound.",
        bad="let size = f.weight * f.weight * f.weight * f.weight",
        good="let size = min(1000, f.weight * f.weight)",
    ),
    Page(
        "X611",
        "The game does not end",
        "A game that is played by itself (`rulelang sim`, a playout) has had more decisions than are allowed: 100,000, "
        "unless `--max-decisions` or `max_decisions=` says otherwise; or in a scenario nobody has had a choice "
        "5,000 times in a row. The round, the phase and who is asked are told. "
        "Mostly a `rounds until` waits for something that cannot come.",
        bad="rounds until round == 0: play",
        good="rounds until round == 9: play",
    ),
    Page(
        "X612",
        "Too many at once",
        "What a `for` goes over is fixed when it starts, and so is what is sorted or kept `with most`: there is room "
        "for 4,096 combinations, and for 1,000 numbers of a range whose ends are not written out. Narrow it with "
        "`where`, or nest two loops. And in one action only twice as many things as may live can come while others go: "
        "the place of what has gone is not free before the next action or phase.",
        bad="for int n from 1 to 9000 where n % 2 == 0: count_up(n)",
        good="for int n from 1 to 4000 where n % 2 == 0: count_up(n)",
    ),
    Page(
        "X613",
        "What is printed breaks an invariant",
        "An `invariant` that reads only what is printed (columns of cards and rows, `numbers:`, options) is tested by "
        "`rulelang check`, on every table that it tells apart. This one does not hold: the rows that break it are "
        "named, with what it read there. Mend the row, or the invariant. A mod that brings or sets such a row is shown "
        "at its own line.",
        bad="invariant costly: all(card c: c.cost > 0)        # and a card of cost 0",
        good="invariant costly: all(card c: c.cost > 0)        # where each card has a cost",
    ),
    Page(
        "X614",
        "Too many events in one move",
        "Between two decisions the log takes 5,000 events: sentences of `tells`, actions, triggers and rolls. "
        "Nobody reads more, and all tables of a host would wait for it. Write one sentence with a number in it, or "
        "end the loop earlier. Games that are played without a log (`rulelang sim`) are not limited.",
        bad='repeat 9000 times: tells "boo"',
        good='tells "boo, {n} times"',
    ),
    Page(
        "X609",
        "An empty slot was read",
        "A rule reads through the card in a slot (`x.tool.cost`), and no card lay there. Ask `x.tool is present` "
        "first, or say what counts instead with `otherwise`.",
        bad="value worth(place x) -> int: x.tool.cost",
        good="value worth(place x) -> int: x.tool.cost if x.tool is present else 0",
    ),
)
