"""Random play of a game in 256 environments at once, and how fast it went: random_play.py [GAME]"""

import sys
import time

import numpy as np

import kessel

game = sys.argv[1] if len(sys.argv) > 1 else "pocket-stalingrad"
envs = kessel.make_vec(game, num_envs=256)
rng = np.random.default_rng(7)
obs, info = envs.reset(seed=7)
games, start = 0, time.perf_counter()
for _ in range(1000):
    actions = kessel.sample(info["action_mask"], rng)
    obs, rewards, terminated, truncated, info = envs.step(actions)
    games += np.count_nonzero(terminated | truncated)
print(f"{game}: {1000 * 256 / (time.perf_counter() - start):,.0f} decisions/s, {games} games finished")
envs.close()
