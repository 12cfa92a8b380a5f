"""Framework-independent parts of training loops, in numpy: masked policies, episode statistics, server addresses.

:class:`Fleet` keeps servers on the nodes of a Ray cluster.

:mod:`kessel.rl.rllib` has environments and a masked module for RLlib; :mod:`kessel.export` writes models.
"""

from .evaluate import evaluate, wilson
from .fleet import Fleet, address_here, address_of
from .ladder import Ladder
from .policy import entropy, greedy, log_softmax, sample
from .statistics import Episode, EpisodeStatistics

__all__ = [
    "Episode",
    "EpisodeStatistics",
    "Fleet",
    "Ladder",
    "address_here",
    "address_of",
    "entropy",
    "evaluate",
    "greedy",
    "log_softmax",
    "sample",
    "wilson",
]
