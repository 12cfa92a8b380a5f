/** Limit of the seconds between two attempts. */
const LONGEST = 30;

/** Gets a file of the server, with retries until it arrives whole. @returns null if it does not exist */
export async function fetchFile<T>(path: string): Promise<T | null> {
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
