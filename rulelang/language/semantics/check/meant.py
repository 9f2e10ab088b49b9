"""What was meant where a value stands that nothing is called: a number, what a query finds, or the nearest name."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.base.english import number_word, plural
from rulelang.base.nearest import nearest
from rulelang.language.semantics.builtins.names import NAMES
from rulelang.language.semantics.check.checker import Checker
from rulelang.language.semantics.types import INT, Type, ref

#: So alike are words that differ by a slip of the hand; a value that does not fit is proposed only then.
_ALIKE = 0.8


def instead(checker: Checker, name: str, want: Type | None) -> tuple[str, str]:
    """Why nothing is called so, if there is more to say than that, and a hint. Either may be empty."""
    number = number_word(name)
    if number is not None:
        return "rules write numbers in digits", f"write `{number}`"
    beyond = beyond_edges(checker, name, want)
    if beyond is not None:
        return beyond
    if checker.symbols.crowded():
        return "", ""
    fitting = [n for n, type_ in values(checker) if want is not None and type_.sure() == want.sure()]
    kind = kind_named(checker, name)
    if kind is not None and (local := _of_kind(checker, kind, want)):
        return f"`{kind}` is a kind, not a single {kind}", f"did you mean `{local}`?"
    if kind is not None and not nearest(name, fitting, _ALIKE):
        return f"`{kind}` is a kind; a query loops over all of them", _query(checker, kind, want)
    like = nearest(name, fitting if want is not None else [n for n, _ in values(checker)])
    like = like or _slip(checker, name)
    written = like if like is None or like.isidentifier() else f'"{like}"'
    return "", f"did you mean `{written}`?" if written else ""


def beyond_edges(checker: Checker, name: str, want: Type | None) -> tuple[str, str] | None:
    """Say which spaces there are, and which one is nearest to a name that would be one of a larger grid; else None."""
    symbols = checker.symbols
    kinds = [*symbols.model.grids] if want is None else [want.name]
    for kind in kinds:
        spaces = symbols.spaces(kind)
        near = spaces.nearest(name) if spaces is not None and name not in spaces else None
        if spaces is not None and near is not None:
            return f"`{kind}` has {spaces.extent}", f"did you mean `{near}`?"
    return None


def values(checker: Checker) -> Iterator[tuple[str, Type]]:
    """Every name that stands for a value by itself where we are, with its type."""
    symbols, model = checker.symbols, checker.symbols.model
    for name in checker.scope.names():
        local = checker.scope.find(name)
        if local is not None:
            yield name, local.type
    yield from ((name, attribute.type) for name, attribute in model.state.items())
    yield from ((name, INT) for name in model.numbers if not symbols.is_row(name))
    for signature in symbols.visible(checker.scope.origin):
        if signature.what == "value" and not signature.params and signature.result is not None:
            yield signature.name, signature.result
    for name in symbols.all_row_names():
        yield from ((name, ref(kind)) for kind, _ in symbols.rows_named(name))
    yield from ((name, row.type) for name, row in NAMES.items() if row.type is not None)


def names_of_values(checker: Checker) -> list[str]:
    """Every name that a value begins with where we are: those of `values`, and values that take arguments."""
    symbols = checker.symbols
    called = [s.name for s in symbols.visible(checker.scope.origin) if s.what == "value"]
    return [*(name for name, _ in values(checker)), *symbols.model.numbers, *called, *NAMES]


def _slip(checker: Checker, name: str) -> str | None:
    """What has nearly this name, and is no value by itself, or none of the type that is wanted."""
    return nearest(
        name, [*names_of_values(checker), *checker.symbols.zone_names(), *checker.symbols.model.tables], _ALIKE
    )


def kind_named(checker: Checker, name: str) -> str | None:
    """The kind that is named, or many of it: `frog`, `frogs`."""
    return next((kind for kind in checker.symbols.kinds() if name in (kind, plural(kind))), None)


def _of_kind(checker: Checker, kind: str, want: Type | None) -> str:
    """The variable of a kind that is in scope, where one of this kind or of any type can be used; else ""."""
    if want is not None and want.sure() != ref(kind):
        return ""
    found = [name for name in checker.scope.names() if (one := checker.scope.find(name)) and one.type.name == kind]
    return found[0] if len(set(found)) == 1 else ""


def binder(checker: Checker, kind: str) -> str:
    """`frog f`, with a name that is free here."""
    taken = set(checker.scope.names())
    return f"{kind} {next((n for n in (kind[0], 'x') if n not in taken), f'one_{kind}')}"


def _query(checker: Checker, kind: str, want: Type | None) -> str:
    query = "count"
    if want is not None and want.tag in ("bool", "ref"):
        query = "any" if want.tag == "bool" else "first"
    return f"write `{query}({binder(checker, kind)})`"
