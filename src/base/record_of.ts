/** An object with an entry for every name, in their order. */
export function recordOf<N extends string, V>(
  names: readonly N[],
  valueOf: (name: N) => V,
): Record<N, V> {
  const record: Partial<Record<N, V>> = {};
  for (const name of names) record[name] = valueOf(name);
  if (!isWhole(record, names)) throw new Error("A name has no value");
  return record;
}

function isWhole<N extends string, V>(
  record: Partial<Record<N, V>>,
  names: readonly N[],
): record is Record<N, V> {
  return names.every((name) => name in record);
}
