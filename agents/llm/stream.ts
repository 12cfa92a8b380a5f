/** The events of a stream (`text/event-stream`), and whether it says that it is over; null for a body that is none. */
export function eventsIn(body: string): { readonly events: readonly unknown[]; readonly done: boolean } | null {
  if (!/^\s*(data|event|id|retry)?:/.test(body)) return null;
  const events: unknown[] = [];
  let done = false;
  for (const block of body.split(/\r?\n\r?\n/)) {
    const data = block
      .split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice("data:".length))
      .join("\n")
      .trim();
    if (data === "[DONE]") done = true;
    else if (data !== "") events.push(...parsed(data));
  }
  return { events, done };
}

/** The object of an event; none where its text was cut off. */
function parsed(data: string): unknown[] {
  try {
    const value = JSON.parse(data) as unknown;
    return typeof value === "object" && value !== null ? [value] : [];
  } catch {
    return [];
  }
}
