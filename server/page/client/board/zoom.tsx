import type { RefObject } from "preact";
import type { BoardLayers } from "./layers.js";

/**
 * Buttons that make the map larger and smaller, and fit it into its box.
 *
 * @param props.layers asked for at each press
 */
export function ZoomButtons({ layers, box }: { layers: () => BoardLayers | null; box: RefObject<HTMLElement | null> }) {
  return (
    <>
      <button type="button" onClick={() => layers()?.zoom(1.25)} aria-label="Larger map">
        +
      </button>
      <button type="button" onClick={() => layers()?.zoom(0.8)} aria-label="Smaller map">
        −
      </button>
      <button type="button" onClick={() => layers()?.fit(box.current!, true)} aria-label="Whole map">
        ⤢
      </button>
    </>
  );
}
