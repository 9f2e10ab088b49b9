"""What all tests share: a cache of their own, the root of the clone, and how property tests are run."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

CACHE = "RULELANG_CACHE"
#: How far C is optimised: gcc takes three times as long for the level that users have.
LEVEL = "RULELANG_CC_LEVEL"
MADE_HERE = pytest.StashKey[str]()

# Machines that run tests are shared and slow, so time limits of an example say nothing about the code. Examples are
# the same in every run: a test that fails today and not tomorrow teaches nobody. `HYPOTHESIS_PROFILE=search` looks
# further.
settings.register_profile(
    "repeatable",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("search", parent=settings.get_profile("repeatable"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_configure(config: pytest.Config) -> None:
    """One cache for the run, shared by its workers and by the processes they start; never the user's own. English,
    whatever the user's language. And C that is not optimised: most tests play few games natively (else `as_users`)."""
    os.environ["LANGUAGE"] = "en"
    os.environ.setdefault(LEVEL, "-O0")
    if CACHE not in os.environ:
        folder = tempfile.mkdtemp(prefix="rulelang-tests-")
        os.environ[CACHE] = folder
        config.stash[MADE_HERE] = folder


def pytest_unconfigure(config: pytest.Config) -> None:
    folder = config.stash.get(MADE_HERE, None)
    if folder is not None:
        os.environ.pop(CACHE, None)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the clone."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def as_users() -> Iterator[None]:
    """C is optimised as it is for users: where the numbers themselves are the point, or the shipped games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(LEVEL)
        yield
