/** Checks the market rows of a workspace for contradictions (docs/decisions/keys.md). */

import { findLogSweep, walkLog } from "../catalogue/products/product_mark_store.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";
import { checkpointHeads, countCheckpointParts } from "./current/checkpoint.ts";
import { decodeDays, decodeTimes, trends } from "./trends/trend_days.ts";

export async function* checkMarket(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const sweep = await findLogSweep(workspace);
  if (sweep !== null && sweep.mark < sweep.swept) {
    yield `The change log must be kept from ${sweep.mark} on, but was deleted up to ${sweep.swept}`;
  }
  for await (const { position, isWhole } of walkLog(workspace)) {
    if (!isWhole) yield `The row ${position} of the change log is incomplete`;
  }
  for await (const { row: { month, dimension, bytes } } of trends.walk(workspace)) {
    const days = dimension === "at" ? decodeTimes(bytes) : decodeDays(bytes);
    const isMonth = [...days.keys()].every((day) => day >= 1 && day <= 31);
    if (bytes.length === 0 || !isMonth) {
      yield `The trends of ${month} have a row of "${dimension}" with invalid days`;
    }
  }
  yield* checkCheckpoint(workspace);
}

/** Ignores parts of other generations, because their writer may still be running. */
async function* checkCheckpoint(workspace: WorkspaceStore): AsyncGenerator<string> {
  const found = await checkpointHeads.find(workspace, {});
  if (found === null) return;
  const { generation, rowParts, wordParts } = found.row;
  const parts = (await countCheckpointParts(workspace)).get(generation) ?? 0;
  const isStill = (await checkpointHeads.find(workspace, {}))?.versionstamp === found.versionstamp;
  if (isStill && parts !== rowParts + wordParts) {
    yield `The checkpoint of the market has ${parts} of ${rowParts + wordParts} parts`;
  }
}
