"""Array zones `[count, items...]` as slices of the state.

What lies beyond the count after an operation is fixed too (states are compared word by word): a drop shifts the items
above it down and leaves the last word as it was; a draw and an append leave the source's words.
"""

from __future__ import annotations

from rulelang.compiler.backends.names import Names
from rulelang.compiler.backends.python.expr import Exprs
from rulelang.compiler.backends.python.writer import Writer
from rulelang.compiler.backends.scripted import Scripted
from rulelang.compiler.ir import nodes as ir
from rulelang.compiler.passes.analysis.addresses import split_constant


class Zones(Scripted):
    """Writes the statements about them."""

    names: Names
    out: Writer
    ex: Exprs

    def temporary(self, expr: ir.Expr, hint: str = "t") -> str:
        """The text of a value that is told more than once: itself if cheap, else a temporary set here."""
        text = self.ex.num(expr, 10)
        if isinstance(expr, (ir.Local, ir.Const)):
            return text
        name = self.names.temporary(hint)
        self.out(f"{name} = {self.ex.value(expr)}")
        return name

    def zone(self, expr: ir.Expr) -> ir.Expr:
        """The address of an array zone as an expression that may be told several times."""
        if isinstance(expr, ir.Local) or split_constant(expr)[0] is None:
            return expr
        name = self.names.temporary("z")
        self.names.given[name] = name
        self.out(f"{name} = {self.ex.num(expr)}")
        return ir.Local(name)

    def list_to_array(self, stmt: ir.ListToArray) -> None:
        zone, items = self.zone(stmt.zone), self.names[stmt.list]
        start = self.ex.address(1, zone)
        self.out(f"S[{self.ex.address(0, zone)}] = len({items}); S[{start}:{start} + len({items})] = {items}")

    def array_push(self, stmt: ir.ArrayPush) -> None:
        zone, out, count = self.zone(stmt.zone), self.out, self.names.temporary("n")
        here = self.ex.address(0, zone)
        value = self.temporary(stmt.value, "v") if stmt.bottom else self.ex.value(stmt.value)
        out(f"{count} = S[{here}] + 1; S[{here}] = {count}")
        if stmt.bottom:
            first = self.ex.address(1, zone)
            out(f"S[{self.ex.address(2, zone)}:{first} + {count}] = S[{first}:{here} + {count}]")
            out(f"S[{first}] = {value}")
        else:
            out(f"S[{here} + {count}] = {value}")

    def array_drop(self, stmt: ir.ArrayDrop) -> None:
        zone, out = self.zone(stmt.zone), self.out
        count, end, place = (self.names.temporary(h) for h in "nei")
        here, first = self.ex.address(0, zone), self.ex.address(1, zone)
        out(f"{count} = S[{here}]; {end} = {here} + {count}; {place} = S.index({self.ex.num(stmt.value)}, {first})")
        out(f"if {place} < {end}: S[{place}:{end}] = S[{place} + 1:{end} + 1]")
        out(f"S[{here}] = {count} - 1")

    def array_draw(self, stmt: ir.ArrayDraw) -> None:
        source, target, out = self.zone(stmt.source), self.zone(stmt.target), self.out
        top, end, card = (self.names.temporary(h) for h in "aec")
        here, there = self.ex.address(0, source), self.ex.address(0, target)
        if stmt.count == ir.Const(1):
            out(f"{top} = S[{here}]; S[{here}] = {top} - 1; {card} = S[{here} + {top}]")
            out(f"{end} = S[{there}] + 1; S[{there}] = {end}; S[{there} + {end}] = {card}")
            out(f"S[{self.ex.place(stmt.where, card)}] = {self.ex.value(stmt.zone_id)}")
            return
        zone_id, count = self.temporary(stmt.zone_id, "w"), self.temporary(stmt.count, "n")
        out(f"{top} = {here} + S[{here}]; {end} = {self.ex.address(1, target)} + S[{there}]")
        # in a list of one's own: the slice of the source may not run past the start of the state
        part = self.names.temporary("p")
        out(f"{part} = S[{top}:{top} - {count}:-1]; S[{end}:{end} + {count}] = {part}")
        out(f"S[{here}] -= {count}; S[{there}] += {count}")
        out(f"for {card} in {part}: S[{self.ex.place(stmt.where, card)}] = {zone_id}")

    def array_append_all(self, stmt: ir.ArrayAppendAll) -> None:
        source, target, out = self.zone(stmt.source), self.zone(stmt.target), self.out
        zone_id = self.temporary(stmt.zone_id, "w")
        part, card, start = (self.names.temporary(h) for h in "pcb")
        here, there = self.ex.address(0, source), self.ex.address(0, target)
        first = self.ex.address(1, target)
        out(f"{part} = {self.ex.items(source)}")
        if stmt.bottom:
            old = self.names.temporary("o")
            out(f"{old} = {part} + {self.ex.items(target)}; S[{first}:{first} + len({old})] = {old}")
        else:
            out(f"{start} = {first} + S[{there}]; S[{start}:{start} + len({part})] = {part}")
        out(f"S[{here}] = 0; S[{there}] += len({part})")
        out(f"for {card} in {part}: S[{self.ex.place(stmt.where, card)}] = {zone_id}")

    def array_shuffle(self, stmt: ir.ArrayShuffle) -> None:
        zone, out, cells = self.zone(stmt.zone), self.out, self.cells
        here, first = self.ex.address(0, zone), self.ex.address(1, zone)
        out(f"x_ = S[{cells.rng_x}]; c_ = S[{cells.rng_c}]")
        items, end = self.names.temporary("l"), self.names.temporary("e")
        out(f"{end} = {first} + S[{here}]; {items} = S[{first}:{end}]")
        with out.inside(f"for i_ in range(len({items}) - 1, 0, -1):"):
            out("k_ = (x_ ^ c_) * (i_ + 1) >> 30; t_ = x_ * 998578647 + c_; x_ = t_ & 1073741823; c_ = t_ >> 30")
            out(f"v_ = {items}[k_]; {items}[k_] = {items}[i_]; {items}[i_] = v_")
        out(f"S[{first}:{end}] = {items}")
        out(f"S[{cells.rng_x}] = x_; S[{cells.rng_c}] = c_")
