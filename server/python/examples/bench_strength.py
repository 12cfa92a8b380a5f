"""What strength costs on this machine, from nothing: the PPO of ``ppo_selfplay.py`` (PyTorch) beside ``kessel train ppo``.

    pip install './server/python[onnx]' torch
    python server/python/examples/bench_strength.py --out runs/bench-strength

One trains after the other. Then every snapshot of both plays the game's scripted players, with its best actions. The
program prints the curves, and the minutes and decisions until half and three quarters of the points were first reached.
``--resume`` only repeats the measurement of the runs in ``--out``. Decisions are those learnt from in the first, and
those of all seats in the second.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--game", default="pocket-stalingrad", help="a game for two")
parser.add_argument("--steps", type=int, default=1_000_000, help="decisions that ppo_selfplay.py learns from")
parser.add_argument("--updates", type=int, default=80, help="updates of kessel train ppo")
parser.add_argument("--snapshots", type=int, default=10, help="nets that are measured of each")
parser.add_argument("--learners", type=int, default=2, help="learners of kessel train ppo, each on a core")
parser.add_argument("--games", type=int, default=400, help="games against each scripted player")
parser.add_argument("--against", help="agents instead of random and the game's scripted players")
parser.add_argument("--resume", action="store_true", help="train nothing, measure what is there")
parser.add_argument("--out", type=Path, default=Path("runs/bench-strength"))

#: Decisions of one update of ppo_selfplay.py: two sides, 32 environments, 32 steps.
PER_UPDATE = 2 * 32 * 32


def run(*command: str) -> None:
    print("$", " ".join(command), flush=True)
    subprocess.run([sys.executable, *command], check=True)


def main() -> None:
    args = parser.parse_args()
    torch_run, kessel_run = str(args.out / "torch"), str(args.out / "kessel")
    if not args.resume:
        every = max(1, args.steps // PER_UPDATE // args.snapshots)
        example = str(Path(__file__).with_name("ppo_selfplay.py"))
        settings = ["--game", args.game, "--steps", str(args.steps), "--snapshot", str(every), "--games", "20"]
        run(example, *settings, "--out", torch_run)
        evaluate = f"evaluate.every={max(1, args.updates // args.snapshots)}"
        settings = ["--set", f"ppo.learners={args.learners}", "--set", evaluate, "--set", "evaluate.games=20"]
        run("-m", "kessel", "train", "ppo", args.game, "--run", kessel_run, "--updates", str(args.updates), *settings)
    against = [] if args.against is None else ["--against", args.against]
    for what, folder in (("ppo_selfplay.py (PyTorch)", torch_run), ("kessel train ppo", kessel_run)):
        print(f"\n{what}\n", flush=True)
        run("-m", "kessel", "train", "strength", args.game, "--run", folder, "--measure", str(args.games), *against)


if __name__ == "__main__":
    main()
