"""Records, which are defined by the hundred and made by the ten thousand: syntax nodes, checked trees, the IR, YAML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache
from types import CodeType, FunctionType
from typing import Any, TypeVar, dataclass_transform

_T = TypeVar("_T")
_NAMES: dict[str, Any] = {}  # that the methods see beside the built-in ones
_MADE: Any = object()  # stands for what is made anew, where nothing is given


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[_T]) -> type[_T]:
    """A dataclass with slots that compares and hashes by its fields.

    Nobody may assign to its fields, and mypy sees to it. At run time they are not frozen: a frozen dataclass takes
    three times as long to make, and 13 times as long to define, which was a tenth of a check. What dataclasses write as
    text and compile for each class is here taken from a class of equally many fields, and its names are put in.
    """
    cls.__repr__ = _repr  # type: ignore[method-assign]
    cls.__doc__ = cls.__doc__ or cls.__name__  # else dataclasses work out its signature
    inherited: tuple[Any, ...] = fields(cls) if is_dataclass(cls) else ()
    if hasattr(cls, "__post_init__") or any(map(_worked_out, (*inherited, *vars(cls).values()))):
        return dataclass(slots=True, unsafe_hash=True, repr=False)(cls)
    # Of each annotation that is a text dataclasses look three times whether it is one of theirs: a fifth of the time.
    types = cls.__annotations__
    cls.__annotations__ = dict.fromkeys(types, object)
    made = dataclass(slots=True, init=False, repr=False, eq=False)(cls)
    made.__annotations__ = types
    known: tuple[Field[Any], ...] = fields(made)  # type: ignore[arg-type]
    for f in known:
        f.type = types.get(f.name, f.type)
    names = [f.name for f in known]
    compared = [f.name for f in known if f.compare]
    hashed = [f.name for f in known if (f.compare if f.hash is None else f.hash)]
    defaults = tuple(f.default for f in known if f.default is not MISSING)
    makers = {f"make{k}_": f.default_factory for k, f in enumerate(known) if f.default_factory is not MISSING}
    if makers:
        first = min(k for k, f in enumerate(known) if f.default is not MISSING or f.default_factory is not MISSING)
        defaults = tuple([_MADE if f.default_factory is not MISSING else f.default for f in known[first:]])
    code = _pattern(len(names), "__init__", tuple([f"make{k}_" in makers for k in range(len(names))]) if makers else ())
    _add(made, _named(code, names), defaults, {**makers, "made_": _MADE} if makers else _NAMES)
    _add(made, _named(_pattern(len(compared), "__eq__"), compared))
    _add(made, _named(_pattern(len(hashed), "__hash__"), hashed))
    return made


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: type[_T]) -> type[_T]:
    """A record that is part of a tree."""
    return record(cls)


def _worked_out(item: object) -> bool:
    """Whether it says of a field that it does not simply take what is given, a constant, or what is made anew."""
    return isinstance(item, Field) and (item.kw_only is True or not item.init)


@cache
def _pattern(count: int, method: str, made: tuple[bool, ...] = ()) -> CodeType:
    """The code of a method of a class whose fields are called `f0`, `f1` ...; `made`: which of them are made anew where
    nothing is given."""
    names = [f"f{k}" for k in range(count)]
    args = "".join(f", {name}" for name in names)
    # a field may be called `self`
    given = [f"make{k}_() if f{k} is made_ else f{k}" if made and made[k] else f"f{k}" for k in range(count)]
    stores = "; ".join(f"self_.{name} = {value}" for name, value in zip(names, given, strict=True)) or "pass"
    own, others = ("".join(f"{whose}.{name}, " for name in names) for whose in ("self", "other"))
    same = f"({own}) == ({others}) if other.__class__ is self.__class__ else NotImplemented"
    text = {
        "__init__": f"def __init__(self_{args}): {stores}",
        "__eq__": f"def __eq__(self, other): return {same}",
        "__hash__": f"def __hash__(self): return hash(({own}))",
    }[method]
    found: dict[str, Any] = {}
    exec(text, found)
    code: CodeType = found[method].__code__
    return code


def _named(code: CodeType, names: Sequence[str]) -> CodeType:
    """The same code for fields of other names."""
    to = {f"f{k}": name for k, name in enumerate(names)}
    return code.replace(
        co_names=tuple([to.get(name, name) for name in code.co_names]),
        co_varnames=tuple([to.get(name, name) for name in code.co_varnames]),
    )


def _add(cls: type, code: CodeType, defaults: tuple[Any, ...] = (), names: dict[str, Any] = _NAMES) -> None:
    setattr(cls, code.co_name, FunctionType(code, names, code.co_name, defaults))


def _repr(self: Any) -> str:
    """As dataclasses have it: one function for all, as it takes time to make one for each."""
    shown = (f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"
