"""Two models at one table, as text, against a real ``kessel tools``."""

from __future__ import annotations

import random
import re
import unittest

from tool_case import ToolTestCase

from kessel.client.errors import KesselError
from kessel.text import TextTable


def legal(text: str) -> int:
    """Legal actions that an observation counts."""
    return int(re.findall(r"Legal actions, (\d+):", text)[-1])


def prose(text: str, rng: random.Random) -> str:
    """What a scripted model answers."""
    return f"There are many. Action: {1 + rng.randrange(legal(text))}"


def sentences(line: str) -> int:
    """What a line of reports says happened, in how many sentences."""
    return line.count("; ") + 1


class TextTableTest(ToolTestCase):
    def table(self, game: str = "pocket-stalingrad", **more: object) -> TextTable:
        return TextTable(game, server=self.server, **more)  # type: ignore[arg-type]

    def play(self, table: TextTable, seed: int, most: int = 100_000) -> list[tuple[int, str]]:
        """Observations of a game in which each player draws its answers from a generator of its own."""
        rngs = [random.Random(f"{seed}/{player}") for player in range(2)]
        table.reset(seed)
        seen = []
        while not table.over and len(seen) < most:
            player, text = table.observe()
            seen.append((player, text))
            table.step(prose(text, rngs[player]))
        return seen

    def test_both_seats_are_players_to_the_end(self) -> None:
        table = self.table()
        seen = self.play(table, 3)
        self.assertEqual(table.seats, ["soviet", "german"])
        self.assertEqual({player for player, _ in seen}, {0, 1})
        for player, text in seen:
            self.assertIn(f"You are the {('Soviet', 'German')[player]} side.", text)
        self.assertIn(sorted(table.returns), ([-1, 1], [0, 0]))
        for text in table.closing():
            self.assertIn("The game is over. Returns: ", text)
        self.assertEqual((table.illegal, table.legal), ([0, 0], 0))

    def test_a_game_for_one_has_one_player(self) -> None:
        table = self.table("strike-counterstrike")
        seen = self.play(table, 1)
        self.assertEqual({player for player, _ in seen}, {0})
        self.assertEqual((len(table.seats), len(table.returns), len(table.closing())), (1, 1, 1))

    def test_the_first_text_of_each_is_whole_and_later_ones_tell_what_changed_since_its_own_decision(self) -> None:
        table = self.table()
        seen = self.play(table, 4, 200)
        for player in (0, 1):
            first, *later = [text for p, text in seen if p == player]
            self.assertTrue(first.startswith("The map:\n"))
            self.assertIn("The board:\n", first)
            for text in later:
                self.assertTrue(text.startswith("You chose: "), text[:80])
                self.assertNotIn("The map:", text)
                self.assertNotIn("The board:\n", text)
        # all reports together are the player's log: nothing is left out, nothing reported twice
        table.reset(4)
        reports: dict[int, list[str]] = {0: [], 1: []}
        rng = random.Random(4)
        for _ in range(200):
            if table.over:
                break
            player, text = table.observe()
            happened = re.search(r"^What happened:\n((?:  .*\n)*)", text, re.M)
            reports[player] += happened.group(1).splitlines() if happened else []
            table.step(prose(text, rng))
        for player in (0, 1):
            session = table._sessions[player]
            if not table.over:
                table._tell(player)
            log = self.server.call("log", session=session, last=1000).text.splitlines()
            # a text cites each rule once, and says what happens to several alike, or to one in turn, in one sentence
            told, logged = ([re.sub(r" \(PS [^()]*\)", "", line) for line in lines] for lines in (reports[player], log))
            stream, at, found = "\n".join(told), 0, 0
            for line in logged:
                end = stream.find(line.split()[-1].rstrip("."), at)
                if end < 0:
                    break
                at, found = end, found + sentences(line)
            self.assertNotIn("\n", stream[at:], "the log has every report, in order")
            self.assertGreaterEqual(found, sum(map(sentences, told)), "no report comes twice")
            self.assertGreater(len(reports[player]), 50)

    def test_equal_seeds_and_answers_give_equal_games(self) -> None:
        one, two, other = (self.play(self.table(), seed, 60) for seed in (5, 5, 6))
        self.assertEqual(one, two)
        self.assertNotEqual(one, other)

    def test_an_observation_stays_until_it_is_answered(self) -> None:
        table = self.table()
        table.reset(1)
        self.assertEqual(table.observe(), table.observe())

    def test_illegal_answers_are_counted_for_each_player(self) -> None:
        table = self.table(retries=1)
        table.reset(1)
        clumsy = 1 - table.player
        asked = {0: 0, 1: 0}
        rng = random.Random(1)
        while not table.over:
            player, text = table.observe()
            asked[player] += 1
            again = "names no legal action" in text.splitlines()[0]
            # one player errs at each of its decisions once, the other never
            if player == clumsy and not again and asked[player] < 12:
                table.step("fly to the moon")
                self.assertEqual(table.observe()[0], player)
            elif again:
                table.step("1")
            else:
                table.step(prose(text, rng))
            if sum(asked.values()) > 60:
                break
        self.assertGreater(table.illegal[clumsy], 3)
        self.assertEqual(table.illegal[1 - clumsy], 0)

    def test_who_answers_illegally_too_often_loses_and_the_other_wins(self) -> None:
        table = self.table("savage-streets", retries=2)
        table.reset(1)
        clumsy = table.player
        for _ in range(2):
            self.assertFalse(table.step("fly to the moon"))
            player, text = table.observe()
            self.assertEqual(player, clumsy)
            self.assertIn("names no legal action", text)
        self.assertTrue(table.step("fly to the moon"))
        self.assertEqual((table.returns[clumsy], table.returns[1 - clumsy]), (-1, 1))
        self.assertEqual((table.illegal[clumsy], table.illegal[1 - clumsy]), (3, 0))
        told = table.closing()
        self.assertIn("names no legal action", told[clumsy])
        self.assertNotIn("moon", told[1 - clumsy])
        for text in told:
            self.assertIn("gave up", text)

    def test_a_drawn_answer_is_told_to_its_player_alone(self) -> None:
        table = self.table("savage-streets", retries=0, then="random")
        table.reset(2)
        for _ in range(30):
            player, _ = table.observe()
            table.step("fly to the moon")
            following, text = table.observe()
            if following == player:
                self.assertIn("names no legal action", text)
                self.assertIn("You chose: ", text)
            elif table.illegal[following] == 0:
                self.assertNotIn("names no legal action", text)
        self.assertEqual(sum(table.illegal), 30)

    def test_what_one_seat_decides_in_secret_changes_no_byte_of_what_the_other_reads(self) -> None:
        # the Soviet side of Savage Streets sets nine units up face-down, one in each of nine areas: which unit is where
        # is its secret
        areas = list(range(2, 11))
        worlds = [areas, areas[::-1], areas[4:] + areas[:4]]
        known, unknown = [], []
        for order in worlds:
            table = self.table("savage-streets")
            table.reset(9)
            for area in order:
                player, own = table.observe()
                self.assertEqual(table.seats[player], "S")
                table.step(f"Action: area {area}")
            german = []
            while table.observe()[0] != player:
                german.append(table.observe()[1])
                table.step("1")
            known.append(own)
            unknown.append(german)
        self.assertGreater(len(unknown[0]), 5)
        self.assertEqual(unknown[1:], [unknown[0]] * 2)
        self.assertEqual(len(set(known)), 3)

    def test_bad_arguments_say_what_would_be_right(self) -> None:
        table = self.table()
        for asked in (table.observe, lambda: table.step("1"), table.closing):
            with self.assertRaisesRegex(KesselError, "not-reset"):
                asked()
        table.reset(1)
        with self.assertRaisesRegex(KesselError, "an answer is a text, not int"):
            table.step(1)  # type: ignore[arg-type]
        with self.assertRaisesRegex(KesselError, "when the game is over"):
            table.closing()
        with self.assertRaisesRegex(KesselError, "there is no game"):
            self.table("chess").reset()
        with self.assertRaisesRegex(KesselError, 'no option "x"'):
            self.table(options={"x": 1}).reset()
        for wrong in ({"retries": -1}, {"then": "cry"}):
            with self.assertRaisesRegex(KesselError, "bad-config"):
                self.table(**wrong)


if __name__ == "__main__":
    unittest.main()
