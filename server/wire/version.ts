/** Rises when a message gets another meaning. `hello` compares it. */
export const PROTOCOL = 1;
export const DEFAULT_PORT = 7557;
