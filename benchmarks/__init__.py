"""Speed figures, each with its target: `python -m benchmarks`, or `make bench`."""
