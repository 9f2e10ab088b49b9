"""Turn checked rules into programs: IR, lowering, passes and backends."""
