"""Programs on the native backend for tests."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from rulelang.compiler.backends.native.build import available_compilers, library_path
from rulelang.compiler.backends.native.emit import emit
from rulelang.compiler.backends.native.link import NativeProgram
from rulelang.compiler.ir import nodes as ir

needs_compiler = pytest.mark.skipif(not available_compilers(), reason="there is no C compiler here")
_FOLDER = tempfile.TemporaryDirectory(prefix="rulelang-native-")


def native(made: ir.Module) -> NativeProgram:
    """A module on the native backend, with the library in a folder that goes with the test run."""
    emitted = emit(made)
    return NativeProgram(library_path(emitted.source, Path(_FOLDER.name)), emitted.link_info, made)
