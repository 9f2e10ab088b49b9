"""Lint rules about the order of events: steps that happen too early, too late or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rulelang.base.codes import Page
from rulelang.base.diagnostics import Related
from rulelang.base.wording import a_quoted
from rulelang.language.semantics import tree
from rulelang.language.semantics.dataflow import Fate, Fates, inner_blocks
from rulelang.language.semantics.tree import walk
from rulelang.tools.lint.rule import Finding, Rule, Subject
from rulelang.tools.lint.uses import all_declarations, calls_clause, local_name, names_in_hook

# ---- told-too-early


def find_told_too_early(subject: Subject) -> Iterator[Finding]:
    for declared in all_declarations(subject.program):
        if not subject.owns(declared.span):
            continue
        for node in walk(declared):
            if not isinstance(node, tree.For | tree.Choose):
                continue
            for binder in node.binders:
                if not _is_hidden_domain(binder.domain):
                    continue
                for tells, move in _early_log_lines(node.body, binder.local, None):
                    name = binder.local.text
                    because = f"`{name}` is not revealed yet, so other players read {a_quoted(_card_type_name(binder))}"
                    related = (Related(move.span.head(), "this reveals it"),)
                    message = f"the log shows `{{{name}}}` before it is revealed"
                    yield Finding(tells.span, message, because, "put the `tells` after the `move`", related)


def _is_hidden_domain(domain: tree.Domain) -> bool:
    """Whether these are cards of zones of which none is open to all."""
    if not isinstance(domain, tree.InZones):
        return False
    return all(isinstance(at, tree.ZoneRef) and at.zone.seen_by != "everyone" for at in domain.zones)


def _card_type_name(binder: tree.Binder) -> str:
    return binder.domain.sort if isinstance(binder.domain, tree.InZones) else "card"


def _early_log_lines(
    block: tree.Block, local: tree.Local, told: tree.Tells | None
) -> Iterator[tuple[tree.Tells, tree.Statement]]:
    """Where a card is told and then moved into the open; `told`: where that was done before the block."""
    for statement in block:
        if isinstance(statement, tree.Tells):
            if told is None and any(isinstance(p, tree.LocalRef) and p.local == local for p in statement.parts):
                told = statement
        elif isinstance(statement, tree.Move):
            if not (isinstance(statement.card, tree.LocalRef) and statement.card.local == local):
                continue
            if told is not None and isinstance(statement.to, tree.ZoneRef) and statement.to.zone.seen_by == "everyone":
                yield told, statement
            return
        elif isinstance(statement, tree.If):
            found = [
                pair for part in (statement.then, statement.otherwise) for pair in _early_log_lines(part, local, told)
            ]
            if found:
                yield found[0]
                return


TOLD_TOO_EARLY = Rule(
    "told-too-early",
    Page(
        "L834",
        "card in the log before it is revealed",
        "A log line shows a card as each player sees it at that moment. If a player cannot see the card, they see "
        "`a card`, even after the card is revealed. So move the card first, and write the line afterward. (The "
        "first `tells` in a routine or action is its title, which can show everything revealed by the end.)",
        "routine throw_all(player p):\n"
        "  for card c in p.hand:\n"
        '    tells "{p} throws {c} away"\n'
        "    move c to discards\n"
        "after dawn: for player p: throw_all(p)\n",
        "routine throw_all(player p):\n"
        "  for card c in p.hand:\n"
        "    move c to discards\n"
        '    tells "{p} throws {c} away"\n'
        "after dawn: for player p: throw_all(p)\n",
    ),
    find_told_too_early,
)


# ---- skipped-by-pass


def find_skipped_by_pass(subject: Subject) -> Iterator[Finding]:
    for declared in all_declarations(subject.program):
        if not subject.owns(declared.span):
            continue
        for node in walk(declared):
            if isinstance(node, tree.Turns):
                for offer, after in _skipped_statements(node.body, None):
                    because = "doing nothing at an offer is a pass, and a pass ends the turn that contains the offer"
                    hint = "run a phase with the offer: `phase NAME: offer any actions to active or pass`"
                    related = (Related(offer.span.head(), "a pass at this offer ends the turn"),)
                    message = "a player who passes immediately skips this"
                    yield Finding(after.span.head(), message, because, hint, related)


def _skipped_statements(block: tree.Block, after: tree.Statement | None) -> Iterator[tuple[tree.Offer, tree.Statement]]:
    """The offers of as many actions as one likes in the block of a turn, each with what follows it; `after`: what
    follows the block. Who is offered a single action does something or passes, and rules that tell these apart follow
    such an offer."""
    for number, statement in enumerate(block):
        follows = block[number + 1] if number + 1 < len(block) else after
        if isinstance(statement, tree.Offer) and not statement.one and statement.or_pass and follows is not None:
            yield statement, follows
        elif isinstance(statement, tree.If):
            for part in (statement.then, statement.otherwise):
                yield from _skipped_statements(part, follows)


SKIPPED_BY_PASS = Rule(
    "skipped-by-pass",
    Page(
        "L832",
        "end of a turn that a pass skips",
        "A player who does nothing at an offer passes, and a pass ends the turn that contains the offer. So the "
        "rest of the turn does not happen: drawing, cleaning up, paying. If it must always happen, put the offer in"
        " a phase of its own, and run this phase first. Then the pass ends the phase, and the turn continues.",
        "phase picnic:\n"
        "  turns p from start once each:\n"
        "    offer any actions to p or pass\n"
        "    p.points += 1\n"
        "action snack(snail s of actor) during picnic: eat(s, mushroom, 1)\n"
        "after dawn: picnic\n",
        "phase picnic:\n"
        "  turns p from start once each:\n"
        "    snacking\n"
        "    p.points += 1\n"
        "phase snacking: offer any actions to active or pass\n"
        "action snack(snail s of actor) during snacking: eat(s, mushroom, 1)\n"
        "after dawn: picnic\n",
    ),
    find_skipped_by_pass,
)


# ---- values that events set

#: An attribute: of which kind, and its name.
AttributeKey: TypeAlias = tuple[str, str]
#: An attribute of what a local name refers to; of all of its kind if the name is ALL.
AttributePlace: TypeAlias = tuple[str, AttributeKey]
ALL_THINGS = ""  # as `local_name` calls what is no variable


@dataclass(frozen=True, slots=True)
class Reset:
    """The value that an event leaves, as a number and as text, and the routines called on the way to it."""

    value: int
    text: str
    by: tuple[str, ...] = ()


@dataclass(slots=True)
class _ResetFrame:
    """What is known in a block: attributes with a known value, locals that hold an attribute, and what was written.

    `anything` is true if it may have written any attribute.
    """

    known: dict[AttributePlace, Reset] = field(default_factory=dict)
    holding: dict[str, AttributePlace] = field(default_factory=dict)
    written: set[AttributePlace] = field(default_factory=set)
    anything: bool = False

    def inner(self) -> _ResetFrame:
        return _ResetFrame({**self.known}, {**self.holding})

    def write(self, place: AttributePlace) -> None:
        """Forget an attribute of everything of its kind: two names may refer to one thing."""
        self.written.add(place)
        self.known = {other: reset for other, reset in self.known.items() if other[1] != place[1]}
        self.holding = {name: other for name, other in self.holding.items() if other[1] != place[1]}

    def forget(self) -> None:
        self.anything = True
        self.known, self.holding = {}, {}

    def after(self, block: _ResetFrame, but: str = "") -> None:
        """Take over what a block may have written; what it wrote of its own local `but` may be of any thing."""
        for name, key in block.written:
            self.write((ALL_THINGS if name == but else name, key))
        if block.anything:
            self.forget()

    def holds(self, e: tree.Expr) -> AttributePlace | None:
        """Return the attribute that an expression has the value of."""
        if isinstance(e, tree.LocalRef):
            return self.holding.get(e.local.name)
        return attribute_place(e) if isinstance(e, tree.AttributeRef) and isinstance(e.object, tree.LocalRef) else None


class Resets:
    """Work out what events of a program set to one value."""

    def __init__(self, program: tree.Program) -> None:
        self._events: Mapping[str, tree.Routine | tree.Action] = {**program.routines, **program.actions}
        self._values = program.values
        self._frames: dict[tuple[str, frozenset[tuple[str, AttributePlace]]], _ResetFrame] = {}
        self._reads: dict[str, frozenset[AttributePlace]] = {}

    def set_by(self, event: str) -> Mapping[AttributePlace, Reset]:
        """Return what an event sets, by its parameters."""
        return self._frame(event, frozenset()).known if event in self._events else {}

    def written(self, block: tree.Block) -> set[AttributeKey]:
        """Return the attributes that a block may write."""
        frame = _ResetFrame()
        self._block(block, frame)
        return {key for _, key in frame.written}

    def read(self, value: str) -> frozenset[AttributePlace]:
        """Return the attributes that a value reads, by its parameters, also through other values."""
        if value not in self._reads:
            self._reads[value] = frozenset()  # what calls itself reads no more by that
            found: set[AttributePlace] = set()
            declared = self._values[value]
            params = {param.name for param in declared.params}
            for name, key in self.read_in(declared.body):
                found.add((name if name in params else ALL_THINGS, key))
            self._reads[value] = frozenset(found)
        return self._reads[value]

    def read_in(self, e: object) -> set[AttributePlace]:
        """Return the attributes that an expression reads, by local names."""
        found: set[AttributePlace] = set()
        for node in walk(e):
            found |= self.read_by(node)
        return found

    def read_by(self, node: object) -> set[AttributePlace]:
        """Return the attributes that one node reads: an attribute, or a call of a value that reads some."""
        if isinstance(node, tree.AttributeRef):
            return {attribute_place(node)}
        if not isinstance(node, tree.ValueCall):
            return set()
        params = self._values[node.value].params
        named = {p.name: local_name(arg) for p, arg in zip(params, node.args, strict=False)}
        return {(named.get(name, ALL_THINGS), key) for name, key in self.read(node.value)}

    # ---- what happens

    def _frame(self, event: str, holding: frozenset[tuple[str, AttributePlace]]) -> _ResetFrame:
        """Return what is known after an event whose parameters hold these attributes."""
        asked = (event, holding)
        if asked not in self._frames:
            self._frames[asked] = _ResetFrame(anything=True)  # what calls itself may do anything meanwhile
            frame = _ResetFrame(holding=dict(holding))
            self._block(self._events[event].body, frame)
            self._frames[asked] = frame
        return self._frames[asked]

    def _block(self, block: tree.Block, frame: _ResetFrame) -> None:
        for line in block:
            self._line(line, frame)

    def _line(self, line: tree.Statement, frame: _ResetFrame) -> None:
        match line:
            case tree.Let(local=local, value=value):
                place = frame.holds(value)
                if place is not None:
                    frame.holding[local.name] = place
            case tree.Assign(target=tree.AttributeRef() as target):
                place = attribute_place(target)
                left = self._assigned(line, place, frame)
                frame.write(place)
                if left is not None and place[0] != ALL_THINGS:
                    text = str(left) if target.type.tag == "int" else ("false", "true")[left]
                    frame.known[place] = Reset(left, text)
            case tree.Roll(target=tree.AttributeRef() as target):
                frame.write(attribute_place(target))
            case tree.CallRoutine():
                self._called(line, frame)
            case tree.If():
                self._either(line, frame)
            case tree.For():
                self._each(line, frame)
            case tree.Create(kind=kind):
                frame.known = {
                    at: reset for at, reset in frame.known.items() if at[0] != ALL_THINGS or at[1][0] != kind
                }
            case tree.Offer() | tree.Redirect():
                frame.forget()
            case _:
                for block in inner_blocks(line):
                    inner = frame.inner()
                    self._block(block, inner)
                    frame.after(inner)

    def _assigned(self, line: tree.Assign, place: AttributePlace, frame: _ResetFrame) -> int | None:
        """Return the value that an attribute has after an assignment, if that is always the same."""
        if line.op == "=" and isinstance(line.value, tree.Const) and line.value.type.tag in ("int", "bool"):
            return line.value.value
        return 0 if line.op == "-=" and frame.holds(line.value) == place else None

    def _called(self, call: tree.CallRoutine, frame: _ResetFrame) -> None:
        event = self._events.get(call.routine)
        if not isinstance(event, tree.Routine):
            frame.forget()
            return
        names = ((local_name(arg), param.name) for param, arg in zip(event.params, call.args, strict=False))
        given = {name: param for name, param in names if name}
        back = {param: name for name, param in given.items()}
        holding = set()
        for param, arg in zip(event.params, call.args, strict=False):
            place = frame.holds(arg)
            if place is not None and place[0] in given:
                holding.add((param.name, (given[place[0]], place[1])))
        inner = self._frame(call.routine, frozenset(holding))
        for name, key in inner.written:
            frame.write((back.get(name, ALL_THINGS), key))
        if inner.anything:
            frame.forget()
        for (name, key), reset in inner.known.items():
            if (name == ALL_THINGS or name in back) and _happens_anyway(event, (name, key), reset, dict(holding)):
                frame.known[back.get(name, ALL_THINGS), key] = replace(reset, by=(call.routine, *reset.by))

    def _either(self, line: tree.If, frame: _ResetFrame) -> None:
        then, otherwise = frame.inner(), frame.inner()
        self._block(line.then, then)
        self._block(line.otherwise, otherwise)
        frame.after(then)
        frame.after(otherwise)
        for place, reset in then.known.items():
            other = otherwise.known.get(place)
            if other is not None and other.value == reset.value:
                frame.known[place] = min(reset, other, key=lambda one: len(one.by))

    def _each(self, line: tree.For, frame: _ResetFrame) -> None:
        """What is set for each of a kind is set for all of them, unless a later one is the reason for another value."""
        inner, last = frame.inner(), line.binders[-1]
        self._block(line.body, inner)
        mine = last.local.name
        frame.after(inner, but=mine)
        if inner.anything or not _goes_over_all(line.binders):
            return
        for (name, key), reset in inner.known.items():
            if name == mine and all(other == mine for other, written in inner.written if written == key):
                frame.known[ALL_THINGS, key] = reset


def attribute_place(e: tree.AttributeRef) -> AttributePlace:
    """Return whose attribute it is; ALL if that is not a local name."""
    return local_name(e.object), (e.kind, e.attribute.name)


def _happens_anyway(
    event: tree.Routine, place: AttributePlace, reset: Reset, holding: Mapping[str, AttributePlace]
) -> bool:
    """Whether an attribute has that value after a call even if a `require` stops it: `n > 0`, where n is its value."""
    for require in event.requires:
        match require.condition:
            case tree.Compare(op=">", left=tree.LocalRef(local=local), right=tree.Const(value=0)):
                if reset.value != 0 or holding.get(local.name) != place:
                    return False
            case _:
                return False
    return True


def _goes_over_all(binders: tuple[tree.Binder, ...]) -> bool:
    """Whether the last of these variables becomes each thing of its kind, each player or each row."""
    if any(binder.where is not None or binder.extreme is not None for binder in binders):
        return False
    *others, last = (binder.domain for binder in binders)
    if not all(isinstance(domain, tree.Players) for domain in others):
        return False
    if isinstance(last, tree.Things):
        owner = last.owner
        named = isinstance(owner, tree.LocalRef) and owner.local in [binder.local for binder in binders]
        return last.place is None and (owner is None or named)
    return isinstance(last, tree.Players | tree.Rows)


# ---- read-after-reset


def find_read_after_reset(subject: Subject) -> Iterator[Finding]:
    """Find reads of attributes whose value is known when the hook runs."""
    events: dict[str, tree.Routine | tree.Action] = {**subject.program.routines, **subject.program.actions}
    resets = Resets(subject.program)
    for hook in subject.program.triggers:
        event = events.get(hook.pattern.event)
        if hook.kind == "after" and event is not None and subject.owns(hook.span):
            yield from _reads_after_reset(hook, event, _resets_in_hook(hook, event, resets.set_by(event.id)), resets)


def _resets_in_hook(
    hook: tree.Trigger, event: tree.Routine | tree.Action, known: Mapping[AttributePlace, Reset]
) -> dict[AttributePlace, Reset]:
    """Return what an event sets, by the hook's names for its parameters."""
    found = {place: reset for place, reset in known.items() if place[0] == ALL_THINGS}
    for param, local in names_in_hook(hook, event):
        found |= {(local.name, key): reset for (name, key), reset in known.items() if name == param}
    return found


def _reads_after_reset(
    hook: tree.Trigger, event: tree.Routine | tree.Action, known: Mapping[AttributePlace, Reset], resets: Resets
) -> Iterator[Finding]:
    written = resets.written(hook.body) if known else set()
    targets = {id(node.target) for node in walk(hook.body) if isinstance(node, tree.Assign)}
    for where, changed in ((hook.guard, set()), (hook.body, written)):
        for node in walk(where) if where is not None else ():
            if id(node) in targets:
                continue
            for name, key in sorted(resets.read_by(node)):
                reset = known.get((name, key)) or known.get((ALL_THINGS, key))
                if reset is not None and key not in changed:
                    yield _reset_finding(node, key[1], reset, event)
                    break


def _reset_finding(
    node: tree.AttributeRef | tree.ValueCall, attribute: str, reset: Reset, event: tree.Declared
) -> Finding:
    value = reset.text
    by = f"{calls_clause(reset.by)}," if reset.by else ""
    earlier = reset.by[0] if reset.by else event.name
    read = f"`{attribute}`" if isinstance(node, tree.AttributeRef) else f"`{node.value}` reads `{attribute}`, which"
    return Finding(
        node.span,
        f"{read} is always {value} here: `{event.name}`{by} has set it, unless another rule changes it",
        "a hook `after` an event reads the values that the event has set",
        f"hook `before {earlier}`, while `{attribute}` has its value",
        (Related(event.span.head(), f"`{event.name}` is declared here"),),
        cause=(event.id, attribute),
    )


READ_AFTER_RESET = Rule(
    "read-after-reset",
    Page(
        "L837",
        "read of a value that the event has just reset",
        "A hook `after` an event reads values as the event leaves them. If the event sets an attribute to one value "
        "for all things of a kind, or for the thing that it is about, then the hook always reads that value, and "
        "its condition decides nothing. Use a hook `before` the routine that sets the attribute. The linter follows "
        "calls, but not hooks that change the attribute.",
        "routine digest(snail s): s.eaten = 0\nafter digest(s) when s.eaten > 1: s.owner.points += 1\n",
        "routine digest(snail s): s.eaten = 0\nbefore digest(s) when s.eaten > 1: s.owner.points += 1\n",
    ),
    find_read_after_reset,
)


# ---- read-through-gone

#: What only a card has that lies on something.
_CARD_PROPERTIES = ("on", "partner")
_Declarations: TypeAlias = Mapping[str, tree.Routine | tree.Action | tree.Value]
_WHY_MISSING = (
    "reading through a missing thing gives a missing value, so conditions on it are false, and changes do nothing"
)


def find_read_through_gone(subject: Subject) -> Iterable[Finding]:
    """Find what is read through things that are gone: in one block, and by hooks after an event."""
    return sorted(_reads_through_gone(subject), key=lambda found: found.span)


def _reads_through_gone(subject: Subject) -> Iterator[Finding]:
    program = subject.program
    events: _Declarations = {**program.values, **program.routines, **program.actions}
    fates = Fates(subject.program)
    for declared in all_declarations(subject.program):
        if not subject.owns(declared.span):
            continue
        for part in walk(declared):
            for block in inner_blocks(part):
                yield from _reads_in_block(block, fates, events)
        if isinstance(declared, tree.Trigger) and declared.kind == "after":
            event = events.get(declared.pattern.event)
            if isinstance(event, tree.Routine | tree.Action):
                yield from _reads_in_hook(declared, event, fates, events)


def _reads_in_hook(
    hook: tree.Trigger, event: tree.Routine | tree.Action, fates: Fates, events: _Declarations
) -> Iterator[Finding]:
    taken = fates.of(event.name)
    hint, where = f"use a hook `before {event.name}`", (hook.guard, hook.body)
    for param, local in names_in_hook(hook, event):
        fate = taken.get(param)
        if fate is not None and fate.always:
            yield from _reads_always_missing(where, local, fate, f"`{event.name}`{calls_clause(fate.by)}", hint, events)
        elif fate is not None and not _tests_presence(where, local):
            yield from _reads_sometimes_missing(where, local, fate, event.name, events)


def _reads_in_block(block: tree.Block, fates: Fates, events: _Declarations) -> Iterator[Finding]:
    for at, line in enumerate(block):
        if isinstance(line, tree.If):
            continue
        for name, fate in fates.in_line(line).items():
            local = next(one.local for one in walk(line) if isinstance(one, tree.LocalRef) and one.local.name == name)
            rest = block[at + 1 :]
            if fate.always and not _tests_presence(rest, local):
                hint = "do this before that line, or read the value there with a `let`"
                yield from _reads_always_missing(
                    rest, local, fate, f"the line above{calls_clause(fate.by)}", hint, events
                )


def _reads_always_missing(
    where: object, local: tree.Local, fate: Fate, by: str, hint: str, events: _Declarations
) -> Iterator[Finding]:
    """Yield what is read through something that is always gone, and calls that it keeps from happening."""
    gone = f"`{local.text}` has been removed" if fate.removed else f"`{local.text}` is no longer on anything"
    unless = "" if fate.certain else ", unless another rule prevents that"
    for node in walk(where):
        if name := _read_text(node, local, fate, events):
            message = f"`{name}` is always missing here: {gone} by {by}{unless}"
            yield Finding(node.span, message, _WHY_MISSING, hint, cause=(local, by))
        elif (
            isinstance(node, tree.CallRoutine) and fate.removed and _needs_local(node.routine, node.args, local, events)
        ):
            message = f"`{node.routine}` never happens here: {gone} by {by}{unless}"
            yield Finding(node.span, message, _WHY_MISSING, hint, cause=(local, by))


def _needs_local(called: str, args: Sequence[tree.Expr], local: tree.Local, declared: _Declarations) -> bool:
    """Whether a call of a routine or value cannot happen without a local thing."""
    it = declared.get(called)
    params = it.params if isinstance(it, tree.Routine | tree.Value) else ()
    return any(_is_local(arg, local) and not param.type.maybe for param, arg in zip(params, args, strict=False))


def _reads_sometimes_missing(
    where: object, local: tree.Local, fate: Fate, event: str, events: _Declarations
) -> Iterator[Finding]:
    """Yield what is read through something that is sometimes gone, to find something else."""
    if not fate.removed:
        return
    targets = {id(node.target) for node in walk(where) if isinstance(node, tree.Assign)}
    for node in walk(where):
        if id(node) in targets:
            continue
        if name := _read_text(node, local, fate, events):
            by = f"`{event}`{calls_clause(fate.by)}{',' if fate.by else ''} may remove `{local.text}`"
            message = f"`{name}` is sometimes missing here: {by}"
            hint = f"use a hook `before {event}`, or add `when {local.text} is present`"
            yield Finding(node.span, message, _WHY_MISSING, hint, cause=(local, event))


def _read_text(node: object, local: tree.Local, fate: Fate, declared: _Declarations) -> str:
    """Return what a node reads of a local thing that is gone, as rules write it; empty if it reads nothing of it."""
    match node:
        case tree.AttributeRef() if fate.removed and _is_local(node.object, local):
            return f"{local.text}.{node.attribute.name}"
        case tree.Property() if (fate.removed or node.name in _CARD_PROPERTIES) and _is_local(node.object, local):
            return f"{local.text}.{node.name}"
        case tree.ZoneRef() if fate.removed and node.owner is not None and _is_local(node.owner, local):
            return f"{local.text}.{node.zone.short_name}"
        case tree.Has() if fate.removed and _is_local(node.subject, local):
            return f"{local.text} has ..."
        case tree.ValueCall() if fate.removed and _needs_local(node.value, node.args, local, declared):
            args = (arg.local.text if isinstance(arg, tree.LocalRef) else "..." for arg in node.args)
            return f"{node.value}({', '.join(args)})"
    return ""


def _is_local(e: tree.Expr, local: tree.Local) -> bool:
    return isinstance(e, tree.LocalRef) and e.local.name == local.name


def _tests_presence(where: object, local: tree.Local) -> bool:
    """Whether it is asked if something is there."""
    return any(
        isinstance(node, tree.Present) and isinstance(node.operand, tree.LocalRef)
        and node.operand.local.name == local.name
        for node in walk(where)
    )  # fmt: skip


READ_THROUGH_GONE = Rule(
    "read-through-gone",
    Page(
        "L836",
        "read from something that was removed",
        "A removed thing and its attributes are missing immediately. For a card that has moved away, `on` is "
        "missing. So a hook `after` an event that removes a thing cannot read anything from that thing. This is "
        "also true if the event only calls a routine that removes the thing. Use a hook `before` the event. If the "
        "event removes the thing only sometimes, test `when x is present`.",
        "routine wither(snail s): remove s\nafter wither(s): s.owner.points += 1\n",
        "routine wither(snail s): remove s\nbefore wither(s): s.owner.points += 1\n",
    ),
    find_read_through_gone,
)
