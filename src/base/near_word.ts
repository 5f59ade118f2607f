/** The word of a list that was probably meant: the one with the fewest edits, two at most. */
export function nearWord(typed: string, words: readonly string[]): string | null {
  const plain = typed.toLowerCase();
  const near = words.map((word) => ({ word, edits: editsBetween(plain, word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= Math.min(2, word.length / 2))
    .toSorted((a, b) => a.edits - b.edits);
  return near[0]?.word ?? null;
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  if (a.length > 64 || Math.abs(a.length - b.length) > 2) return Infinity;
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      ));
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? Infinity;
}
