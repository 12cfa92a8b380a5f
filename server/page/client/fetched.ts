/** Most seconds between two tries to get a file. */
const LONGEST = 30;

/** A file of the server's, asked for until it comes whole. @returns null for one that there isn't */
export async function fetched<T>(path: string): Promise<T | null> {
  for (let wait = 1; ; wait = Math.min(LONGEST, 2 * wait)) {
    try {
      const response = await fetch(path);
      if (response.status === 404) return null;
      if (response.ok) return (await response.json()) as T;
    } catch {
      // no answer, or one that broke off
    }
    await new Promise((again) => setTimeout(again, 1000 * wait));
  }
}
