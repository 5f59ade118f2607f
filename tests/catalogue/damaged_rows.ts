/** Rows that somebody has damaged: taken away, moved or copied. */
import fc from "fast-check";
import type { WorkspaceStore } from "../../src/platform/store/context.ts";

/** Those of a catalogue, whose rows must agree with each other. */
export const CATALOGUE_TABLES = ["p", "px", "ps", "pf", "ph", "pe"];

export interface Damage {
  readonly how: "delete" | "copy" | "move";
  /** Which row, as a share of all. */
  readonly at: number;
  /** Whose key it takes a part of. */
  readonly like: number;
  /** Which part. */
  readonly part: number;
}

/** Evenly, so that each table has its turn. */
const share = fc.noBias(fc.nat(9_999)).map((n) => n / 10_000);

export const damages: fc.Arbitrary<Damage[]> = fc.array(
  fc.record({
    how: fc.constantFrom("delete", "copy", "move"),
    at: share,
    like: share,
    part: fc.noBias(fc.nat(30)),
  }),
  { minLength: 1, maxLength: 6 },
);

/** Does one of them after the other, to rows of these tables. */
export async function damage(
  { store: { kv }, workspaceId }: WorkspaceStore,
  tables: readonly string[],
  list: readonly Damage[],
): Promise<void> {
  for (const { how, at, like, part } of list) {
    const rows: Deno.KvEntry<unknown>[] = [];
    for (const table of tables) {
      const prefix = [table, Uint8Array.fromHex(workspaceId)];
      rows.push(...await Array.fromAsync(kv.list({ prefix })));
    }
    const row = rows[Math.floor(at * rows.length)];
    // Rows of the same table, so that their values have the same form.
    const alike = rows.filter(({ key }) => key[0] === row?.key[0]);
    const other = alike[Math.floor(like * alike.length)];
    if (!row || !other) return;
    const place = 2 + part % (row.key.length - 2);
    const key = row.key.with(place, other.key[place] ?? 0);
    if (how === "delete" || how === "move") await kv.delete(row.key);
    if (how === "copy" || how === "move") await kv.set(key, row.value);
  }
}
