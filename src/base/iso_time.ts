/** A time of the store as documents say it. */
export function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** As `iso`, where there may be no time. */
export function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : iso(atMs);
}

/** The inverse of `isoOrNull`. */
export function msOrNull(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}
