import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

/** Height of the link that unfolds a list, with its gap, px. */
const LINK = 34;

/**
 * How many items of a list in the panel of the decision are seen without scrolling, with all that comes below the list.
 * `Infinity` where all are.
 *
 * @param asked changes with what is listed: then it is measured again, with all items there
 */
export function useFit(list: RefObject<HTMLOListElement | null>, asked: string): number {
  const [size, setSize] = useState(0);
  const key = `${asked}/${size}`;
  const [fit, setFit] = useState({ key: "", count: Infinity });
  const resized = (): void => setSize((n) => n + 1);
  useEffect(() => {
    addEventListener("resize", resized);
    return () => removeEventListener("resize", resized);
  }, []);
  // what is above may grow later: news, dice
  useEffect(() => {
    const panel = list.current?.closest(".panel");
    const box = panel?.parentElement;
    if (!panel || !box) return;
    // then fewer are listed, and never more again: a list that grew back would not come to rest. What is left of it may
    // be other items than the first ones, and taller
    const grown = new ResizeObserver(() => {
      if (list.current === null || fit.count <= 1) return;
      const count = measured(list.current);
      if (count < list.current.children.length) setFit({ key: fit.key, count });
    });
    for (const part of box.children) grown.observe(part);
    return () => grown.disconnect();
  }, [fit]);
  useLayoutEffect(() => {
    if (fit.key !== key) setFit({ key, count: list.current === null ? Infinity : measured(list.current) });
  });
  return fit.key === key ? fit.count : Infinity;
}

function measured(list: HTMLOListElement): number {
  const panel = list.closest(".panel")!;
  const scroller = scrollerOf(panel);
  const view = scroller.getBoundingClientRect();
  const below = panel.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;
  const seen = Math.min(view.bottom, innerHeight) + 0.5 - below;
  const bottoms = [...list.children].map((item) => item.getBoundingClientRect().bottom + scroller.scrollTop);
  if (bottoms.every((bottom) => bottom <= seen)) return Infinity;
  const link = panel.querySelector("#unfold") === null ? LINK : 0;
  return bottoms.filter((bottom) => bottom + link <= seen).length;
}

function scrollerOf(element: Element): Element {
  for (let at = element.parentElement; at !== null; at = at.parentElement)
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return document.documentElement;
}
