/**
 * How long a test waits for something to happen, in ms: a busy machine may take long, and a test that waits for what it
 * wants loses no time by patience. A test itself may take a little longer (`vitest.config.ts`).
 */
export const PATIENCE_MS = 110_000;
