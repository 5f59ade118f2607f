/** Random damage to stored rows: deletes, copies and moves. */
import fc from "fast-check";
import type { WorkspaceStore } from "../../src/platform/store/context.ts";

/** Tables of the catalogue whose rows must agree with each other. */
export const CATALOGUE_TABLES = ["p", "px", "ps", "pf", "ph", "pe"];

interface Damage {
  readonly how: "delete" | "copy" | "move";
  /** The index of the damaged row, as a share of all rows. */
  readonly at: number;
  /** The index of a second row of the same table, which gives a key part, as a share. */
  readonly like: number;
  /** The number of the key part that is replaced. */
  readonly part: number;
}

/** Without bias, so that every table is hit. */
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

/** Applies the damages one after the other to rows of the tables. */
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
    // Rows of one table have values of the same form.
    const alike = rows.filter(({ key }) => key[0] === row?.key[0]);
    const other = alike[Math.floor(like * alike.length)];
    if (!row || !other) return;
    const place = 2 + part % (row.key.length - 2);
    const key = row.key.with(place, other.key[place] ?? 0);
    if (how === "delete" || how === "move") await kv.delete(row.key);
    if (how === "copy" || how === "move") await kv.set(key, row.value);
  }
}
