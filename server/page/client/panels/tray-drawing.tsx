import type { PanelDrawing } from "../../frame-parts.js";

/** A tray as the server has drawn it. */
export const TrayDrawing = ({ tray: t }: { tray: PanelDrawing }) => (
  <svg viewBox={`0 0 ${t.width} ${t.height}`} aria-hidden="true" dangerouslySetInnerHTML={{ __html: t.svg }} />
);
