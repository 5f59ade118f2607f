/** True from `expiresAt` on; null never comes. The store may keep a row for longer. */
export function isPast(expiresAt: string | null, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
}
