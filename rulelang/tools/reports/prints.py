"""What tells one finding from another over several runs: not its line, which moves when lines are added above it."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

from rulelang.tools.reports.records import Finding


def fingerprints(findings: Iterable[Finding]) -> list[str]:
    """For each finding a hash of its rule, file and message, and of how many like it stand before it."""
    seen: Counter[str] = Counter()
    prints = []
    for finding in findings:
        key = "\0".join((finding.rule, finding.span.path, finding.message))
        prints.append(hashlib.sha256(f"{key}\0{seen[key]}".encode(errors="backslashreplace")).hexdigest()[:32])
        seen[key] += 1
    return prints
