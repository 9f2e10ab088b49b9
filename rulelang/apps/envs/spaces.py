"""Observations and masks as numpy arrays, and the spaces that they lie in."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from rulelang.apps.envs.encoding import Encoding
from rulelang.apps.envs.steps import Steps


def observation_space(encoding: Encoding) -> Any:
    """The numbers of an observation between the bounds of their fields, and a mask by id."""
    low, high = np.zeros(encoding.size, np.int16), np.zeros(encoding.size, np.int16)
    for field in encoding.schema:
        low[field.offset : field.end], high[field.offset : field.end] = field.low, field.high
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, (encoding.size,), np.int16),
            "action_mask": spaces.Box(0, 1, (encoding.actions,), np.int8),
        }
    )


def told(steps: Steps, seat: int) -> dict[str, Any]:
    """What a seat is told; the mask is empty if another one is asked."""
    mask = np.frombuffer(steps.mask(), np.int8) if steps.asked == seat else np.zeros(steps.encoding.actions, np.int8)
    return {"observation": np.frombuffer(steps.observe(seat), np.int16), "action_mask": mask}
