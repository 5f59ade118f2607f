/** Damages stored rows at random: deletes, copies and moves them. */
import fc from "fast-check";
import type { WorkspaceStore } from "../../src/platform/store/context.ts";

/** Tables whose rows must agree with each other. */
export const CATALOGUE_TABLES = ["p", "px", "ps", "ph", "pe"];

interface Damage {
  readonly how: "delete" | "copy" | "move";
  /** The place of the damaged row among all rows, from 0 to 1. */
  readonly at: number;
  /**
   * The place of the row that provides the new key part among the rows of the same table, from 0 to
   * 1.
   */
  readonly like: number;
  /** The index of the replaced part of the key. */
  readonly part: number;
}

/** Without bias, so that all tables are damaged. */
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
    // A key part comes from a row of the same table, because these rows have values of the same
    // form.
    const alike = rows.filter(({ key }) => key[0] === row?.key[0]);
    const other = alike[Math.floor(like * alike.length)];
    if (!row || !other) return;
    const place = 2 + part % (row.key.length - 2);
    const key = row.key.with(place, other.key[place] ?? 0);
    if (how === "delete" || how === "move") await kv.delete(row.key);
    if (how === "copy" || how === "move") await kv.set(key, row.value);
  }
}
