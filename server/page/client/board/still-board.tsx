import { useEffect, useRef } from "preact/hooks";
import type { Drawing } from "../../frame-parts.js";
import type { Judged } from "../../review-frame.js";
import { marksOf } from "../opinions.js";
import { loadBase } from "../load-base.js";
import { BoardLayers } from "./layers.js";
import { ZoomButtons } from "./zoom.js";

/** A position that is only looked at, with what evaluators would do in it. */
export function StillBoard(props: { drawing: Drawing; opinions: readonly Judged[]; label: string }) {
  const { drawing, opinions, label } = props;
  const box = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const layers = useRef<BoardLayers | null>(null);
  useEffect(() => {
    let gone = false;
    // areas are few, and seen at once; a map of hexes is too large for that
    const fit = (): void => layers.current?.fit(box.current!, !layers.current.base.hexes);
    addEventListener("resize", fit);
    void loadBase(drawing.base).then((base) => {
      if (gone) return;
      const marks = marksOf(opinions);
      box.current!.style.aspectRatio = base.hexes ? "1" : `${base.width} / ${base.height}`;
      layers.current = new BoardLayers(host.current!, base);
      fit();
      layers.current.draw(drawing);
      layers.current.opinions(marks);
      layers.current.reveal(marks.flatMap((m) => m.way));
    });
    return () => {
      gone = true;
      removeEventListener("resize", fit);
    };
  }, [drawing, opinions]);
  return (
    <div class="still-board">
      <div class="still-box" ref={box}>
        <div class="board-scroll" tabIndex={0} role="group" aria-label={label}>
          <div class="board">
            <div ref={host} class="drawing" />
          </div>
        </div>
      </div>
      <div class="board-tools">
        <ZoomButtons layers={() => layers.current} box={box} />
      </div>
    </div>
  );
}
