/** Sends a request to the server. @returns its answer, or the text of an error */
export async function askServer<T>(path: string, body?: unknown): Promise<T | string> {
  const sent =
    body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, sent).catch(() => null);
  const answer = (await response?.json().catch(() => null)) as (T & { error?: { message: string } }) | null;
  if (answer === null || answer === undefined) return "the server does not answer";
  return answer.error === undefined ? answer : answer.error.message;
}
