import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Base, BasePlace, Frame } from "../../frame.js";
import { overviewOn, setOverview, theme } from "../settings.js";
import type { SeatStore } from "../store.js";
import { aims, jump } from "./jump.js";
import { type BoardLayers, isMost } from "./layers.js";

/** Part of what is seen that an arrow key moves it by. */
const STEP = 0.5;
const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
};

/** The whole map in small, while it is larger than its box: counters, what can act, and the part that is seen. */
export function Overview({ seat, base, layers }: { seat: SeatStore; base: Base; layers: BoardLayers }) {
  const seen = useRef<HTMLDivElement>(null);
  const fits = useSignal(true);
  const onLeft = useSignal(false);
  useEffect(() => {
    const update = (): void => {
      const { left, top, width, height } = layers.view();
      fits.value = width === 1 && height === 1;
      const part = seen.current?.style;
      if (part === undefined) return;
      part.width = `${100 * width}%`;
      part.height = `${100 * height}%`;
      // in parts of itself; a transform needs neither layout nor paint, while the map is panned
      part.transform = `translate(${(100 * left) / width}%, ${(100 * top) / height}%)`;
    };
    update();
    return layers.watch(update, (left) => (onLeft.value = left));
  }, [layers, fits.value, overviewOn.value]);
  if (fits.value) return null;
  const move = (e: PointerEvent): void => {
    const r = (e.currentTarget as Element).getBoundingClientRect();
    layers.lookAt((e.clientX - r.left) / r.width, (e.clientY - r.top) / r.height);
  };
  const act = aims(seat, "act");
  const goals = aims(seat, "goal");
  return (
    <div class={onLeft.value ? "overview left" : "overview"}>
      {overviewOn.value && (
        <div
          class="whole"
          role="group"
          tabIndex={0}
          aria-label="Overview: arrow keys move the part of the map that is seen"
          style={{ aspectRatio: `${base.width} / ${base.height}`, "--wide": String(base.width / base.height) }}
          onPointerDown={(e) => {
            e.currentTarget.setPointerCapture(e.pointerId);
            move(e);
          }}
          onPointerMove={(e) => e.currentTarget.hasPointerCapture(e.pointerId) && move(e)}
          onKeyDown={(e) => {
            const way = KEYS[e.key];
            if (way === undefined) return;
            e.preventDefault();
            e.stopPropagation();
            const { left, top, width, height } = layers.view();
            layers.lookAt(left + width * (0.5 + way[0]), top + height * (0.5 + way[1]));
          }}
        >
          <Ground base={base} />
          <Dots frame={seat.frame.value!} base={base} act={isMost(base, act.length) ? [] : act} goals={goals} />
          <div class="seen" ref={seen} />
        </div>
      )}
      <div class="row">
        {act.length > 0 && (
          <button
            type="button"
            aria-label="Next that can act"
            title="Next that can act (N)"
            onClick={() => jump(seat, "act")}
          >
            ▸
          </button>
        )}
        {goals.length > 0 && (
          <button
            type="button"
            aria-label="Next objective"
            title="Next objective (G)"
            onClick={() => jump(seat, "goal")}
          >
            ⚑
          </button>
        )}
        <button
          type="button"
          aria-label="Overview"
          aria-expanded={overviewOn.value}
          title={overviewOn.value ? "Fold the overview" : "Overview of the map"}
          onClick={() => setOverview(!overviewOn.value)}
        >
          {overviewOn.value ? "–" : "◫"}
        </button>
      </div>
    </div>
  );
}

/** The ground as one picture: the browser paints it once, whatever moves over it. */
function Ground({ base }: { base: Base }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const draw = (): void => {
      const colours = getComputedStyle(document.documentElement);
      const svg = base.svg.replace(/var\((--[\w-]+)\)/g, (_, token: string) => colours.getPropertyValue(token));
      const whole = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${base.width} ${base.height}">${svg}</svg>`;
      image.current!.src = `data:image/svg+xml,${encodeURIComponent(whole)}`;
    };
    draw();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    return () => dark.removeEventListener("change", draw);
  }, [base, theme.value]);
  return <img ref={image} alt="" draggable={false} />;
}

/** Counters in the colours of their sides, objectives, and rings round what can act. */
function Dots(props: { frame: Frame; base: Base; act: readonly BasePlace[]; goals: readonly BasePlace[] }) {
  const { frame, base, act, goals } = props;
  const looks = new Map(frame.sides.map((s) => [s.id, s.look]));
  const r = Math.max(base.width, base.height) / 55;
  return (
    <svg viewBox={`0 0 ${base.width} ${base.height}`} aria-hidden="true">
      {goals.map((p) => (
        <path key={p.id} class="goal" d={`M${p.x} ${p.y + r}V${p.y - 2 * r}L${p.x + 2 * r} ${p.y - r}L${p.x} ${p.y}`} />
      ))}
      {frame.pieces.map((p) => (
        <circle key={p.key} class={`dot ${looks.get(p.side ?? "") ?? "neutral"}`} cx={p.x} cy={p.y} r={r} />
      ))}
      {act.map((p) => (
        <circle key={p.id} class="act" cx={p.x} cy={p.y} r={r * 1.5} />
      ))}
    </svg>
  );
}
