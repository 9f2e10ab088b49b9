"""One file a rule; `rulelang/tools/lint/registry.py` is the table of them."""
