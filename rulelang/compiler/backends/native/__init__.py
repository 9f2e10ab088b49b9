"""The native backend: `emit` turns a module of the IR into freestanding C99, `build` makes a shared library of it, and
`link` drives that library. Words of the state, choices of random games and diagnostics are those of the Python backend.
"""
