"""Grows the corpus as `grow.py` does, led by what ran of rulelang: `python -m tests.hostile.led MINUTES [SEED]`.

It takes atheris, which is installed by hand. Each input of its is the lot by which a change is drawn.
"""

from __future__ import annotations

import os
import random
import sys
import time

import atheris


class Lot(random.Random):
    """Chance that draws from an input."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self.data = atheris.FuzzedDataProvider(data)

    def random(self) -> float:
        return self.data.ConsumeIntInRange(0, 255) / 256  # type: ignore[no-any-return]

    def getrandbits(self, k: int, /) -> int:
        return self.data.ConsumeIntInRange(0, (1 << k) - 1) if k < 64 else 0  # type: ignore[no-any-return]


def main() -> None:
    with atheris.instrument_imports(include=["rulelang"]):
        from tests.hostile.grow import FILES, Growth
    growth, until = Growth(), time.monotonic() + 60 * float(sys.argv[1])

    def one(data: bytes) -> None:
        chance = Lot(data)
        growth.look(chance.choice(FILES), chance)
        if time.monotonic() > until:
            print(growth, flush=True)
            os._exit(0)

    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    atheris.Setup(
        [
            sys.argv[0],
            f"-seed={seed}",
            "-timeout=60",
            "-rss_limit_mb=0",
            "-artifact_prefix=/tmp/",
            "-max_len=64",
            "-len_control=0",
        ],
        one,
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main()
