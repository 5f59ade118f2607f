/** Below 0, 0 or above 0, as the first text comes before the second, is the same or comes after it. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
