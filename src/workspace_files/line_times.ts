/** Times as lines say them, and as rows do. */
export function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** As `iso`, where there is a time. */
export function instant(atMs: number | null): string | null {
  return atMs === null ? null : iso(atMs);
}

/** The inverse of `instant`. */
export function millisOf(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}
