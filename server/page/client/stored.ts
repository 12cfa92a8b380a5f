/** What this browser keeps under a name, or its default. */
export function stored<T>(key: string, fallback: T): T {
  try {
    return JSON.parse(localStorage.getItem(`kessel.${key}`) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}
