"""`look:`: whether what it speaks of is there, and what the rules work out of things to be shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Mapping, Sequence

from rulelang.base.diagnostics import Diagnostics
from rulelang.base.memo import NULL_CACHE, NullCache
from rulelang.base.wording import a_quoted, did_you_mean
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.language.semantics import tree
from rulelang.language.semantics.declare.labels import GAME, texts_of
from rulelang.language.semantics.model import Attribute, Column, Model, Type, ref
from rulelang.language.syntax import nodes
from rulelang.language.syntax.parse import parse_expression

#: Checks an expression with variables, as `check_expression` does.
Check = Callable[[nodes.Expr, Mapping[str, Type]], tuple[tree.Expr | None, Diagnostics]]

_HOLE = re.compile(r"\{([^{}]*)\}")
#: The hole for the number of a subject, which chooses the form of a verb.
NUMBER = "n"


def check_looks(
    model: Model, program: tree.Program, section: YamlMap, removed: Collection[str], lost: Container[str],
    bereft: int, check: Check, memo: NullCache = NULL_CACHE,
) -> tuple[tuple[tree.Shown, ...], Diagnostics]:  # fmt: skip
    """What `look:` shows of things, typed, and every mistake in the section. `removed`: names that layers took out, of
    which the layers below may still speak; `lost`: those declared in rules that could not be read; `bereft`: the last
    layer that took out a trait (0: none did), and with it what its rules declared. `memo` keeps what was parsed."""
    found = _Looks(model, program, check, removed, lost, bereft, memo)
    known = found.known()
    for key, look in section:
        if isinstance(look, YamlMap) and (key.text in known or look.layer >= bereft):
            found.look(key, look)
    return tuple(found.shown), found.out


class _Looks:
    def __init__(
        self, model: Model, program: tree.Program, check: Check, removed: Collection[str], lost: Container[str],
        bereft: int, memo: NullCache,
    ) -> None:  # fmt: skip
        self.model, self.program, self.check, self.removed, self.lost = model, program, check, removed, lost
        self.bereft, self.memo = bereft, memo
        self.out = Diagnostics()
        self.shown: list[tree.Shown] = []

    def look(self, key: YamlScalar, look: YamlMap) -> None:
        name = key.text
        known = self.known()
        if name not in known:
            because = (
                "`look:` can contain only the names of lists, kinds, card types, grids, zones, tables, numbers, "
                "routines, phases, actions and values"
            )
            self.missing("N369", key, f"nothing is called `{name}`", because, known)
            return
        members = self.members(name)
        show = look.map("show")
        words = {**dict.fromkeys(members), **dict.fromkeys(key.text for key, _ in show)}
        for member, node in look.map("members"):
            self.member(name, member, node, members)
        for listed in (*look.seq("order"), *look.seq("hide")):
            if isinstance(listed, YamlScalar) and isinstance(listed.value, str):
                self.named(name, listed, words)
        rows = self.rows(name)
        for row, _ in look.map("rows"):
            if row.text not in rows:
                self.missing("N371", row, f"`{name}` has no row `{row.text}`", "", rows)
        self.called(name, look.get("called"), look.get("otherwise"))
        if name == GAME:
            self.layout(look)
        else:
            self.useless(look, "layout", "the layout of the table belongs under `game`")
        if name not in self.model.tables:
            self.useless(look, "unit", f"`{name}` is not a table of numbers")
        if all(zone.short_name != name for zone in self.model.zones.values()):
            self.useless(look, "brief", f"`{name}` is not a zone")
        if show and not self.may_show(name):
            word = look.key("show")
            assert word is not None
            because = "`show:` belongs to things, players, rows, spaces, cards and `game`"
            self.out.error("N373", word.span, f"`{name}` cannot have `show:`", because=because)
            return
        for member, node in show:
            self.show(name, member, node, members)

    # ---- what there is

    def known(self) -> list[str]:
        model, program = self.model, self.program
        ruled = [item.name for part in (program.routines, program.actions, program.values) for item in part.values()]
        zones = [zone.short_name for zone in model.zones.values()]
        return [
            GAME, "player", *model.lists, *model.grids, *model.sorts, *model.made, *zones, *model.zones, *model.tables,
            *model.numbers, *ruled,
        ]  # fmt: skip

    def members(self, name: str) -> dict[str, Type]:
        """What things of a kind keep and have printed, with the types; zones have none."""
        model = self.model
        kept: Mapping[str, Attribute] = {}
        printed: Mapping[str, Column] = {}
        if name == GAME:
            kept = model.state
        elif name == "player":
            kept = model.player_attributes
        elif name in model.made:
            kept = model.made[name].attributes
        else:
            for tables in (model.lists, model.grids, model.sorts):
                if name in tables:
                    kept, printed = tables[name].attributes, tables[name].columns
        found = {n: a.type for n, a in kept.items()} | {n: c.type for n, c in printed.items()}
        if name in model.sorts:
            found |= {n: a.type for trait in model.traits.values() for n, a in trait.state.items()}
        return found

    def rows(self, name: str) -> list[str]:
        model = self.model
        if name in model.lists:
            return [row.name for row in model.lists[name].rows if row.name]
        return [row.name for row in model.sorts[name].rows if row.name] if name in model.sorts else []

    def may_show(self, name: str) -> bool:
        model = self.model
        return name in (GAME, "player", *model.lists, *model.grids, *model.sorts, *model.made)

    def places(self) -> list[str]:
        """What stands on the table by itself: zones that are nobody's, boards, tables of numbers, things that are
        nobody's, and the players with all that is theirs."""
        model = self.model
        zones = [zone.short_name for zone in model.zones.values() if not zone.of]
        return ["player", *zones, *model.lists, *model.grids, *model.tables, *model.made]

    # ---- what is said

    def layout(self, look: YamlMap) -> None:
        known = self.places()
        for word in look.seq("layout"):
            if isinstance(word, YamlScalar) and word.text not in known:
                because = "the layout can contain only zones of the game, lists, grids, tables, kinds and `player`"
                self.missing("N369", word, f"`{word.text}` is not a part of the table", because, known)

    def member(self, name: str, member: YamlScalar, node: YamlNode, members: Mapping[str, Type]) -> None:
        self.named(name, member, members)
        type_ = members.get(member.text)
        if type_ is not None and isinstance(node, YamlMap):
            self.fitting(node, type_)
            if type_.tag not in ("bool", "error"):
                because = f"it is {a_quoted(type_)}: only truth values have a sentence of their own"
                self.useless(node, "called", because)
            elif (said := node.get("called")) is not None:
                known = [*([] if name == GAME else [name, NUMBER]), *self.index(name, member.text)]
                because = "a placeholder here must be the kind that has the value, or a list that indexes it"
                self.holes((said, node.get("otherwise")), known, because)

    def fitting(self, node: YamlMap, type_: Type) -> None:
        """N374 for what is said of numbers, or of what may be false, where there is none."""
        if type_.tag not in ("int", "error"):
            self.useless(node, "unit", f"only numbers have a unit, and this is {a_quoted(type_)}")
        if type_.tag not in ("bool", "error"):
            self.useless(node, "otherwise", f"only truth values can be false, and this is {a_quoted(type_)}")

    def named(self, name: str, word: YamlScalar, members: Mapping[str, object]) -> None:
        gone = name in self.model.sorts and word.layer < self.bereft  # the trait that kept it on its cards
        if word.text not in members and not gone:
            because = "" if members else "it has no values of its own"
            self.missing("N370", word, f"`{name}` has no value `{word.text}`", because, [*members])

    def called(self, name: str, node: YamlNode | None, otherwise: YamlNode | None) -> None:
        actions = [action for action in self.program.actions.values() if action.name == name]
        values = [value for value in self.program.values.values() if value.name == name]
        if otherwise is not None and not any(value.type.tag == "bool" for value in values):
            because = f"`{name}` is not a bool value"
            self.out.error("N374", otherwise.span, "`otherwise:` has no effect here", because=because)
        if node is None:
            return
        if name in self.model.sorts:
            known = ["name", *self.model.sorts[name].columns]
            because = "a placeholder here must be `{name}` or a column of the cards"
        elif actions:
            known = [binder.local.text for action in actions for binder in action.binders]
            known += ["self"] if any(action.bearer.self is not None for action in actions) else []
            because = (
                "a placeholder here must be a parameter of the action, or `self` if a trait or card has the action"
            )
        elif values:
            known = [param.text for value in values for param in value.params]
            because = "a placeholder here must be a parameter of the value"
        elif name in self.model.tables:
            known = [*self.model.tables[name].of]
            because = "a placeholder here must be one of the kinds that index the table"
        else:
            because = f"`{name}` is not a card type, action, value or table"
            self.out.error("N374", node.span, "`called:` has no effect here", because=because)
            return
        self.holes((node, otherwise), known, because)

    def index(self, name: str, member: str) -> tuple[str, ...]:
        """For the rows of which lists an attribute is kept besides."""
        model = self.model
        kept: dict[str, Attribute] = {**(model.state if name == GAME else {})}
        kept |= model.player_attributes if name == "player" else {}
        for tables in (model.made, model.lists, model.grids, model.sorts):
            kept |= tables[name].attributes if name in tables else {}
        for trait in model.traits.values():
            kept |= trait.state if name in model.sorts else {}
        return kept[member].index if member in kept else ()

    def holes(self, texts: Sequence[YamlNode | None], known: Sequence[str], because: str) -> None:
        """N372 for what nothing fills. A hole may have forms: `{n:has|have}`."""
        for said in (one for one in texts if one is not None):
            holes = {hole.partition(":")[0] for text in texts_of(said).values() for hole in _HOLE.findall(text)}
            for hole in sorted(holes - {*known}):
                self.out.error(
                    "N372", said.span, f"unknown placeholder `{hole}`", because=because,
                    hint=did_you_mean(hole, known),
                )  # fmt: skip

    def show(self, name: str, member: YamlScalar, node: YamlNode, members: Mapping[str, object]) -> None:
        if member.text in members:
            because = f"`{name}` already has a value of this name"
            self.out.error("N373", member.span, f"duplicate name `{member.text}`", because=because)
            return
        said = node.get("is") if isinstance(node, YamlMap) else node
        if not isinstance(said, YamlScalar) or not said.text.strip():
            return  # the schema has told of it
        parsed, mistakes = parse_expression(said.text, said.placement(), self.memo)
        self.out.extend(mistakes)
        if parsed is None or mistakes.failed:
            return
        names = {} if name == GAME else {"this": ref(name)}
        expr, mistakes = self.check(parsed, names)
        self.out.extend(mistakes)
        if expr is None:
            return
        if expr.type.tag not in ("int", "bool", "ref"):
            because = "`show:` can show only numbers, truth values, rows and things"
            self.out.error("N373", said.span, f"{a_quoted(expr.type)} cannot be shown", because=because)
            return
        if isinstance(node, YamlMap):
            self.fitting(node, expr.type)
        local = tree.Local("this", ref(name), "this") if name != GAME else None
        self.shown.append(tree.Shown("" if name == GAME else name, member.text, local, expr, said.span))

    def useless(self, node: YamlMap, word: str, because: str) -> None:
        key = node.key(word)
        if key is not None:
            self.out.error("N374", key.span, f"`{word}:` has no effect here", because=because)

    def missing(self, code: str, word: YamlScalar, message: str, because: str, known: list[str]) -> None:
        if word.text not in self.removed and word.text not in self.lost:
            self.out.error(code, word.span, message, because=because, hint=did_you_mean(word.text, known))
