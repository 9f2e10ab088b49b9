"""What mends hooks, and what takes the whole program to see, by code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulelang.apps.editor.analysis import absolute
from rulelang.apps.editor.recipes.place import Edit, Place, Recipe, fresh
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import BOOL, INT, Type

#: So many names are tried.
_TRIED = 5


def _other_hook(place: Place) -> Iterator[Recipe]:
    """A hook that its event takes, with the condition of the one that it does not."""
    found = re.match(
        r"(\s*(?:always )?)(modify|forbid|ignore|before|after|instead of|react to) ([^:]*?)(:.*)?\Z", place.row
    )
    event = place.analysis.symbols.find_path(tuple(place.guilty.split(".")), tree.Origin("core"))
    if found is None or event is None:
        return
    left, word, said, body = found.groups()
    said, body = (re.sub(r' because "[^"]*"', "", part or "") for part in (said, body))
    guard = re.search(r" when .*", said if word != "modify" else body)
    said, when = said.split(" when ")[0], guard[0].rstrip(": ") if guard is not None else ""
    line, last = place.item.span.line, place.block_end(place.item.span.line)
    if event.what == "value":
        none = {INT: "0", BOOL: "false"}.get(event.result, "none") if event.result is not None else "none"
        hooks = [f"modify {said}: = {none}{when}"]
    elif word == "modify":
        own = [f"before {said}{when}: nothing", f"after {said}{when}: nothing", f"instead of {said}{when}: proceed"]
        hooks = [f"forbid {said}{when}", *own]
    else:
        hooks = []
    for new in hooks:
        yield Recipe(f"Write `{new}`", (place.lines(line, last, f"{left}{new}\n"),), (), True)


def _asked_of_a_value(place: Place) -> Iterator[Recipe]:
    """A value in the core that is no, and yes by the trait: `always modify`, since who bears it asks."""
    at = place.item.span.column - 1
    asked = re.search(r"([a-z]\w*) has (not )?\Z", place.row[:at])
    trait = place.analysis.model.traits.get(place.guilty)
    head = place.header(place.item.span.line)
    if asked is None or trait is None or not head:
        return
    kind = next(
        iter(re.findall(rf"\b([a-z]\w*) {asked[1]}\b", "\n".join(place.rows[head - 1 : place.item.span.line]))), ""
    )
    path = absolute(trait.span.path)
    if kind not in place.analysis.model.made or path not in place.analysis.texts:
        return
    name = fresh(f"is_{place.guilty}", list(place.analysis.texts.values()))
    call = f"{'not ' if asked[2] else ''}{name}({asked[1]})"
    own = (
        place.on(asked.start(), at + len(place.guilty), call),
        place.on(0, 0, f"{_left(place.rows[head - 1])}value {name}({kind} {asked[1]}) -> bool: false\n", head),
    )
    rule = f"modify {name}(self): or true"
    yield Recipe(f"Use a value `{name}`, and let the trait modify it", (*own, _into_trait(place, path, rule)))


def _left(row: str) -> str:
    return row[: len(row) - len(row.lstrip())]


def _into_trait(place: Place, path: str, rule: str) -> Edit:
    """A rule more in the file of a trait: below its `rules: |`, or below all."""
    rows = place.analysis.texts[path].split("\n")
    shown = place.analysis.display(path)
    for number, row in enumerate(rows, 1):
        if re.match(r"rules:\s*\|", row):
            inner = next((_left(other) for other in rows[number:] if other.strip()), "  ") or "  "
            return Span(shown, number + 1, 1, number + 1, 1), f"{inner}{rule}\n"
    last = max((number for number, row in enumerate(rows, 1) if row.strip()), default=1)
    end = len(rows[last - 1]) + 1
    return Span(shown, last, end, last, end), f"\nrules: |\n  {rule}"


def _kept_beside(place: Place) -> Iterator[Recipe]:
    """In a circle of values: where the first asks the next one, an attribute of the same kind is read."""
    names = re.findall(r"`(\w+)`", place.item.because)
    if len(names) < 2:
        return
    asked = place.analysis.symbols.signatures.get(names[1])
    first = place.item.span.line
    if asked is None or asked.result is None:
        return
    thing = next((p.type.name for p in asked.params if p.type.name in place.analysis.model.made), "")
    at = place.analysis.model.made[thing].span if thing else None
    kept = fresh(f"{names[1]}_kept", list(place.analysis.texts.values()))
    edits = []
    for number in range(first, place.block_end(first) + 1):
        row = place.rows[number - 1]
        start = place.item.span.end_column if number == first else 0
        for call in re.finditer(rf"(?<![.\w]){names[1]}\b(?:\(([^()]*)\))?", row[start:]):
            bearer = (call[1] or "").split(",")[0].strip()
            new = f"{bearer}.{kept}" if thing else kept
            edits.append(place.on(start + call.start(), start + call.end(), new, number))
    declared = _attribute(place, at, kept, asked.result) if at is not None else _state(place, kept, asked.result)
    if edits and declared is not None:
        yield Recipe(f"Read an attribute `{kept}`", (*edits, declared))


def _spelt(type_: Type) -> str:
    return "number" if type_ == INT else str(type_)


def _attribute(place: Place, kind: Span, name: str, type_: Type) -> Edit | None:
    """One attribute more of a kind of things, below or in its `attributes:`."""
    rows = place.analysis.texts.get(absolute(kind.path), "").split("\n")
    indent = _left(rows[kind.line - 1]) if kind.line <= len(rows) else ""
    for number in range(kind.line + 1, len(rows) + 1):
        row = rows[number - 1]
        if row.strip() and len(_left(row)) <= len(indent):
            break
        found = re.match(r"(\s*)attributes:\s*(\{)?", row)
        if found is not None and found[2]:
            return Span(kind.path, number, found.end() + 1, number, found.end() + 1), f"{name}: {_spelt(type_)}, "
        if found is not None:
            return Span(kind.path, number + 1, 1, number + 1, 1), f"{found[1]}  {name}: {_spelt(type_)}\n"
    row = rows[kind.line - 1] if kind.line <= len(rows) else ""
    if row.rstrip().endswith(":"):
        new = f"{indent}  attributes: {{{name}: {_spelt(type_)}}}\n"
        return Span(kind.path, kind.line + 1, 1, kind.line + 1, 1), new
    flow = row.find("{", kind.column)
    if flow >= 0:
        new = f"attributes: {{{name}: {_spelt(type_)}}}, "
        return Span(kind.path, kind.line, flow + 2, kind.line, flow + 2), new
    return None


def _state(place: Place, name: str, type_: Type) -> Edit | None:
    """One value more of the whole game, in the `state:` of a file."""
    for path, text in place.analysis.texts.items():
        for number, row in enumerate(text.split("\n"), 1):
            if re.match(r"state:\s*\Z", row) and path.endswith((".yaml", ".yml")) and "\ntrait:" not in f"\n{text}":
                shown = place.analysis.display(path)
                return Span(shown, number + 1, 1, number + 1, 1), f"  {name}: {_spelt(type_)}\n"
    return None


def _borne(place: Place) -> Iterator[Recipe]:
    """Without `always` the rule has a bearer, and with it what it calls; the thing that it names is the bearer then."""
    line = place.header(place.item.span.line)
    row = place.rows[line - 1] if line else ""
    at = row.find("always ")
    if at < 0:
        return
    rest = row[at + 7 :]
    yield Recipe("Remove `always`", (place.on(at, at + 7, "", line),))
    for name in dict.fromkeys(re.findall(r"[(,] *(\w+)(?=[,)])", rest)):
        own = re.sub(rf"(?<![.\w]){name}\b(?!\()", "self", rest)
        yield Recipe("Remove `always`", (place.on(at, len(row), own, line),))


def _into_one_file(place: Place) -> Iterator[Recipe]:
    """One hook to the end of the file of the other: this one, or the other one."""
    other = place.item.related[0].span if place.item.related else None
    if other is None or not (place.item.span.path.endswith(".rules") and other.path.endswith(".rules")):
        return
    for one, home in ((place.item.span, other), (other, place.item.span)):
        rows = place.analysis.texts.get(absolute(one.path), "").split("\n")
        there = place.analysis.texts.get(absolute(home.path), "").split("\n")
        if not rows or not there or one.line > len(rows):
            continue
        moving = Place(place.analysis, place.item, rows, rows[one.line - 1], "")
        last = moving.block_end(one.line)
        said = "\n".join(rows[one.line - 1 : last])
        end = Span(home.path, len(there), len(there[-1]) + 1, len(there), len(there[-1]) + 1)
        edits = ((Span(one.path, one.line, 1, last + 1, 1), ""), (end, f"{said}\n" if not there[-1] else f"\n{said}"))
        yield Recipe(f"Move `{rows[one.line - 1].split(':')[0]}` to {home.path.rpartition('/')[2]}", edits, (), True)


def _into_the_brackets(place: Place) -> Iterator[Recipe]:
    """Who stands behind `of` in the place of one of the arguments; or nobody."""
    at = place.item.span.column - 1
    start = place.row.rfind(" of", 0, at)
    event = re.search(r"\(([^()]*)\)\Z", place.row[:start]) if start >= 0 else None
    if start < 0:
        return
    end = at + len(place.guilty)
    parts = [part.strip() for part in event[1].split(",")] if event is not None else []
    for number in range(len(parts)) if event is not None else ():
        new = ", ".join([*parts[:number], place.guilty, *parts[number + 1 :]])
        named = f"({new})"
        begin = event.start() if event is not None else start
        yield Recipe(f"Write `{place.guilty}` in the brackets", (place.on(begin, end, named),), (), True)
    yield Recipe(f"Remove `of {place.guilty}`", (place.on(start, end, ""),))


def _offered(place: Place) -> Iterator[Recipe]:
    """Turns with an offer, as the last thing that the phase does: from each player that the game's state names."""
    named = re.search(r"`(turns p from) PLAYER (.*?)` in `(\w+)`", place.item.hint)
    phase = place.analysis.symbols.signatures.get(named[3]) if named is not None else None
    if named is None or phase is None:
        return
    model = place.analysis.model
    rows = place.analysis.texts.get(absolute(phase.span.path), "").split("\n")
    there = Place(place.analysis, place.item, rows, rows[phase.span.line - 1], "")
    line, row = phase.span.line, rows[phase.span.line - 1]
    last = there.block_end(line)
    head, said = row.split(":", 1) if ":" in row else (row, "")
    inner = _left(rows[line]) if last > line else f"{_left(row)}  "
    own = f"{inner}{said.strip()}\n" if said.strip() and not said.strip().startswith("#") else ""
    below = "".join(f"{one}\n" for one in rows[line:last])
    for who in (*(name for name, one in model.state.items() if one.type.name == "player"), "players[1]")[:_TRIED]:
        new = f"{named[1]} {who} {named[2]}"
        whole = f"{head}:\n{own}{below}{inner}{new}\n"
        edit = Span(phase.span.path, line, 1, last + 1, 1), whole
        yield Recipe(f"Write `{new}` in `{named[3]}`", (edit,), (), True)


def _run(place: Place) -> Iterator[Recipe]:
    """A phase that nothing runs: as the last thing of the game, or after each phase that offers actions."""
    named = re.search(r"\brun `(\w+)` where", place.item.hint)
    if named is None:
        yield from _offered(place)
        return
    for path, text in place.analysis.texts.items():
        rows = text.split("\n")
        line = next((number for number, row in enumerate(rows, 1) if re.match(r"game:", row)), 0)
        if line and path.endswith(".rules"):
            last = Place(place.analysis, place.item, rows, rows[line - 1], "").block_end(line)
            at = Span(place.analysis.display(path), last, len(rows[last - 1]) + 1, last, len(rows[last - 1]) + 1)
            inner = _left(rows[last - 1]) if last > line else " then "
            new = f"\n{inner}{named[1]}" if last > line else f"{inner}{named[1]}"
            yield Recipe(f"Run `{named[1]}` at the end of the game", ((at, new),), (), True)
    for other in re.findall(r"`(\w+)`", place.item.because.partition("actions are offered in")[2]):
        new = f"after {other}: {named[1]}"
        rule = place.on(0, 0, f"{place.indent()}{new}\n")
        yield Recipe(f"Write `{new}`", (rule,), (), True)


def _in_its_phase(place: Place) -> Iterator[Recipe]:
    for name in re.findall(r"`(\w+)`", place.item.because)[1:]:
        found = re.search(r"\bphase [!=]= \w+", place.row)
        for new in (f"phase == {name}", f"phase != {name}"):  # one of them, where it says `unless`
            if found is not None and new != found[0]:
                yield Recipe(f"Write `{new}`", (place.on(*found.span(), new),), (), True)


def _by_a_trait(place: Place) -> Iterator[Recipe]:
    """A rule that copies, where it belongs: among the rules of a trait, without `always`."""
    rule = re.sub(r"\A(?:rules: *)?(?:always )?", "", place.row.strip())
    if not rule.startswith("copy cards on ") or "such a trait" not in place.item.hint:
        return
    line = place.item.span.line
    above = place.rows[line - 2] if line > 1 else ""
    alone = re.match(r"\s*rules:\s*\|", above) and place.block_end(line - 1) == line
    gone = place.lines(line - 1 if alone else line, line, "")
    for trait in list(place.analysis.model.traits.values())[:_TRIED]:
        path = absolute(trait.span.path)
        if path in place.analysis.texts and path != absolute(place.item.span.path):
            edits = (gone, _into_trait(place, path, rule))
            yield Recipe(f"Make it a rule of the trait `{trait.name}`", edits, (), True)


def _on_a_condition(place: Place) -> Iterator[Recipe]:
    """One of the calls in a circle, under an `if` whose condition is the author's to write."""
    for related in place.item.related:
        span = related.span
        rows = place.analysis.texts.get(absolute(span.path), "").split("\n")
        row = rows[span.line - 1] if span.line <= len(rows) else ""
        if span.line == span.end_line and not row[: span.column - 1].strip():
            edit = Span(span.path, span.line, span.column, span.line, span.column), "if false: "
            yield Recipe(f"Put `{row.strip()}` under an `if`", (edit,), (), True)


HOOKS: dict[str, Callable[[Place], Iterator[Recipe]]] = {
    "W501": _other_hook,
    "W505": _asked_of_a_value,
    "W507": _kept_beside,
    "W509": _borne,
    "W512": _into_one_file,
    "W513": _by_a_trait,
    "W516": _into_the_brackets,
    "C720": _run,
    "W517": _run,
    "W518": _in_its_phase,
    "W521": _on_a_condition,
}
