/** Held prices by when their holds end, for the rules, which are asked again then. */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { holdEndMs, type Product } from "./product.ts";

interface Hold {
  readonly untilMs: number;
  readonly productId: string;
}

const EMPTY = new Uint8Array();
const END_OF_TIME_MS = 8.64e15;

export const holds = defineTable<Hold, "untilMs" | "productId">({
  prefix: "hu",
  about: "the price of the active product is, or was, held until then, as its document says",
  key: { untilMs: "number", productId: "id" },
  keyOnly: ["untilMs", "productId"],
  codec: { encode: () => EMPTY, decode: () => ({}) },
});

export const holdPasses = defineTable<Hold>({
  prefix: "hup",
  about: "the last hold that has ended and was put before the rules again",
  key: {},
  codec: {
    encode: ({ untilMs, productId }) => [untilMs, productId],
    decode(value) {
      const [untilMs, productId] = Array.isArray(value) ? value : [];
      return { untilMs: Number(untilMs), productId: String(productId) };
    },
  },
});

/** Goes into the commit that writes the product; nothing where its hold stays. */
export function putHold(
  write: Write,
  workspaceId: string,
  before: Product | null,
  after: Product,
): void {
  const was = before && holdEndMs(before);
  const is = holdEndMs(after);
  if (was === is) return;
  const hold = (untilMs: number) => ({ untilMs, productId: after.id });
  if (was !== null) holds.drop(write, { workspaceId }, hold(was));
  if (is !== null) holds.put(write, { workspaceId }, hold(is));
}

/** Which holds are read: those behind one, or that end after a time; up to and with `toMs`. */
interface HoldRange {
  readonly after: Hold | number;
  readonly toMs: number;
}

export async function* walkHolds(
  workspace: WorkspaceStore,
  { after, toMs }: HoldRange,
): AsyncGenerator<Hold> {
  const place = typeof after === "number" ? { untilMs: after } : after;
  for await (const { row } of holds.walk(workspace, { after: place })) {
    if (row.untilMs > toMs) return;
    yield row;
  }
}

/** The products that are held at a time, by id. */
export async function listHeld(workspace: WorkspaceStore, nowMs: number): Promise<string[]> {
  const held = walkHolds(workspace, { after: nowMs, toMs: END_OF_TIME_MS });
  return (await Array.fromAsync(held, ({ productId }) => productId)).sort();
}

/** How far holds that have ended were put before the rules. */
interface HoldPass {
  /** Null before the first one. */
  readonly last: Hold | null;
  readonly versionstamp: string | null;
}

export async function findHoldPass(workspace: WorkspaceStore): Promise<HoldPass> {
  const found = await holdPasses.find(workspace, {});
  return { last: found?.row ?? null, versionstamp: found?.versionstamp ?? null };
}

/** The commit fails when another process has moved the pass on meanwhile. */
export function saveHoldPass(
  write: Write,
  workspaceId: string,
  { last, versionstamp }: HoldPass,
  hold: Hold,
): void {
  const before = last && versionstamp !== null ? { row: last, versionstamp } : null;
  holdPasses.save(write, { workspaceId }, before, hold);
}
