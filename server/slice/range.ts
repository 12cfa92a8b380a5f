/** The environments of a batch that one slice has: the first, how many, and how many the whole batch has. */
export interface SliceRange {
  readonly first: number;
  readonly size: number;
  readonly of: number;
}

/** The rows of a reply of `ready` environments that a slice fills. */
export function shareOf(
  { first, size, of }: SliceRange,
  ready: number,
): { readonly row: number; readonly count: number } {
  const row = Math.floor((ready * first) / of);
  return { row, count: Math.floor((ready * (first + size)) / of) - row };
}
