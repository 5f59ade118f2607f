/** Products whose hold has ended: the rules are asked again, although nothing else has happened. */
import {
  findHoldPass,
  type Hold,
  saveHoldPass,
  walkHolds,
} from "../catalogue/products/hold_store.ts";
import { type TouchedProducts, touchedQueue } from "../events/news_store.ts";
import { listWorkspaces } from "../identity/workspace_store.ts";
import { eachApart } from "../platform/jobs/each_apart.ts";
import type { Clockwork, WorkspaceStore } from "../platform/store/context.ts";
import { type Store, transact } from "../platform/store/kv.ts";

const PER_COMMIT = 1_000;
const PER_ROW = 100;
/** Whoever judges a product by a clock that is a little behind must not find it held still. */
const GRACE_MS = 5_000;

export interface HoldSetup {
  readonly store: Store;
  readonly clockwork: Clockwork;
}

/** The pass of every minute; each hold once, however many processes ask. Answers how many have ended. */
export async function queueEndedHolds({ store, clockwork }: HoldSetup): Promise<number> {
  let count = 0;
  const toMs = clockwork.now().getTime() - GRACE_MS;
  const workspaces = await listWorkspaces(store);
  await eachApart("ended holds", workspaces.map(({ id }) => id), async (workspaceId) => {
    for (let found = PER_COMMIT; found === PER_COMMIT;) {
      found = await queueSome({ store, workspaceId }, clockwork, toMs);
      count += found;
    }
  });
  return count;
}

/** One commit, which moves the pass on behind the last hold that it has queued. */
async function queueSome(
  workspace: WorkspaceStore,
  clockwork: Clockwork,
  toMs: number,
): Promise<number> {
  return await transact(workspace, async (write) => {
    const pass = await findHoldPass(workspace);
    const holds: Hold[] = [];
    for await (const hold of walkHolds(workspace, { after: pass.last ?? 0, toMs })) {
      if (holds.push(hold) === PER_COMMIT) break;
    }
    const last = holds.at(-1);
    if (!last) return 0;
    for (let from = 0; from < holds.length; from += PER_ROW) {
      const productIds = holds.slice(from, from + PER_ROW).map(({ productId }) => productId);
      const value: TouchedProducts = { cause: "write", ref: null, productIds, from: 0 };
      const [id, dueMs] = [clockwork.newId(), clockwork.now().getTime()];
      touchedQueue.add(write, { lane: [workspace.workspaceId], id, dueMs, value });
    }
    saveHoldPass(write, workspace.workspaceId, pass, last);
    return holds.length;
  });
}
