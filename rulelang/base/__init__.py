"""Ground floor: source places, diagnostics as data, the one table of codes. Imports the standard library only."""
