/** Rows that somebody has damaged: taken away, moved, copied or changed. */
import fc from "fast-check";
import type { WorkspaceStore } from "../../src/platform/store/context.ts";
import { storedDocument } from "./stored_document.ts";

/** Those of a catalogue, whose rows must agree with each other. */
export const CATALOGUE_TABLES = ["p", "px", "ps", "pf", "ph", "phi", "pe"];

export interface Damage {
  readonly how: "delete" | "copy" | "move" | "change";
  /** Which row, as a share of all. */
  readonly at: number;
  /** Whose key or value it takes parts of. */
  readonly like: number;
  /** Which part. */
  readonly part: number;
}

/** Evenly, so that each table has its turn. */
const share = fc.noBias(fc.nat(9_999)).map((n) => n / 10_000);

export const damages: fc.Arbitrary<Damage[]> = fc.array(
  fc.record({
    how: fc.constantFrom("delete", "copy", "move", "change"),
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
    // Of the same table, so that what it says has the same form.
    const alike = rows.filter(({ key }) => key[0] === row?.key[0]);
    const other = alike[Math.floor(like * alike.length)];
    if (!row || !other) return;
    const place = 2 + part % (row.key.length - 2);
    const key = row.key.with(place, other.key[place] ?? 0);
    if (how === "delete" || how === "move") await kv.delete(row.key);
    if (how === "copy" || how === "move") await kv.set(key, row.value);
    if (how === "change") {
      await kv.set(row.key, mixed(storedDocument(row), storedDocument(other), part));
    }
  }
}

/** The value with one part of another one. */
function mixed(value: unknown, other: unknown, part: number): unknown {
  if (value instanceof Uint8Array && other instanceof Uint8Array) {
    if (value.length === 0) return value;
    if (!isJson(value)) return withOther(value, other, 37 * part);
    const [into, from] = [value, other].map((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
    return new TextEncoder().encode(JSON.stringify(mixed(into, from, part)));
  }
  if (Array.isArray(value) && Array.isArray(other)) {
    const at = part % value.length;
    // Sometimes one part fewer.
    return part > 26 ? value.slice(0, -1) : value.with(at, other[at]);
  }
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value);
  const name = names[part % names.length] ?? "";
  return { ...value, [name]: Reflect.get(Object(other), name) };
}

/** Blocks are packed bytes. */
function isJson(bytes: Uint8Array): boolean {
  return bytes[0] === "{".charCodeAt(0) || bytes[0] === "[".charCodeAt(0);
}

function withOther(value: Uint8Array, other: Uint8Array, at: number): Uint8Array {
  return value.with(at % value.length, other[at % other.length] ?? 0);
}
