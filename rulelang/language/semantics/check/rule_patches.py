"""Patches of rules: `remove`, `replace` and `insert` of what a place names in the layers below.

Each layer's places are looked up in the rules as the layers that it is ordered after leave them, before any of its own
patches is carried out; so no mod of which this one knows nothing redirects them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulelang.base.diagnostics import Diagnostic, Diagnostics, Related
from rulelang.base.english import with_article
from rulelang.base.nearest import did_you_mean
from rulelang.base.node import record
from rulelang.base.source import Span
from rulelang.data.order import ORDER_MODS
from rulelang.language.semantics.check.places import (
    At,
    Met,
    Missed,
    Text,
    Thing,
    contains,
    find,
    name_of,
    pick_for,
    unit_of,
)
from rulelang.language.semantics.check.rewriting import Op, Patch, applied, done
from rulelang.language.syntax import nodes
from rulelang.language.syntax.printer import place as place_text
from rulelang.language.syntax.same import same

_ORDER = {nodes.TakeOut: 0, nodes.Rewrite: 1, nodes.Insert: 2}
_SHOWN = 8


@record
class Held:
    """A W533 of two layers that know nothing of each other, until it is known whether a third settles it: by a patch of
    one of the places that they name, or of what both lie in."""

    layers: frozenset[int]
    places: tuple[str, ...]
    mistake: Diagnostic


@dataclass(slots=True)
class RulePatcher:
    """Carries out the patches in texts. `after`: for each layer, those it is ordered after; `ids`: their ids."""

    texts: list[Text]
    after: Mapping[int, frozenset[int]]
    ids: Sequence[str]
    out: Diagnostics
    ops: list[Op] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)

    def run(self) -> list[Text]:
        """The texts with all patches carried out, and a `Patched` in the place of each."""
        patches = [
            (text.origin.layer, (k, j), decl)
            for k, text in enumerate(self.texts)
            for j, decl in enumerate(text.decls)
            if isinstance(decl, nodes.TakeOut | nodes.Insert | nodes.Rewrite)
        ]
        bare = [replace(text, decls=tuple(None if _is_patch(d) else d for d in text.decls)) for text in self.texts]
        for layer in sorted({layer for layer, _, _ in patches}):
            visible = self.after.get(layer, frozenset(range(layer)))
            view = applied(bare, self.ops, visible)
            seen = [text if text.origin.layer in visible else replace(text, decls=()) for text in view]
            mine = sorted((p for p in patches if p[0] == layer), key=lambda p: _ORDER[type(p[2])])
            found = [op for _, at, node in mine if (op := self._found(seen, layer, at, node)) is not None]
            for op in found:
                if not self._clashes(op):
                    self.ops.append(op)
                    self._settle(layer, place_text(op.node.place))
        self._replaced()
        for text in self.texts:
            for decl in text.decls:
                if isinstance(decl, nodes.Replace) and text.origin.what == "core":
                    self._settle(text.origin.layer, decl.target.name)
        self.out.extend(held.mistake for held in self.held)
        texts = applied(bare, self.ops)
        for op in self.ops:
            k, j = op.own
            decls = list(texts[k].decls)
            decls[j] = done(op, self._declared(op))
            texts[k] = replace(texts[k], decls=tuple(decls))
        return texts

    def _declared(self, op: Op) -> Span:
        """Return where the declaration that a patch changes was first written."""
        k, j = op.thing.at
        hooks = [other for other in self.ops if not isinstance(getattr(other.node, "body", ()), tuple)]
        while k >= len(self.texts):
            k, j = hooks[k - len(self.texts)].thing.at
        decl = self.texts[k].decls[j]
        return decl.span if decl is not None else op.thing.node.span

    # ---- looking up

    def _found(self, texts: Sequence[Text], layer: int, own: At, node: Patch) -> Op | None:
        met = find(texts, self.ids, node.place)
        if isinstance(met, Missed):
            self._missed(texts, layer, node, met)
            return None
        if not self._fits(node, met.thing):
            return None
        if met.counted is not None:
            self._counts(node, met)
        if isinstance(node, nodes.Rewrite) and self._says_the_same(node, met.thing):
            return None
        return Op(layer, node, own, met.thing)

    def _missed(self, texts: Sequence[Text], layer: int, node: Patch, missed: Missed) -> None:
        step = node.place[missed.step]
        whole = place_text(node.place)
        inner = place_text(node.place[: missed.step])
        if len(missed.found) > 1:
            picks = [f"{step.name}{pick_for(thing, missed.found)}" for thing in missed.found]
            related = [Related(thing.node.span.head(), "here") for thing in missed.found[:_SHOWN]]
            hint = "say which: " + " or ".join(f"`{pick}`" for pick in dict.fromkeys(picks) if pick != step.name)
            message = f"`{whole}` matches {len(missed.found)} places"
            because = "a patch can change only one place"
            self.out.error(
                "W530", step.span, message, because=because, hint=hint if "`" in hint else "", related=related
            )
            return
        gone = self._gone(layer, texts, node)
        if gone is not None:
            return
        words = [word for thing in missed.there for word in thing.words]
        if missed.step == 0 and len(node.place) == 1 and missed.there and step.name in self._owners(texts):
            self._whole_owner(node, step, missed)
            return
        if step.pick is not None and step.name in words:
            picks = [pick_for(thing, missed.there) for thing in missed.there]
            message = f"no `{step.name}`{_within(inner)} is `{step.pick}`"
            hint = "there is " + " and ".join(f"`{step.name}{pick}`" for pick in picks[:_SHOWN] if pick)
            if isinstance(step.pick, int):
                message = f"`{whole}` does not exist: there are only {len(missed.there)} `{step.name}`{_within(inner)}"
            hint = hint if "`" in hint else ""
        else:
            message = f"there is no `{step.name}`{_within(inner)}"
            hint = did_you_mean(step.name, words)
        because = "a patch can change only rules from earlier layers"
        if missed.step and missed.there and not hint:
            shown = list(dict.fromkeys(f"`{thing.words[0]}`" for thing in missed.there))
            because = f"at this place there is {', '.join(shown[:_SHOWN])}{' ...' if len(shown) > _SHOWN else ''}"
        self.out.error("W530", step.span, message, because=because, hint=hint)

    def _owners(self, texts: Sequence[Text]) -> set[str]:
        return {text.owner for text in texts} | set(self.ids)

    def _whole_owner(self, node: Patch, step: nodes.Step, missed: Missed) -> None:
        """W532: a trait, a row, a whole mod is no place in rules."""
        shown = list(dict.fromkeys(f"`{step.name}.{thing.words[0]}`" for thing in missed.there))
        because = f"a patch names a declaration, a hook or a statement, such as {', '.join(shown[:3])}"
        hint = f"write `remove: [traits.{step.name}.rules]` in YAML" if isinstance(node, nodes.TakeOut) else ""
        message = f"`{step.name}` is not a place in rules"
        self.out.error("W532", node.place_span, message, because=because, hint=hint)

    def _gone(self, layer: int, texts: Sequence[Text], node: Patch) -> Op | None:
        """The patch of a layer below that took out what this one names; told as W533, or W534 for another `remove`."""
        visible = self.after.get(layer, frozenset(range(layer)))
        for op in self.ops:
            theirs, mine = op.node.place, node.place[: len(op.node.place)]
            taken = op.layer in visible and isinstance(op.node, nodes.TakeOut)
            if taken and place_text(theirs) == place_text(mine):
                self._lost(op, node)
                return op
        return None

    def _lost(self, old: Op, node: Patch) -> None:
        where = place_text(node.place)
        related = [Related(old.node.place_span, "it is removed here")]
        if isinstance(node, nodes.TakeOut) and place_text(old.node.place) == where:
            because = "a mod before this one removes it"
            self.out.warning(
                "W534", node.place_span, f"`{where}` has already been removed", because=because, related=related
            )
            return
        because = "a removed statement cannot be changed"
        self.out.error("W533", node.place_span, f"`{where}` has been removed", because=because, related=related)

    def _fits(self, node: Patch, thing: Thing) -> bool:
        what = _what(thing)
        where = place_text(node.place)
        message = because = hint = ""
        if isinstance(node, nodes.Insert) and not thing.statement:
            message = f"nothing can be inserted {'before' if node.before else 'after'} `{where}`, which is {what}"
            because = "statements can be inserted only before or after another statement"
            if isinstance(thing.node, nodes.Phase | nodes.Action | nodes.Routine):
                hint = (
                    f"write the hook `{'before' if node.before else 'after'} {where}: ...`, or name a statement in it"
                )
        elif isinstance(node, nodes.Rewrite):
            hook = isinstance(node.body, nodes.Node)
            is_hook = isinstance(
                thing.node, nodes.Modify | nodes.Forbid | nodes.Ignore | nodes.Trigger | nodes.CopyCards
            )
            if hook != is_hook and not (is_hook and isinstance(thing.node, nodes.Trigger)):
                message = f"{'a hook' if hook else 'a statement'} cannot replace `{where}`, which is {what}"
                because = "replace a hook with a hook, and a statement with statements"
            if node.disables and not isinstance(thing.node, nodes.Phase):
                message = f"`{where}` is {what} and cannot be disabled"
                because = "you can disable a phase, by its name, or a trait or row, by its path"
                hint = _instead(thing.node, where)
            elif isinstance(thing.node, nodes.Value | nodes.Invariant):
                message = f"statements cannot replace the expression of `{where}`, which is {what}"
                because = "its body is one expression"
                hint = f"write `modify {where}: = E`"
                if isinstance(thing.node, nodes.Value):
                    hint = f"write `replace value {thing.node.name}... -> {thing.node.type.name}: E`"
        if message:
            self.out.error("W532", node.place_span, message, because=because, hint=hint)
        return not message

    def _counts(self, node: Patch, met: Met) -> None:
        """W531: it counts, where words would do."""
        assert met.counted is not None
        step, among = met.counted
        at = next(i for i, other in enumerate(node.place) if other is step)
        number = step.pick if isinstance(step.pick, int) else 1
        pick = "" if len(among) == 1 else pick_for(among[number - 1], among)
        if not pick and len(among) > 1:
            return
        parts = [place_text([s]) if i != at else f"{s.name}{pick}" for i, s in enumerate(node.place)]
        because = "the statements may have another order in the next version of those rules"
        message = f"`{place_text(node.place)}` selects its place by position"
        self.out.warning("W531", node.place_span, message, because=because, hint=f"write `{'.'.join(parts)}`")

    def _says_the_same(self, node: nodes.Rewrite, thing: Thing) -> bool:
        old: object = thing.node
        if isinstance(node.body, tuple):
            whole = not thing.statement or isinstance(thing.node, nodes.Label)
            old = getattr(thing.node, "body", ()) if whole else (thing.node,)
        if not same(old, node.body):
            return False
        because = ""
        related = [Related(thing.node.span.head(), "it is here")]
        message = f"this replaces `{place_text(node.place)}` with itself"
        if node.disables:
            message = f"`{place_text(node.place)}` already does nothing"
        self.out.warning("W534", node.place_span, message, because=because, related=related)
        return True

    # ---- two patches of one place

    def _clashes(self, new: Op) -> bool:
        for old in self.ops:
            if old.layer != new.layer and old.layer in self.after.get(new.layer, frozenset(range(new.layer))):
                continue
            if old.thing.at != new.thing.at:
                continue
            if not (_covers(old, new) or _covers(new, old)):
                continue
            both = isinstance(old.node, nodes.TakeOut) and isinstance(new.node, nodes.TakeOut)
            if both and old.thing.node.span == new.thing.node.span and old.layer != new.layer:
                self._lost(old, new.node)
                return True
            because = "neither mod comes after the other, so the result would be arbitrary"
            hint = ORDER_MODS
            if old.layer == new.layer:
                because, hint = (
                    "a mod can change each place only once: its patches refer to the rules before any of its changes",
                    "",
                )
            related = (Related(old.node.place_span, "this changes it too"),)
            message = f"`{place_text(new.node.place)}` is changed twice"
            mistake = Diagnostic("W533", new.node.place_span, message, because, hint, related)
            places = (place_text(old.node.place), place_text(new.node.place))
            if old.layer == new.layer:
                self.out.add(mistake)
            else:
                self.held.append(Held(frozenset((old.layer, new.layer)), places, mistake))
            return True
        return False

    def _settle(self, layer: int, place: str) -> None:
        """A layer decides what is at a place: of those that it follows nobody need do so."""
        visible = self.after.get(layer, frozenset(range(layer)))
        self.held = [
            held
            for held in self.held
            if not held.layers <= visible
            or not (place in held.places or all(other.startswith(f"{place}.") for other in held.places))
        ]

    def _replaced(self) -> None:
        """W533 for a `replace routine ...` that would lose a patch of a mod of which it knows nothing."""
        for text in self.texts:
            layer = text.origin.layer
            for decl in text.decls:
                if not isinstance(decl, nodes.Replace) or text.origin.what != "core":
                    continue
                for op in self.ops:
                    k, j = op.thing.at
                    unit = unit_of(self.texts[k].decls[j]) if k < len(self.texts) else None
                    known = op.layer == layer or op.layer in self.after.get(layer, frozenset(range(layer)))
                    knows = layer in self.after.get(op.layer, frozenset(range(op.layer)))
                    if unit is None or known or knows or name_of(unit) != decl.target.name:
                        continue
                    related = [Related(op.node.place_span, "this changes it too")]
                    because = "neither mod comes after the other, so one of the changes would be lost"
                    message = f"`{decl.target.name}` is changed twice"
                    span = decl.target.name_span
                    mistake = Diagnostic("W533", span, message, because, ORDER_MODS, tuple(related))
                    places = (place_text(op.node.place), decl.target.name)
                    self.held.append(Held(frozenset((op.layer, layer)), places, mistake))


def _is_patch(decl: nodes.Decl | None) -> bool:
    return isinstance(decl, nodes.TakeOut | nodes.Insert | nodes.Rewrite)


def _within(inner: str) -> str:
    return f" in `{inner}`" if inner else ""


def _what(thing: Thing) -> str:
    node = thing.node
    if thing.statement:
        return "a statement"
    if isinstance(node, nodes.Modify | nodes.Forbid | nodes.Ignore | nodes.Trigger | nodes.CopyCards):
        return "a hook"
    return with_article(type(node).__name__.lower()) if not isinstance(node, nodes.Game) else "the flow of the game"


def _instead(node: nodes.Node, name: str) -> str:
    """How to have no part of something that cannot be disabled."""
    match node:
        case nodes.Action():
            return f"write `forbid {name}(...)` in rules"
        case nodes.Routine():
            return f"write `replace {name}: nothing` in rules"
    return f"write `remove {name}` in rules"


def _covers(outer: Op, inner: Op) -> bool:
    """Whether one patch takes away what the other is about."""
    if isinstance(outer.node, nodes.Insert):
        return False
    if outer.whole:
        return True
    return not inner.whole and contains(outer.thing.node.span, inner.thing.node.span)
