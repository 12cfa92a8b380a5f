import { useLayoutEffect, useRef } from "preact/hooks";
import type { PanelDrawing } from "../../frame-parts.js";

/** A tray as the server has drawn it. @param props.picked names of items that are picked */
export function TrayDrawing({ tray: t, picked = [] }: { tray: PanelDrawing; picked?: readonly string[] }) {
  const svg = useRef<SVGSVGElement>(null);
  useLayoutEffect(() => {
    for (const item of svg.current!.querySelectorAll("[data-id]"))
      item.classList.toggle("picked", picked.includes(item.getAttribute("data-id")!));
  });
  return (
    <svg
      ref={svg}
      viewBox={`0 0 ${t.width} ${t.height}`}
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: t.svg }}
    />
  );
}
