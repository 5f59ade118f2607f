/**
 * Keys: `lp W untilMs productId` → empty: what holds a rule back from the product ends then, and the
 * rules are asked again; `lpp W` → the last of them that was put before the rules, as `[untilMs,
 * productId]`.
 */
import { idBytes, keptIdBytes } from "../../base/id.ts";
import { justAfterId, lastIdOf } from "../../platform/store/id_keys.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { EndingTimes } from "./queue_ended.ts";

const EMPTY = new Uint8Array();
const passKey = (workspaceId: string) => ["lpp", keptIdBytes(workspaceId)];
const lapsesOf = (workspaceId: string) => ["lp", keptIdBytes(workspaceId)];

export interface Lapse {
  readonly untilMs: number;
  readonly productId: string;
}

const keyOf = (workspaceId: string, { untilMs, productId }: Lapse) => [
  ...lapsesOf(workspaceId),
  untilMs,
  idBytes(productId),
];

/** Remembers it in the commit; one mutation, and none for what is there already. */
export async function noteLapse(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  lapse: Lapse,
): Promise<void> {
  const key = keyOf(workspaceId, lapse);
  if ((await store.kv.get(key)).versionstamp === null) write.set(key, EMPTY);
}

export const LAPSES: EndingTimes<Lapse> = {
  name: "lapsed reasons",
  async findPass({ store, workspaceId }) {
    const { value, versionstamp } = await store.kv.get<[number, string]>(passKey(workspaceId));
    return { last: value && { untilMs: value[0], productId: value[1] }, versionstamp };
  },
  async *walk({ store, workspaceId }, { after, toMs }) {
    const prefix = lapsesOf(workspaceId);
    const start = typeof after === "number"
      ? [...prefix, after + 1]
      : [...prefix, after.untilMs, justAfterId(after.productId)];
    if ((typeof after === "number" ? after : after.untilMs) > toMs) return;
    const rows = store.kv.list({ start, end: [...prefix, toMs + 1] }, { batchSize: 500 });
    for await (const { key } of rows) yield { untilMs: Number(key[2]), productId: lastIdOf(key) };
  },
  savePass(write, workspaceId, { versionstamp }, { untilMs, productId }) {
    write.check(passKey(workspaceId), versionstamp);
    write.set(passKey(workspaceId), [untilMs, productId]);
  },
  forget: (write, workspaceId, lapse) => write.delete(keyOf(workspaceId, lapse)),
};
