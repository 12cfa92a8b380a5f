import { ruleAddress } from "../../learn/rule-anchor.js";
import type { SeatStore } from "../store.js";
import { at } from "../address.js";

/** A rule's id, which leads to the rule among the rules of the game. One window shows the rules of a game. */
export function RuleLink({ seat, id }: { seat: SeatStore; id: string }) {
  const { game } = seat.frame.value!;
  return (
    <a class="rule" href={at(ruleAddress(game, id))} target={`rules-${game}`}>
      {id}
    </a>
  );
}
