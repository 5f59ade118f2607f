/** Cuts a text at the given positions, modulo its length. */
export function cutAt(text: string, cuts: readonly number[]): string[] {
  const at = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return at.slice(1).map((end, n) => text.slice(at[n], end));
}
