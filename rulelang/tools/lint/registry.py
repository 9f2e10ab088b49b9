"""The table of the linter's rules."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.base.codes import Page
from rulelang.tools.lint.records import Rule
from rulelang.tools.lint.rules import (
    compared_with_truth,
    constant_condition,
    double_negation,
    empty_scenario,
    hook_of_everybody,
    hook_without_effect,
    idle_assignment,
    idle_scenario,
    missing_reason,
    missing_refusal,
    modify_without_effect,
    near_duplicate,
    range_too_wide,
    read_after_reset,
    read_through_gone,
    same_branches,
    same_twice,
    scenario_without_rule,
    secret_told,
    similar_names,
    skipped_by_pass,
    state_never_read,
    state_never_written,
    swapped_arguments,
    text_and_number,
    told_too_early,
    trait_without_scenario,
    uncited_rule,
    unused_column,
    unused_list,
    unused_local,
    unused_number,
    unused_option,
    unused_routine,
    unused_value,
    unused_zone,
    useless_allow,
)

RULES: tuple[Rule, ...] = tuple(
    module.RULE
    for module in (
        useless_allow, unused_value, unused_routine, unused_number, unused_option, unused_local, state_never_read,
        state_never_written, unused_column, unused_zone, unused_list, uncited_rule, constant_condition,
        modify_without_effect, hook_of_everybody, text_and_number, told_too_early, scenario_without_rule, idle_scenario,
        missing_refusal, trait_without_scenario, near_duplicate, similar_names, compared_with_truth, double_negation,
        same_twice, same_branches, idle_assignment, missing_reason, hook_without_effect,
        swapped_arguments, secret_told, skipped_by_pass, empty_scenario, range_too_wide,
        read_through_gone, read_after_reset,
    )
)  # fmt: skip

#: Their pages by code, as `rulelang explain` shows them.
PAGES: Mapping[str, Page] = {rule.code: rule.page for rule in RULES}
