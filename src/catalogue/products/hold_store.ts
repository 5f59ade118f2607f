/**
 * Keys: `hu W untilMs productId` → empty: the price of the active product is, or was, held until then,
 * as its document says; `hup W` → the last hold that has ended and was put before the rules again, as
 * `[untilMs, productId]`.
 */
import { idBytes, keptIdBytes } from "../../base/id.ts";
import { justAfterId, lastIdOf } from "../../platform/store/id_keys.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { holdEndMs, type Product } from "./product.ts";

const EMPTY = new Uint8Array();
const END_OF_TIME_MS = 8.64e15;
const passKey = (workspaceId: string) => ["hup", keptIdBytes(workspaceId)];
const holdsOf = (workspaceId: string) => ["hu", keptIdBytes(workspaceId)];

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
  const id = idBytes(after.id);
  if (was !== null) write.delete([...holdsOf(workspaceId), was, id]);
  if (is !== null) write.set([...holdsOf(workspaceId), is, id], EMPTY);
}

/** A hold by when it ends, or ended. */
interface Hold {
  readonly productId: string;
  readonly untilMs: number;
}

/** Which holds are read: those behind one, or that end after a time; up to and with `toMs`. */
interface HoldRange {
  readonly after: Hold | number;
  readonly toMs: number;
}

/** Holds by when they end. */
export async function* walkHolds(
  { store, workspaceId }: WorkspaceStore,
  { after, toMs }: HoldRange,
): AsyncGenerator<Hold> {
  const prefix = holdsOf(workspaceId);
  const start = typeof after === "number"
    ? [...prefix, after + 1]
    : [...prefix, after.untilMs, justAfterId(after.productId)];
  const end = [...prefix, toMs + 1];
  if ((typeof after === "number" ? after : after.untilMs) >= toMs + 1) return;
  const rows = store.kv.list({ start, end }, { batchSize: 1_000 });
  for await (const { key } of rows) yield { productId: lastIdOf(key), untilMs: Number(key[2]) };
}

/** The products that are held at a time, by id. */
export async function listHeld(workspace: WorkspaceStore, nowMs: number): Promise<string[]> {
  const holds = walkHolds(workspace, { after: nowMs, toMs: END_OF_TIME_MS });
  return (await Array.fromAsync(holds, ({ productId }) => productId)).sort();
}

/** How far holds that have ended were put before the rules. */
interface HoldPass {
  /** Null before the first one. */
  readonly last: Hold | null;
  readonly versionstamp: string | null;
}

export async function findHoldPass({ store, workspaceId }: WorkspaceStore): Promise<HoldPass> {
  const { value, versionstamp } = await store.kv.get<[number, string]>(passKey(workspaceId));
  return { last: value && { untilMs: value[0], productId: value[1] }, versionstamp };
}

/** The commit fails when another process has moved the pass on meanwhile. */
export function saveHoldPass(
  write: Write,
  workspaceId: string,
  { versionstamp }: HoldPass,
  { untilMs, productId }: Hold,
): void {
  write.check(passKey(workspaceId), versionstamp);
  write.set(passKey(workspaceId), [untilMs, productId]);
}
