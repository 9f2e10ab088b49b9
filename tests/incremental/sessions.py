"""Editing sessions by a seeded generator: a ruleset is changed again and again, on the disk and in an editor."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulelang.base.diagnostics import Diagnostic
from rulelang.compiler.compilation import Compilation
from rulelang.data.folders import with_unsaved_texts
from rulelang.testing.scenarios.checking import check_scenarios
from rulelang.tools.incremental import Incremental
from tests.fuzz.mutate import files_of, mutate

HEADS = re.compile(rb"(?:phase|routine|action|value) [^:\n]*")


@dataclass(frozen=True, slots=True)
class Answer:
    """All that a check says, in its order, and the texts that it is drawn with."""

    rules: tuple[Diagnostic, ...]
    scenarios: tuple[Diagnostic, ...] | None
    sources: tuple[tuple[str, str], ...]


def from_nothing(session: Incremental, scenarios: bool) -> Answer:
    """What a check says that knows nothing of earlier ones."""
    with with_unsaved_texts(session.held):
        compilation = Compilation(session.where, session.mods, session.mode)
        checked = compilation._check()
        compilation.__dict__["checked"] = checked  # what the disk knows is another test's matter
        found = check_scenarios(compilation) if scenarios else None
    sources = {**checked.sources, **(found.sources if found else {})}
    return Answer(checked.diagnostics, found.diagnostics if found else None, tuple(sorted(sources.items())))


def again(session: Incremental, scenarios: bool) -> Answer:
    checked = session.check()
    found = session.scenarios() if scenarios else None
    sources = {**checked.sources, **(found.sources if found else {})}
    return Answer(checked.diagnostics, found.diagnostics if found else None, tuple(sorted(sources.items())))


class Edited:
    """Copies of a ruleset and of mods over it, which can be changed and changed back."""

    def __init__(self, folders: Sequence[Path], home: Path, seed: int, scenarios: bool = True) -> None:
        self.originals = [Path(folder).resolve() for folder in folders]
        self.copies = [shutil.copytree(path, home / path.name) for path in self.originals]
        if not scenarios:
            for copy in self.copies:
                shutil.rmtree(copy / "scenarios", ignore_errors=True)
        self.whole = {path: path.read_bytes() for copy in self.copies for path in files_of(copy)}
        self.chance = random.Random(seed)
        self.session = Incremental(self.copies[0], self.copies[1:])

    def steps(self, count: int) -> Iterator[str]:
        """Make one change after the other; says how."""
        for _ in range(count):
            yield self.step()

    def step(self) -> str:
        kind = self.chance.random()
        if kind < 0.35:
            return self.restore(everything=kind < 0.25)
        if kind < 0.45:
            return self.shift()
        if kind < 0.65:
            return self.declare()
        done = mutate(
            self.chance.choice([copy for copy in self.copies if files_of(copy)] or [self.lost()]), self.chance
        )
        if self.chance.random() < 0.5:
            self.hold()
            done += ", in an editor"
        return done

    def lost(self) -> Path:
        self.restore(everything=True)
        return self.copies[0]

    def restore(self, everything: bool) -> str:
        for copy in self.copies:
            for path in files_of(copy):
                if path not in self.whole:
                    path.unlink()
        changed = [p for p, data in self.whole.items() if not p.exists() or p.read_bytes() != data]
        changed += [Path(place) for place in self.session.held]
        for path in changed if everything else changed[:1]:
            if path in self.whole:
                path.write_bytes(self.whole[path])
            self.session.update(path, None)
        return "all as it was" if everything else "one as it was"

    def shift(self) -> str:
        """A line more somewhere: nothing means anything else, and much stands elsewhere."""
        path = self.chance.choice(sorted(self.whole))
        on_disk = path.read_bytes() if path.exists() else b""
        data = self.session.held.get(str(path), on_disk)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return "nothing"
        lines = text.split("\n")
        lines.insert(self.chance.randrange(min(len(lines), 30)), "")
        self.session.update(path, "\n".join(lines))
        return f"a line more in {path.name}"

    def declare(self) -> str:
        """Another name, result or kind of argument for something that rules elsewhere may ask for."""
        path = self.chance.choice([path for path in sorted(self.whole) if HEADS.search(self.whole[path])])
        text = self.whole[path].decode()
        head = self.chance.choice(list(HEADS.finditer(text.encode())))
        old = head[0].decode()
        words = re.findall(r"\w+", old)[1:]
        new = re.sub(
            rf"\b{self.chance.choice(words)}\b", self.chance.choice(("int", "bool", "player", "card", "other")), old
        )
        self.session.update(path, text.replace(old, new, 1))
        return f"`{old}` is now `{new}` in {path.name}"

    def hold(self) -> None:
        """What was changed on the disk is changed in an editor only."""
        for path, data in self.whole.items():
            if path.exists() and (now := path.read_bytes()) != data:
                path.write_bytes(data)
                self.session.held[str(path)] = now


def play(edited: Edited, count: int, scenarios_every: int = 1) -> int:
    """Make changes, and hold each answer against one from nothing. How many of the rulesets were sound."""
    sound = 0
    for number, done in enumerate(edited.steps(count)):
        scenarios = number % scenarios_every == 0
        now, fresh = again(edited.session, scenarios), from_nothing(edited.session, scenarios)
        assert now == fresh, f"step {number}: {done}"
        sound += not any(item.severity == "error" for item in now.rules)
    return sound
