"""Framework-independent parts of training loops, in numpy: masked policies, episode statistics, server addresses.

:mod:`kessel.rl.rllib` has environments and a masked module for RLlib; :mod:`kessel.export` writes models.
"""

from .evaluate import evaluate, wilson
from .fleet import address_of
from .ladder import Ladder
from .policy import entropy, greedy, log_softmax, sample
from .statistics import Episode, EpisodeStatistics

__all__ = [
    "Episode",
    "EpisodeStatistics",
    "Ladder",
    "address_of",
    "entropy",
    "evaluate",
    "greedy",
    "log_softmax",
    "sample",
    "wilson",
]
