/** What this browser keeps under a name, or what stands in for it. */
export function stored<T>(key: string, fallback: T): T {
  try {
    return JSON.parse(localStorage.getItem(`kessel.${key}`) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}
