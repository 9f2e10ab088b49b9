"""`kinds:`, `zones:`, `tables:` and `state:`."""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.base.diagnostics import Related
from rulelang.base.wording import a_quoted, did_you_mean
from rulelang.data.yaml_nodes import YamlMap, YamlNode, YamlScalar
from rulelang.language.semantics.declare.attributes import declare_attributes, no_of, read_attribute, read_seen_by
from rulelang.language.semantics.declare.registry import (
    WRONG,
    Registry,
    as_flag,
    as_map,
    as_word,
    as_words,
    bound_range,
    read_bound,
    read_type,
)
from rulelang.language.semantics.model import Attribute, Bound, Made, Table, Zone

Entry = tuple[YamlScalar, YamlMap]


def declare_made(registry: Registry, key: YamlScalar, node: YamlMap, zones: dict[str, Zone]) -> Made:
    """A kind of things that players make and lose. N303, N315, N318 or N323 for what its declaration lacks."""
    name = key.text
    of = as_word(registry, node.get("of"), "`player`")
    if of is None:
        because = "a thing that is created in play needs an owner"
        registry.out.error("N318", key.span, f"`{name}` has no `of:`", because=because, hint="write `of: player`")
    elif of.text != "player":
        because = "things that are created in play belong to players"
        registry.out.error(
            "N303", of.span, f"`{name}` cannot be of `{of.text}`", because=because, hint="write `of: player`"
        )
    inside = as_word(registry, node.get("in"), "a list of places")
    place = None
    if inside is not None:
        place = registry.kind(
            inside, f"`in:` must name the list of places for {a_quoted(name)}", ("list", "ladder", "grid")
        )
    attributes = as_map(registry, node.get("attributes"), "attributes and their types")
    return Made(
        name=name,
        of="player",
        place=place.name if place is not None else None,
        line=as_flag(registry, node.get("line")),
        at_most=_at_most(registry, key, node.get("at_most")),
        attributes=declare_attributes(registry, attributes, name, zones, owned=True),
        names=tuple(word.text for word in as_words(registry, node.get("names"), "names")),
        span=key.span,
    )


def _at_most(registry: Registry, key: YamlScalar, node: YamlNode | None) -> Bound:
    word = as_word(registry, node, "the greatest number that an owner can have")
    if word is None:
        if node is None:
            because = "the size of the state is fixed, so there must be a maximum number for each owner"
            hint = "write `at_most: 20`, or the name of a number"
            registry.out.error("N318", key.span, f"`{key.text}` has no `at_most:`", because=because, hint=hint)
        return 1
    kind = registry.kinds.get(word.text)
    if kind is not None and kind.category == "cards":
        return word.text
    bound = read_bound(registry, word.text, word.span)
    least, most = bound_range(registry, bound) if bound is not None else (1, 1)
    if least < 1 or most > 10_000:
        because = "an owner's maximum must be from 1 to 10000"
        registry.out.error("N315", word.span, f"{least if least < 1 else most} is out of range", because=because)
        return 1
    return 1 if bound is None else bound


def declare_player(registry: Registry, node: YamlMap, zones: dict[str, Zone]) -> dict[str, Attribute]:
    """The attributes of players; N323 for anything else said of them."""
    for key, value in node:
        if key.text not in ("attributes", "text"):
            because = "players are not created in play; their number is in `players:` of the manifest"
            what = f"{key.text}: {value.text}" if isinstance(value, YamlScalar) else f"{key.text}:"
            message, hint = f"`player` cannot have `{key.text}:`", f"leave `{what}` out"
            registry.out.error("N323", key.span, message, because=because, hint=hint)
    attributes = as_map(registry, node.get("attributes"), "attributes and their types")
    return declare_attributes(registry, attributes, "player", zones, owned=True)


def declare_zones(registry: Registry, entries: Iterable[Entry], zones: dict[str, Zone]) -> None:
    """All zones, into `zones` (which holds the slots). One without a good `holds` is left out."""
    nodes: dict[str, YamlMap] = {}
    for key, node in entries:
        held = as_word(registry, node.get("holds"), "a card type")
        if held is None:
            because = "a zone contains cards of one card type"
            registry.out.error("N318", key.span, f"the zone `{key.text}` has no `holds:`", because=because)
            continue
        sort = registry.kind(held, f"`holds:` of the zone `{key.text}` must name a card type", ("cards",))
        whose = as_word(registry, node.get("of"), "a kind or a list")
        of = None
        if whose is not None:
            of = registry.kind(
                whose,
                f"`of:` must name a kind or a list, because each of its things or rows has its own zone `{key.text}`",
            )
        if sort is None or (whose is not None and of is None):
            continue
        if key.text in zones:
            because = "slots and zones need different names"
            related = [Related(zones[key.text].span, "the slot is declared here")]
            registry.out.error(
                "N300", key.span, f"there is already a slot `{key.text}`", because=because, related=related
            )
            continue
        owned = of is not None and of.category in ("player", "made", "cards")
        playable = as_flag(registry, node.get("playable"))
        nodes[key.text] = node
        zones[key.text] = Zone(
            name=key.text,
            of=of.name if of is not None else None,
            holds=sort.name,
            seen_by=read_seen_by(registry, node.get("seen_by"), key.text, owned=owned),
            in_force=as_flag(registry, node.get("in_force")),
            playable=playable,
            played_to=_text(registry, node.get("played_to")),
            refilled_from=_text(registry, node.get("refilled_from")),
            span=key.span,
        )
        if playable and not as_flag(registry, node.get("in_force")):
            because = "the actions of a card are rules, and they work only in zones with `in_force: true`"
            place = node.key("playable")
            registry.out.error(
                "N322", place.span if place else key.span, "a `playable` zone needs `in_force: true`", because=because
            )
    for name, node in nodes.items():
        _other_zones(registry, zones[name], node, zones)


def _text(registry: Registry, node: YamlNode | None) -> str | None:
    word = as_word(registry, node, "a zone")
    return word.text if word is not None else None


def _other_zones(registry: Registry, zone: Zone, node: YamlMap, zones: dict[str, Zone]) -> None:
    """`played_to` and `refilled_from` must name a zone of the same sort, one for the game or for the same kind."""
    for word, name in (("played_to", zone.played_to), ("refilled_from", zone.refilled_from)):
        value = node.get(word)
        if name is None or value is None:
            continue
        other = zones.get(name)
        problem = ""
        if other is None or other.slot:
            known = [z.name for z in zones.values() if not z.slot]
            because = f"`{word}:` must name a zone"
            hint = did_you_mean(name, known)
            registry.out.error("N303", value.span, f"there is no zone `{name}`", because=because, hint=hint)
            continue
        if other.name == zone.name:
            problem = f"cannot be `{word}:` of itself"
        elif other.holds != zone.holds:
            problem = f"holds `{other.holds}`, but `{zone.name}` holds `{zone.holds}`"
        elif other.of not in (None, zone.of):
            problem = f"is `of: {other.of}`, but `{zone.name}` " + (
                f"is `of: {zone.of}`" if zone.of else "has no `of:`"
            )
        elif word == "played_to" and not zone.playable:
            problem = f"gets the played cards, but `{zone.name}` is not `playable`"
        if problem:
            because = "rulelang moves cards there automatically, so there must be exactly one matching zone"
            related = [Related(other.span, f"`{name}` is declared here")]
            hint = f"name another zone that holds `{zone.holds}`"
            registry.out.error("N322", value.span, f"`{name}` {problem}", because=because, hint=hint, related=related)


def declare_tables(registry: Registry, entries: Iterable[Entry]) -> dict[str, Table]:
    """Matrices of numbers over two or more kinds."""
    tables: dict[str, Table] = {}
    for key, node in entries:
        words = as_words(registry, node.get("of"), "kinds, like `[species, space]`")
        because = f"the table `{key.text}` has a number for each combination of things of its kinds"
        kinds = [registry.kind(word, because) for word in words]
        if len(words) < 2:
            place = node.get("of") or key
            hint = "for one kind, declare an attribute of that kind"
            registry.out.error(
                "N318", place.span, f"the table `{key.text}` needs two kinds or more", because=because, hint=hint
            )
            continue
        said = read_type(registry, node.get("is"), key.span)
        if said.type.tag not in ("int", "error") or said.type.maybe:
            why = "a table contains numbers: `int`, or a range like `0..20`"
            registry.out.error("N317", (node.get("is") or key).span, f"a table cannot hold `{said.type}`", because=why)
            said = WRONG
        if (isinstance(said.low, int) and said.low > 0) or (isinstance(said.high, int) and said.high < 0):
            why = "each entry of a table begins at 0"
            place = node.get("is") or key
            registry.out.error("N315", place.span, f"0 is not in the range of the table `{key.text}`", because=why)
        for word in ("start", "seen_by"):
            said_of_it = node.key(word)
            if said_of_it is not None:
                why = "all entries of a table begin at 0, and everyone sees them"
                registry.out.error("N317", said_of_it.span, f"a table cannot have `{word}:`", because=why)
        found = tuple(kind.name for kind in kinds if kind is not None)
        if len(found) == len(words):
            resets = as_word(registry, node.get("resets"), "`turn`, `round`, `phase` or the name of a phase")
            clamp = as_flag(registry, node.get("clamp"))
            phase = resets.text if resets is not None else None
            tables[key.text] = Table(key.text, found, said.low, said.high, phase, clamp, key.span)
    return tables


def declare_state(registry: Registry, entries: Iterable[tuple[YamlScalar, YamlNode]]) -> dict[str, Attribute]:
    """Single values of the game."""
    state: dict[str, Attribute] = {}
    for key, node in entries:
        no_of(registry, key, node)
        state[key.text] = read_attribute(registry, key, node, owned=False)
    return state
