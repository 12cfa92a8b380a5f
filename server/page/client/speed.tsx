import { setSpeed, type Speed, speed, SPEEDS } from "./settings.js";

/** How the steps of others are shown. */
export const SpeedSelect = () => (
  <select value={speed.value} onChange={(e) => setSpeed(e.currentTarget.value as Speed)}>
    {Object.keys(SPEEDS).map((s) => (
      <option key={s}>{s}</option>
    ))}
  </select>
);
