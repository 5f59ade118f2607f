/** Checks the market rows of a workspace for contradictions (docs/decisions/keys.md). */

import { findLogSweep, walkLog } from "../catalogue/products/change_log_store.ts";
import type { Store } from "../platform/store/kv.ts";
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
}
