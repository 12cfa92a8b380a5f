import { useEffect, useRef, useState } from "preact/hooks";
import { SpeedSelect } from "../speed.js";
import { unitName } from "../names.js";
import type { SeatStore } from "../store.js";
import { EventLines } from "./log.js";

/** Hands over what comes next: to whom, and how much. */
export function HandOverPanel({ seat }: { seat: SeatStore }) {
  const { deputies, sendable, prompt } = seat.frame.value!;
  const [who, setWho] = useState<string | null>(null);
  const [unit, setUnit] = useState<string | null>(null);
  const isOpen = seat.handOverOpen.value && deputies.length > 0 && seat.choices.value.length > 0;
  const panel = useRef<HTMLElement>(null);
  // its button may be far below
  useEffect(() => panel.current?.scrollIntoView({ block: "nearest" }), [isOpen]);
  if (!isOpen) return null;
  const chosen = who !== null && deputies.includes(who) ? who : deputies[0]!;
  const one = unit !== null && sendable.includes(unit) ? unit : sendable[0];
  return (
    <section class="panel hand-over" aria-label="Play for me" ref={panel}>
      <h2>Play for me</h2>
      <p>
        Somebody decides for you, and knows what you know. You see each move, can stop it, and the game is not rated.
      </p>
      <label>
        Who{" "}
        <select id="deputy" value={chosen} onChange={(e) => setWho(e.currentTarget.value)}>
          {deputies.map((d) => (
            <option key={d}>{d}</option>
          ))}
        </select>
      </label>
      <div class="row">
        <button type="button" id="hand-phase" onClick={() => seat.handOver("phase", chosen)}>
          This phase
        </button>
        <button type="button" id="hand-turn" onClick={() => seat.handOver("turn", chosen)}>
          This turn
        </button>
      </div>
      {one !== undefined && (
        <div class="row">
          <select aria-label="One unit" value={one} onChange={(e) => setUnit(e.currentTarget.value)}>
            {[...new Set(sendable)].map((u) => (
              <option key={u} value={u}>
                {prompt.choices.find((c) => c.units[0] === u)?.text ?? unitName(seat.frame.value!, u)}
              </option>
            ))}
          </select>
          <button type="button" id="hand-unit" onClick={() => seat.handOver([one], chosen)}>
            This unit
          </button>
        </div>
      )}
    </section>
  );
}

/** Somebody decides for who sits here: what it did last, and buttons that stop it. */
export function DeputyPanel({ seat }: { seat: SeatStore }) {
  const { deputy } = seat.frame.value!;
  const { pace } = seat;
  const step = seat.news.value.at(-1);
  if (deputy === null) return null;
  return (
    <>
      {step?.deputy !== undefined && <EventLines seat={seat} line={step} />}
      <div class="row">
        <button
          type="button"
          class="wide"
          aria-pressed={pace.paused.value}
          onClick={() => pace.pause(!pace.paused.value)}
        >
          {pace.paused.value ? "Play" : "Pause"}
        </button>
        <button type="button" class="wide" onClick={() => pace.oneStep()}>
          Next
        </button>
        <button type="button" class="wide" onClick={() => pace.toTheEnd()}>
          To the end
        </button>
      </div>
      <button type="button" class="wide primary" id="hand-back" onClick={() => seat.handBack()}>
        Stop: I decide
      </button>
      <label class="pace">
        Speed <SpeedSelect />
      </label>
    </>
  );
}
