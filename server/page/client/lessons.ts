import { at } from "./address.js";
/** Begins the lesson of a game. */
export async function learn(game: string): Promise<void> {
  const response = await fetch(at("/api/lessons"), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ game }),
  });
  const { links, error } = (await response.json()) as { links?: Record<string, string>; error?: { message: string } };
  if (links === undefined) alert(error?.message ?? "that didn't work");
  else location.href = at(`/g/${Object.values(links)[0]!}`);
}
