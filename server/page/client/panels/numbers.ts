export const percent = (p: number): string => `${Math.round(100 * p)} %`;

/** An expected return. */
export const signed = (v: number): string => (v < 0 ? "−" : "+") + Math.abs(v).toFixed(2);
