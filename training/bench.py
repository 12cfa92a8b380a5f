"""Measures what Python gets, for `kessel bench`: reads a line `WHAT NAME SIZE SECONDS`, answers a line of JSON.

kessel GAME SIZE      random legal play of a batch, observations and masks as numpy arrays
openspiel GAME 1      the same with OpenSpiel: mask and observation at every decision
pettingzoo GAME 1     the same with a PettingZoo classic game
versions - 0          versions of what is installed
"""

import importlib.metadata
import json
import random
import sys
import time

sys.path.insert(0, sys.argv[1])


def kessel_loop(game, size):
    import kessel
    import numpy as np

    envs = kessel.make_vec(game, num_envs=size, skip_forced=False)
    rng = np.random.default_rng(7)
    _, info = envs.reset(seed=7)

    def work():
        nonlocal info
        over = int(np.count_nonzero(info["actor"] < 0))
        _, _, _, _, info = envs.step(kessel.sample(info["action_mask"], rng))
        return size - over

    return work


def openspiel_loop(name, _size):
    import pyspiel

    game = pyspiel.load_game(name)
    rng = random.Random(7)
    state = game.new_initial_state()

    def work():
        nonlocal state
        decisions = 0
        while decisions < 64:
            if state.is_terminal():
                state = game.new_initial_state()
            elif state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes())
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.legal_actions_mask()
                observe(state)
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return decisions

    if game.get_type().provides_observation_tensor:
        observe = lambda s: s.observation_tensor()
    else:
        observe = lambda s: s.information_state_tensor()
    return work


def pettingzoo_loop(name, _size):
    import numpy as np
    module = __import__(f"pettingzoo.classic.{name}", fromlist=["env"])

    env = module.env()
    rng = random.Random(7)
    env.reset(seed=7)

    def work():
        decisions = 0
        while decisions < 64:
            if not env.agents:
                env.reset()
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            decisions += 1
        return decisions

    return work


def versions():
    found = {"python": sys.version.split()[0]}
    for package in ("numpy", "pyzmq", "msgpack", "open-spiel", "pettingzoo"):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            pass
    return found


LOOPS = {"kessel": kessel_loop, "openspiel": openspiel_loop, "pettingzoo": pettingzoo_loop}
made = {}


def answer(what, name, size, seconds):
    if what == "versions":
        return versions()
    key = (what, name, size)
    try:
        if key not in made:
            made[key] = LOOPS[what](name, size)
            made[key]()
    except ImportError as e:
        return {"skip": f"{e.name} is not installed"}
    except Exception as e:  # whatever a library says is the reason that is printed
        return {"skip": " ".join(str(e).split()) or type(e).__name__}
    work, count = made[key], 0
    cpu, began = time.process_time(), time.perf_counter()
    end = began + seconds
    while time.perf_counter() < end:
        count += work()
    return {"count": count, "seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu}


for line in sys.stdin:
    what, name, size, seconds = line.split()
    print(json.dumps(answer(what, name, int(size), float(seconds))), flush=True)
