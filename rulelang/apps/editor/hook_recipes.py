"""Fix mistakes in hooks, in the whole program and in patches of mods, by code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulelang.apps.editor.analysis import absolute
from rulelang.apps.editor.recipes import Edit, MistakePlace, Recipe, fresh_name
from rulelang.base.source import Span
from rulelang.language.semantics import tree
from rulelang.language.semantics.model import BOOL, INT, Type

# ---- Hooks and the whole program

#: So many names are tried.
_TRIED = 5


def _other_hook(place: MistakePlace) -> Iterator[Recipe]:
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


def _use_always_modify(place: MistakePlace) -> Iterator[Recipe]:
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
    name = fresh_name(f"is_{place.guilty}", list(place.analysis.texts.values()))
    call = f"{'not ' if asked[2] else ''}{name}({asked[1]})"
    own = (
        place.on(asked.start(), at + len(place.guilty), call),
        place.on(0, 0, f"{_indentation(place.rows[head - 1])}value {name}({kind} {asked[1]}) -> bool: false\n", head),
    )
    rule = f"modify {name}(self): or true"
    yield Recipe(f"Use a value `{name}`, and let the trait modify it", (*own, _add_rule_to_trait(place, path, rule)))


def _indentation(row: str) -> str:
    return row[: len(row) - len(row.lstrip())]


def _add_rule_to_trait(place: MistakePlace, path: str, rule: str) -> Edit:
    """A rule more in the file of a trait: below its `rules: |`, or below all."""
    rows = place.analysis.texts[path].split("\n")
    shown = place.analysis.display(path)
    for number, row in enumerate(rows, 1):
        if re.match(r"rules:\s*\|", row):
            inner = next((_indentation(other) for other in rows[number:] if other.strip()), "  ") or "  "
            return Span(shown, number + 1, 1, number + 1, 1), f"{inner}{rule}\n"
    last = max((number for number, row in enumerate(rows, 1) if row.strip()), default=1)
    end = len(rows[last - 1]) + 1
    return Span(shown, last, end, last, end), f"\nrules: |\n  {rule}"


def _read_attribute_instead(place: MistakePlace) -> Iterator[Recipe]:
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
    kept = fresh_name(f"{names[1]}_kept", list(place.analysis.texts.values()))
    edits = []
    for number in range(first, place.block_end(first) + 1):
        row = place.rows[number - 1]
        start = place.item.span.end_column if number == first else 0
        for call in re.finditer(rf"(?<![.\w]){names[1]}\b(?:\(([^()]*)\))?", row[start:]):
            bearer = (call[1] or "").split(",")[0].strip()
            new = f"{bearer}.{kept}" if thing else kept
            edits.append(place.on(start + call.start(), start + call.end(), new, number))
    declared = (
        _add_attribute(place, at, kept, asked.result) if at is not None else _add_state(place, kept, asked.result)
    )
    if edits and declared is not None:
        yield Recipe(f"Read an attribute `{kept}`", (*edits, declared))


def _spelt(type_: Type) -> str:
    return "number" if type_ == INT else str(type_)


def _add_attribute(place: MistakePlace, kind: Span, name: str, type_: Type) -> Edit | None:
    """One attribute more of a kind of things, below or in its `attributes:`."""
    rows = place.analysis.texts.get(absolute(kind.path), "").split("\n")
    indent = _indentation(rows[kind.line - 1]) if kind.line <= len(rows) else ""
    for number in range(kind.line + 1, len(rows) + 1):
        row = rows[number - 1]
        if row.strip() and len(_indentation(row)) <= len(indent):
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


def _add_state(place: MistakePlace, name: str, type_: Type) -> Edit | None:
    """One value more of the whole game, in the `state:` of a file."""
    for path, text in place.analysis.texts.items():
        for number, row in enumerate(text.split("\n"), 1):
            if re.match(r"state:\s*\Z", row) and path.endswith((".yaml", ".yml")) and "\ntrait:" not in f"\n{text}":
                shown = place.analysis.display(path)
                return Span(shown, number + 1, 1, number + 1, 1), f"  {name}: {_spelt(type_)}\n"
    return None


def _remove_always(place: MistakePlace) -> Iterator[Recipe]:
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


def _move_to_one_file(place: MistakePlace) -> Iterator[Recipe]:
    """One hook to the end of the file of the other: this one, or the other one."""
    other = place.item.related[0].span if place.item.related else None
    if other is None or not (place.item.span.path.endswith(".rules") and other.path.endswith(".rules")):
        return
    for one, home in ((place.item.span, other), (other, place.item.span)):
        rows = place.analysis.texts.get(absolute(one.path), "").split("\n")
        there = place.analysis.texts.get(absolute(home.path), "").split("\n")
        if not rows or not there or one.line > len(rows):
            continue
        moving = MistakePlace(place.analysis, place.item, rows, rows[one.line - 1], "")
        last = moving.block_end(one.line)
        said = "\n".join(rows[one.line - 1 : last])
        end = Span(home.path, len(there), len(there[-1]) + 1, len(there), len(there[-1]) + 1)
        edits = ((Span(one.path, one.line, 1, last + 1, 1), ""), (end, f"{said}\n" if not there[-1] else f"\n{said}"))
        yield Recipe(f"Move `{rows[one.line - 1].split(':')[0]}` to {home.path.rpartition('/')[2]}", edits, (), True)


def _move_into_brackets(place: MistakePlace) -> Iterator[Recipe]:
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


def _add_offer(place: MistakePlace) -> Iterator[Recipe]:
    """Turns with an offer, as the last thing that the phase does: from each player that the game's state names."""
    named = re.search(r"`(turns p from) PLAYER (.*?)` in `(\w+)`", place.item.hint)
    phase = place.analysis.symbols.signatures.get(named[3]) if named is not None else None
    if named is None or phase is None:
        return
    model = place.analysis.model
    rows = place.analysis.texts.get(absolute(phase.span.path), "").split("\n")
    there = MistakePlace(place.analysis, place.item, rows, rows[phase.span.line - 1], "")
    line, row = phase.span.line, rows[phase.span.line - 1]
    last = there.block_end(line)
    head, said = row.split(":", 1) if ":" in row else (row, "")
    inner = _indentation(rows[line]) if last > line else f"{_indentation(row)}  "
    own = f"{inner}{said.strip()}\n" if said.strip() and not said.strip().startswith("#") else ""
    below = "".join(f"{one}\n" for one in rows[line:last])
    for who in (*(name for name, one in model.state.items() if one.type.name == "player"), "players[1]")[:_TRIED]:
        new = f"{named[1]} {who} {named[2]}"
        whole = f"{head}:\n{own}{below}{inner}{new}\n"
        edit = Span(phase.span.path, line, 1, last + 1, 1), whole
        yield Recipe(f"Write `{new}` in `{named[3]}`", (edit,), (), True)


def _run_phase(place: MistakePlace) -> Iterator[Recipe]:
    """A phase that nothing runs: as the last thing of the game, or after each phase that offers actions."""
    named = re.search(r"\brun `(\w+)` where", place.item.hint)
    if named is None:
        yield from _add_offer(place)
        return
    for path, text in place.analysis.texts.items():
        rows = text.split("\n")
        line = next((number for number, row in enumerate(rows, 1) if re.match(r"game:", row)), 0)
        if line and path.endswith(".rules"):
            last = MistakePlace(place.analysis, place.item, rows, rows[line - 1], "").block_end(line)
            at = Span(place.analysis.display(path), last, len(rows[last - 1]) + 1, last, len(rows[last - 1]) + 1)
            inner = _indentation(rows[last - 1]) if last > line else " then "
            new = f"\n{inner}{named[1]}" if last > line else f"{inner}{named[1]}"
            yield Recipe(f"Run `{named[1]}` at the end of the game", ((at, new),), (), True)
    for other in re.findall(r"`(\w+)`", place.item.because.partition("actions are offered in")[2]):
        new = f"after {other}: {named[1]}"
        rule = place.on(0, 0, f"{place.indent()}{new}\n")
        yield Recipe(f"Write `{new}`", (rule,), (), True)


def _change_phase_condition(place: MistakePlace) -> Iterator[Recipe]:
    for name in re.findall(r"`(\w+)`", place.item.because)[1:]:
        found = re.search(r"\bphase [!=]= \w+", place.row)
        for new in (f"phase == {name}", f"phase != {name}"):  # one of them, where it says `unless`
            if found is not None and new != found[0]:
                yield Recipe(f"Write `{new}`", (place.on(*found.span(), new),), (), True)


def _move_to_trait(place: MistakePlace) -> Iterator[Recipe]:
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
            edits = (gone, _add_rule_to_trait(place, path, rule))
            yield Recipe(f"Make it a rule of the trait `{trait.name}`", edits, (), True)


def _call_on_condition(place: MistakePlace) -> Iterator[Recipe]:
    """One of the calls in a circle, under an `if` whose condition is the author's to write."""
    for related in place.item.related:
        span = related.span
        rows = place.analysis.texts.get(absolute(span.path), "").split("\n")
        row = rows[span.line - 1] if span.line <= len(rows) else ""
        if span.line == span.end_line and not row[: span.column - 1].strip():
            edit = Span(span.path, span.line, span.column, span.line, span.column), "if false: "
            yield Recipe(f"Put `{row.strip()}` under an `if`", (edit,), (), True)


HOOK_RECIPES: dict[str, Callable[[MistakePlace], Iterator[Recipe]]] = {
    "W501": _other_hook,
    "W505": _use_always_modify,
    "W507": _read_attribute_instead,
    "W509": _remove_always,
    "W512": _move_to_one_file,
    "W513": _move_to_trait,
    "W516": _move_into_brackets,
    "C720": _run_phase,
    "W517": _run_phase,
    "W518": _change_phase_condition,
    "W521": _call_on_condition,
}


# ---- Patches of mods

#: A value on the line of its key: in brackets, in quotes, or plain.
_VALUE = re.compile(r"\s*:\s*(\{[^{}]*\}|\[[^\[\]]*\]|\"[^\"]*\"|'[^']*'|[^\s,{}\[\]#][^,{}#]*?)\s*(?=[,}#]|\Z)")
_SET = re.compile(r"write `set: \{([^`:]+): [^`]+\}`")


def _set_instead(place: MistakePlace) -> Iterator[Recipe]:
    """What is declared once more, as a patch at the end of the file."""
    path, value = _SET.search(place.item.hint), _VALUE.match(place.row, place.item.span.end_column - 1)
    if path is not None and value is not None:
        new = f"set: {{{path[1]}: {value[1]}}}"
        last = len(place.rows)
        gap = "" if not place.rows[-1] else "\n"
        whole = place.on(len(place.rows[-1]), len(place.rows[-1]), f"{gap}{new}\n", last)
        yield Recipe(f"Write `{new}`", (_without(place, value.end()), whole))


def _without(place: MistakePlace, end: int) -> Edit:
    """The guilty key and its value, up to a column, taken out; the whole line where nothing else stands on it."""
    at, line = place.item.span.column - 1, place.item.span.line
    before, behind = place.row[:at], place.row[end:]
    if re.fullmatch(r"\s*|\w+: *\{ *", before) and re.fullmatch(r" *\}?\s*(?:#.*)?", behind):
        above = place.rows[line - 2] if line > 1 else ""
        alone = not before.strip() and re.fullmatch(r"\w+:\s*", above) and place.block_end(line - 1) == line
        return place.lines(line - 1 if alone else line, line, "")
    comma = re.match(r", *", behind)
    if comma is not None:
        return place.on(at, end + comma.end(), "")
    return place.on(len(re.sub(r", *\Z", "", before)), end, "")


def _set_to(place: MistakePlace) -> Iterator[Recipe]:
    """Another value instead of more of it, where the patch is alone: what its brackets hold, or as it is written."""
    path, value = _SET.search(place.item.hint), _VALUE.match(place.row, place.item.span.end_column - 1)
    verb = re.match(r"\w+(?=: *\{ *\Z)", place.row[: place.item.span.column - 1])
    if path is None or value is None or verb is None or not re.fullmatch(r" *\}\s*(?:#.*)?", place.row[value.end() :]):
        return
    one = value[1].strip("[] ")
    for said in dict.fromkeys((value[1] if "," in one else one, value[1])):
        new = f"set: {{{path[1]}: {said}}}"
        yield Recipe(f"Write `{new}`", (place.on(0, len(place.row), new),))


def _taken_out(place: MistakePlace) -> Iterator[Recipe]:
    value = _VALUE.match(place.row, place.item.span.end_column - 1)
    if value is not None:
        yield Recipe("Remove the patch", (_without(place, value.end()),))


def _versions(place: MistakePlace) -> Iterator[Recipe]:
    """From the version that is said up to the next one that may change everything."""
    number = re.search(r"\d+(?:\.\d+)?", place.guilty)
    if number is not None:
        major = int(number[0].split(".")[0])
        least = number[0] if "." in number[0] else f"{number[0]}.0"
        new = f'">={least}, <{major + 1}"'
        yield Recipe(f"Write `{new}`", (place.replaced(new),))


def _as_a_hook(place: MistakePlace) -> Iterator[Recipe]:
    found = re.match(r"\s*(insert )(?=after |before )", place.row)
    if found is not None:
        yield Recipe("Write it as a hook", (place.on(*found.span(1), ""),))


def _one_of_two(place: MistakePlace) -> Iterator[Recipe]:
    """Of two patches of the same, this one or the other one goes."""
    others = [related.span for related in place.item.related if "too" in related.note]
    for span in (place.item.span, *others):
        rows = place.analysis.texts.get(absolute(span.path), "").split("\n")
        if span.line <= len(rows):
            last = MistakePlace(place.analysis, place.item, rows, rows[span.line - 1], "").block_end(span.line)
            edit = Span(span.path, span.line, 1, last + 1, 1), ""
            yield Recipe(f"Remove `{rows[span.line - 1].strip()}`", (edit,), (), True)


MOD_RECIPES: dict[str, Callable[[MistakePlace], Iterator[Recipe]]] = {
    "W504": _one_of_two,
    "W532": _as_a_hook,
    "Y136": _versions,
    "Y140": _set_instead,
    "Y147": _taken_out,
    "Y148": _set_to,
}
