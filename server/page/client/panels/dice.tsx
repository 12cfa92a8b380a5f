import { useEffect, useState } from "preact/hooks";
import type { PanelDrawing } from "../../frame-parts.js";
import type { SeatStore } from "../store.js";
import { meaningsIn } from "../words/primer.js";
import { TrayDrawing } from "./tray-drawing.js";

/** `unit-6` of `unit-6-2`: dice of one face are kept together. */
export const withoutNumber = (id: string): string => id.replace(/-\d+$/, "");

/** Dice that are chosen on the table, several at a time, and one button that keeps them and throws the others. */
export function DiceTray({ seat, tray, throwing }: { seat: SeatStore; tray: PanelDrawing; throwing: string }) {
  const frame = seat.frame.value!;
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setPicked(new Set()), [frame.n]);
  const dice = tray.dice ?? [];
  const choices = seat.choices.value;
  /** The choice that keeps a die: of one face it names the first. */
  const keeping = (id: string) =>
    choices.find(
      (c) => c.die !== undefined && dice[c.die] !== undefined && withoutNumber(dice[c.die]!.id) === withoutNumber(id),
    );
  const toggle = (id: string): void => {
    const alike = dice.filter((d) => withoutNumber(d.id) === withoutNumber(id)).map((d) => d.id);
    const next = new Set(picked);
    for (const one of alike)
      if (picked.has(id)) next.delete(one);
      else next.add(one);
    setPicked(next);
  };
  const kept = dice.filter((d) => picked.has(d.id));
  const left = dice.length - kept.length;
  const again = choices.find((c) => c.name === throwing);
  const names = [...new Set(kept.flatMap((d) => keeping(d.id)?.name ?? []))];
  const commit = (): void => {
    if (kept.length === 0) return void (again !== undefined && seat.choose(again));
    // with the last die the throws are over: the button says so
    seat.order(left === 0 ? `${names.join(", ")}!` : [...names, throwing].join(", "));
  };
  const number = (n: number): string => (n === 1 ? "1 die" : `${n} dice`);
  const label =
    kept.length === 0
      ? again === undefined
        ? "Choose dice to keep"
        : again.text
      : left === 0
        ? `Keep the last ${number(kept.length)}: no more throws`
        : `Keep ${number(kept.length)} and throw ${number(left)}`;
  return (
    <div class="dice-tray">
      <div class="tray on-tray">
        <TrayDrawing tray={tray} />
        {dice.map((d) => (
          <button
            key={d.id}
            type="button"
            data-die={d.id}
            aria-pressed={picked.has(d.id)}
            aria-label={`Keep: ${d.title}`}
            title={[d.title, ...meaningsIn(keeping(d.id)?.text ?? "")].join(". ")}
            disabled={keeping(d.id) === undefined}
            style={{
              left: `${(100 * d.x) / tray.width}%`,
              top: `${(100 * d.y) / tray.height}%`,
              width: `${(100 * d.size) / tray.width}%`,
              height: `${(100 * d.size) / tray.height}%`,
            }}
            onClick={() => toggle(d.id)}
          />
        ))}
      </div>
      <button
        type="button"
        class="wide primary"
        id="keep"
        disabled={choices.length === 0 || (kept.length === 0 && again === undefined)}
        onClick={commit}
      >
        {label}
      </button>
    </div>
  );
}
