import type { SeatStore } from "../store.js";

/** A rule's id, which opens the rule. */
export function RuleLink({ seat, id }: { seat: SeatStore; id: string }) {
  return (
    <button type="button" class="rule" onClick={() => seat.askRule(id)}>
      {id}
    </button>
  );
}
