import { createRuleCache } from "../../../src/rules/rule.ts";
import { evaluateDue } from "../../../src/rules/evaluation/evaluation_loop.ts";
import {
  dirtyQueue,
  type OutboxListener,
  relayOutbox,
} from "../../../src/platform/events/outbox_store.ts";
import { roomLog } from "../../../src/platform/log.ts";
import type { ClockAndIds, Context } from "../../../src/platform/store/context.ts";
import { type Store, transact } from "../../../src/platform/store/kv.ts";
import { WalkPosition } from "../../../src/platform/store/row_queue_store.ts";

/** Queues products for evaluation as a push does: one row of the queue for each list of ids. */
export async function queuePushed(
  ctx: Context,
  lists: readonly (readonly string[])[],
): Promise<void> {
  const place = { partition: [ctx.workspaceId], dueMs: ctx.now().getTime() };
  await transact(ctx, (write) => {
    for (const productIds of lists) {
      const value = { cause: "push", ref: null, productIds, from: 0 } as const;
      dirtyQueue.add(write, { ...place, id: ctx.newId(), value });
    }
  });
}

function judging(store: Store, clock: ClockAndIds) {
  return {
    store,
    clock,
    log: roomLog("test"),
    ruleCache: createRuleCache(),
    alerts: { isMailOn: false },
    position: new WalkPosition(),
  };
}

/** Evaluates queued products with a new cache and queue position, as another process would. */
export async function judgeDue(store: Store, clock: ClockAndIds): Promise<void> {
  await evaluateDue(judging(store, clock));
}

/** True while an event waits to be relayed (`nw`), or a product to be evaluated (`tq`). */
export async function isWaiting({ kv }: Pick<Store, "kv">): Promise<boolean> {
  for (const table of ["nw", "tq"]) {
    const rows = await Array.fromAsync(kv.list({ prefix: [table] }, { limit: 1 }));
    if (rows.length > 0) return true;
  }
  return false;
}

/** Relays events and evaluates products until none is waiting. */
export async function judgeAll(
  store: Store,
  clock: ClockAndIds,
  listeners: readonly OutboxListener[],
): Promise<void> {
  const setup = judging(store, clock);
  const relay = { store, clock, listeners, log: setup.log, position: new WalkPosition() };
  while (await isWaiting(store)) {
    await relayOutbox(relay);
    await evaluateDue(setup);
  }
}
