"""Measures what Python gets, for `kessel bench`: reads a line `WHAT NAME SIZE SECONDS`, answers a line of JSON.

kessel GAME SIZE      random legal play of a batch, observations and masks as numpy arrays flight GAME K         the
same with K batches of one environment, all on their way at once pipelined GAME SIZE   the same in two groups, one of
which steps while the other's actions are chosen against GAME=AGENT SIZE  the same against an agent of the server;
counts both sides' decisions async GAME=AGENT SIZE  as against, with the first SIZE that are ready of twice as many
environments latency GAME CLIENTS  99th percentile of a step of one environment while CLIENTS other clients are
connected and idle echo GAME@ADDRESS K   K messages on their way to a server that sends back frames of the size of one
environment's single GAME 1         random legal play of one environment of kessel.aec_env, over a pipe
expand GAME SIZE      nodes of a search, SIZE at once: actions, masks, returns child GAME 1          the same one by
one, by kessel.search spiel-child GAME 1    OpenSpiel's child(), chance drawn
openspiel GAME 1      the same with OpenSpiel: mask and observation at every decision
pettingzoo GAME 1     the same with a PettingZoo classic game
versions - 0          versions of what is installed
"""

import importlib.metadata
import json
import random
import sys
import time
from operator import methodcaller

sys.path.insert(0, sys.argv[1])


def kessel_loop(game, size):
    import numpy as np

    import kessel

    envs = kessel.make_vec(game, num_envs=size, skip_forced=False)
    rng = np.random.default_rng(7)
    _, info = envs.reset(seed=7)

    def work():
        nonlocal info
        over = int(np.count_nonzero(info["actor"] < 0))
        _, _, _, _, info = envs.step(kessel.sample(info["action_mask"], rng))
        return size - over

    return work


def flight_loop(game, count):
    import kessel

    client = kessel.Client()
    batches = [client.make(game, 1, skipForced=False) for _ in range(count)]
    waiting = {}
    rng = random.Random(7)

    def send(batch, mask):
        legal = mask.nonzero()[1]
        waiting[batch.send_step([rng.choice(legal) if len(legal) else 0])] = batch

    for i, batch in enumerate(batches):
        send(batch, batch.reset(seed=i)["mask"])

    def work():
        for _ in range(64):
            id = client.first(waiting)
            batch = waiting.pop(id)
            send(batch, batch.receive(id).tensors["mask"])
        return 64

    return work


def pipelined_loop(game, size):
    import numpy as np

    import kessel

    envs = kessel.make_pipelined(game, num_envs=size, groups=2, skip_forced=False)
    rng = np.random.default_rng(7)
    envs.async_reset(seed=7)

    def work():
        info = envs.recv()[4]
        envs.send(kessel.sample(info["action_mask"], rng), info["env_id"])
        return int(np.count_nonzero(info["actor"] >= 0))

    return work


def against_loop(name, size):
    import numpy as np

    import kessel

    game, agent = name.split("=", 1)
    client = kessel.Client()
    seat = client.describe(game)["players"][0]
    envs = kessel.make_vec(game, num_envs=size, seat=seat, opponent=agent, skip_forced=False)
    rng = np.random.default_rng(7)
    _, info = envs.reset(seed=7)

    def work():
        nonlocal info
        before = client.stats()["decisions"]
        for _ in range(16):
            _, _, _, _, info = envs.step(kessel.sample(info["action_mask"], rng))
        return client.stats()["decisions"] - before

    return work


def async_loop(name, size):
    import numpy as np

    import kessel

    game, agent = name.split("=", 1)
    client = kessel.Client()
    seat = client.describe(game)["players"][0]
    envs = kessel.make_async(game, 2 * size, size, seat=seat, opponent=agent, skip_forced=False)
    rng = np.random.default_rng(7)
    envs.async_reset(seed=7)

    def work():
        before = client.stats()["decisions"]
        for _ in range(16):
            info = envs.recv()[4]
            envs.send(kessel.sample(info["action_mask"], rng), info["env_id"])
        return client.stats()["decisions"] - before

    return work


def single_loop(game, _size):
    import kessel

    env = kessel.aec_env(game, address="pipe", skip_forced=False)
    env.reset(seed=7)
    rng = random.Random(7)

    def work():
        for _ in range(64):
            _, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.reset()
                _, _, _, _, info = env.last()
            env.step(rng.choice(info["action_mask"].nonzero()[0]))
        return 64

    return work


def expand_loop(game, size):
    import numpy as np

    import kessel

    batch = kessel.Client().make(game, 1, privileged=True, nodes=size)
    batch.reset(seed=7)
    rng = np.random.default_rng(7)
    nodes, start = np.arange(size, dtype=np.int32), np.zeros(size, np.int32)
    wanted = ["mask", "actors", "rewards"]
    tree = batch.expand(start, nodes, environments=True, resample=True, reseed=7, tensors=wanted)

    def work():
        nonlocal tree
        over = np.flatnonzero(tree["actors"] < 0)
        actions = kessel.sample(tree["mask"], rng)
        actions[over] = -1
        if len(over):
            batch.expand(start[over], nodes[over], environments=True, resample=True, reseed=7, tensors=["actors"])
        tree = batch.expand(nodes, nodes, actions, reseed=int(rng.integers(2**31)), tensors=wanted)
        return size - len(over)

    return work


def child_loop(game, _size):
    from kessel.search import load_game

    tree = load_game(game)
    rng = random.Random(7)
    state = tree.new_initial_state(seed=7)

    def work():
        nonlocal state
        for _ in range(64):
            state = tree.new_initial_state() if state.is_terminal() else state.child(rng.choice(state.legal_actions()))
        return 64

    return work


def spiel_child_loop(name, _size):
    import pyspiel

    game = pyspiel.load_game(name)
    rng = random.Random(7)
    state = game.new_initial_state()

    def work():
        nonlocal state
        for _ in range(64):
            if state.is_terminal():
                state = game.new_initial_state()
            while state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes())
                state = state.child(rng.choices(outcomes, weights)[0])
            state = state.child(rng.choice(state.legal_actions()))
        return 64

    return work


def latency_loop(game, clients):
    import kessel

    idle = [kessel.Client() for _ in range(clients)]
    for client in idle:
        client.make(game, 1).reset(seed=1)
    batch = kessel.Client().make(game, 1, skipForced=False)
    mask = batch.reset(seed=7)["mask"]

    def work():
        nonlocal mask
        took = []
        for _ in range(500):
            action = int(mask[0].argmax())
            began = time.perf_counter()
            mask = batch.step([action])["mask"]
            took.append(time.perf_counter() - began)
        return sorted(took)[495]

    work.idle = idle
    return work


def echo_loop(name, count):
    import numpy as np
    import zmq

    import kessel

    game, address = name.split("@", 1)
    with kessel.Client() as client:
        _, dtype, shape, at = client.request("make", game=game, size=1).header["tensors"][-1]
    size = at + np.dtype(dtype).itemsize * int(np.prod(shape))
    socket = zmq.Context.instance().socket(zmq.DEALER)
    socket.linger = 0
    socket.connect(address)
    header, action = size.to_bytes(4, "little") + bytes(50), bytes(4)

    def work():
        for _ in range(64):
            socket.recv_multipart()
            socket.send_multipart((header, action))
        return 64

    for _ in range(count):
        socket.send_multipart((header, action))
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
        observe = methodcaller("observation_tensor")
    else:
        observe = methodcaller("information_state_tensor")
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


LOOPS = {
    "kessel": kessel_loop,
    "flight": flight_loop,
    "pipelined": pipelined_loop,
    "against": against_loop,
    "async": async_loop,
    "latency": latency_loop,
    "echo": echo_loop,
    "single": single_loop,
    "expand": expand_loop,
    "child": child_loop,
    "spiel-child": spiel_child_loop,
    "openspiel": openspiel_loop,
    "pettingzoo": pettingzoo_loop,
}
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
    if what == "latency":
        end, rounds = time.perf_counter() + seconds, [work()]
        while time.perf_counter() < end:
            rounds.append(work())
        return {"count": 1, "seconds": sorted(rounds)[len(rounds) // 2], "cpu": None}
    cpu, began = time.process_time(), time.perf_counter()
    end = began + seconds
    while time.perf_counter() < end:
        count += work()
    return {"count": count, "seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu}


for line in sys.stdin:
    what, name, size, seconds = line.split()
    print(json.dumps(answer(what, name, int(size), float(seconds))), flush=True)
