/** The fresh values, but for those fields that hold something else by now than when they were sent. */
export function keepTyped<V extends object>(fresh: V, sent: V, now: V): V {
  const kept = { ...fresh };
  for (const name in now) {
    if (JSON.stringify(now[name]) !== JSON.stringify(sent[name])) kept[name] = now[name];
  }
  return kept;
}
