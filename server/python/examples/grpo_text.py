# pip install 'kessel[text]' torch trl
"""Trains a language model on a game's text with GRPO (TRL's ``GRPOTrainer``), rewarded by the progress that its side makes.

    python server/python/examples/grpo_text.py --model Qwen/Qwen3-0.6B --steps 200 --turns 20
    python server/python/examples/grpo_text.py --steps 2  # a tiny model, made here: tries the recipe, and learns nothing

Each prompt is a seed; its group of games begins alike and differs by what the model answers. A game is one sequence: the
texts of the game and the model's answers in turns, of which the answers alone are learnt (``env_mask``). The reward is what
``TextBatch(reward="progress")`` gives, by how much the side came forward on the way to victory, less a little for each answer
that named no legal action.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from kessel.text import TextBatch, ToolServer

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")  # rollout_func may change in later versions
from trl import GRPOConfig, GRPOTrainer  # noqa: E402

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--model", default="tiny", help="a causal language model of Transformers; tiny: made here")
parser.add_argument("--game", default="pocket-stalingrad")
parser.add_argument("--seat", default="german")
parser.add_argument("--opponent", default="random")
parser.add_argument("--steps", type=int, default=100)
parser.add_argument("--group", type=int, default=4, help="games of each seed")
parser.add_argument("--seeds", type=int, default=1, help="seeds of a step")
parser.add_argument("--turns", type=int, default=6, help="answers of a game, at most")
parser.add_argument("--answer", type=int, default=24, help="tokens of an answer, at most")
parser.add_argument("--context", type=int, default=8192, help="tokens of a game, at most")
parser.add_argument("--lr", type=float, default=1e-5)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--out", type=Path, default=Path("runs/grpo"))

ASK = "\n\nAnswer with the number of a legal action.\nAction: "


def tiny(text: str) -> tuple[Any, Any]:
    """A model of 200,000 weights that has learnt to answer with some digit, and a tokenizer that was fitted to a text."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    found = Tokenizer(models.BPE())
    found.pre_tokenizer, found.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    found.train_from_iterator(
        [text], trainers.BpeTrainer(vocab_size=1024, special_tokens=["<pad>", "<end>"], initial_alphabet=alphabet)
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=found, pad_token="<pad>", eos_token="<end>")
    sizes = dict(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4)
    config = LlamaConfig(
        vocab_size=len(tokenizer), max_position_embeddings=16384, pad_token_id=0, eos_token_id=1, **sizes
    )
    model = LlamaForCausalLM(config)
    before, optimizer = tokenizer(text + ASK)["input_ids"], torch.optim.Adam(model.parameters(), 5e-3)
    for _ in range(60):
        rows = []
        for digit in torch.randint(1, 10, (8,)).tolist():
            rows.append([*before[-24:], *tokenizer(str(digit))["input_ids"], tokenizer.eos_token_id])
        ids = torch.tensor(rows)
        labels = torch.where(torch.arange(ids.shape[1]) >= ids.shape[1] - 2, ids, -100)
        model(ids, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return model, tokenizer


class Games:
    """Plays a group of games with the model as it is: what TRL calls a rollout function."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.server = ToolServer(potentials=True)
        self.played = 0

    def begun(self, seed: int) -> tuple[TextBatch, str]:
        """A game and its first text. Those of one seed begin alike and have the same dice."""
        args = self.args
        batch = TextBatch(args.game, 1, args.seat, args.opponent, reward="progress", retries=1, server=self.server)
        return batch, batch.reset(seed)[0]

    def __call__(self, prompts: list[str], trainer: Any) -> dict[str, Any]:
        out: dict[str, list[Any]] = {
            name: [] for name in ("prompt_ids", "completion_ids", "logprobs", "env_mask", "progress", "illegal")
        }
        for prompt in prompts:
            self.play(int(prompt), trainer, out)
        return out

    def play(self, seed: int, trainer: Any, out: dict[str, list[Any]]) -> None:
        args, tokenizer = self.args, trainer.processing_class
        model = trainer.accelerator.unwrap_model(trainer.model)
        batch, text = self.begun(seed)
        first = tokenizer(text + ASK)["input_ids"]
        ids, logps, mask, progress = [*first], [], [], 0.0
        try:
            for turn in range(args.turns):
                given = torch.tensor([ids], device=model.device)
                with torch.no_grad():
                    made = model.generate(
                        given,
                        attention_mask=torch.ones_like(given),
                        max_new_tokens=args.answer,
                        do_sample=True,
                        temperature=trainer.temperature,
                        top_k=0,
                        return_dict_in_generate=True,
                        output_logits=True,
                        pad_token_id=tokenizer.pad_token_id,
                    )
                answer = made.sequences[0, len(ids) :].tolist()
                scores = torch.stack(made.logits)[:, 0].float() / trainer.temperature
                chosen = torch.log_softmax(scores, -1).gather(
                    1, made.sequences[0, len(ids) :, None].cpu().to(scores.device)
                )
                ids += answer
                logps += chosen[:, 0].tolist()
                mask += [1] * len(answer)
                (text,), (gained,), (over,) = batch.step([tokenizer.decode(answer, skip_special_tokens=True)])
                progress += gained
                following = tokenizer("\n" + text + ASK)["input_ids"]
                if over or turn + 1 == args.turns or len(ids) + len(following) + args.answer > args.context:
                    break
                ids += following
                logps += [0.0] * len(following)
                mask += [0] * len(following)
            self.played += 1
            row = (first, ids[len(first) :], logps, mask, progress, batch.illegal[0])
            for name, value in zip(out, row):
                out[name].append(value)
        finally:
            batch.close()


def progress_reward(completions: list[Any], progress: list[float], **_: Any) -> list[float]:
    return progress


def legal_reward(completions: list[Any], illegal: list[int], **_: Any) -> list[float]:
    return [-0.05 * n for n in illegal]


def main() -> None:
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    if args.model == "tiny":
        torch.set_num_threads(1)  # more of them would wait for each other
    games = Games(args)
    batch, text = games.begun(args.seed)
    batch.close()
    if args.model == "tiny":
        model, tokenizer = tiny(text)
    else:
        model, tokenizer = AutoModelForCausalLM.from_pretrained(args.model), AutoTokenizer.from_pretrained(args.model)
    config = GRPOConfig(
        output_dir=str(args.out),
        max_steps=args.steps,
        per_device_train_batch_size=args.group * args.seeds,
        num_generations=args.group,
        max_completion_length=args.context,
        learning_rate=args.lr,
        temperature=1.0,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        seed=args.seed,
        use_cpu=not torch.cuda.is_available(),
        bf16=False,
        disable_tqdm=True,
    )
    seeds = [str(args.seed * 1_000_000 + k) for k in range(args.steps * args.seeds)]
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=[progress_reward, legal_reward],
        args=config,
        train_dataset=Dataset.from_dict({"prompt": seeds}),
        processing_class=tokenizer,
        rollout_func=games,
    )
    trainer.train()
    games.server.close()
    trainer.save_model(str(args.out))
    tokenizer.save_pretrained(str(args.out))
    gained = [row["reward"] for row in trainer.state.log_history if "reward" in row]
    print(
        f"{len(gained)} steps, {games.played} games; mean reward {gained[0]:+.3f} in the first, {gained[-1]:+.3f} in the last"
    )


if __name__ == "__main__":
    main()
