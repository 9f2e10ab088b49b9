"""Games for programs that learn: positions as numbers, and environments for PettingZoo, Gymnasium and OpenSpiel.

    from rulelang.envs import Encoding, Steps

    encoding = Encoding(game.table(2))
    steps = Steps.new(encoding, game, seed=1)
    steps.take(steps.legal[0])

This much needs nothing else. The environments need the extra `envs` (OpenSpiel: `openspiel`) and are imported when they
are asked for.
"""

from __future__ import annotations

from rulelang.envs.encoding import Encoding
from rulelang.envs.fields import Field, Schema
from rulelang.envs.ids import Ids, Node
from rulelang.envs.steps import Steps, rewards

__all__ = ["Encoding", "Field", "Ids", "Node", "Schema", "Steps", "rewards"]
