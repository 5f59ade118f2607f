import { createRuleCache } from "../../../src/rules/rule_store.ts";
import { evaluateDue } from "../../../src/rules/evaluation/evaluation_loop.ts";
import { type OutboxListener, relayOutbox } from "../../../src/platform/events/outbox_store.ts";
import { roomLog } from "../../../src/platform/log.ts";
import type { ClockAndIds } from "../../../src/platform/store/context.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { WalkTurns } from "../../../src/platform/store/row_queue_store.ts";

/** Relays events to the listeners and judges products, until nothing waits. */
export async function judgeAll(
  store: Store,
  clock: ClockAndIds,
  listeners: readonly OutboxListener[],
): Promise<void> {
  const log = roomLog("test");
  const judged = {
    ruleCache: createRuleCache(),
    alerts: { isMailOn: false },
    turns: new WalkTurns(),
  };
  const setup = { store, clock, log, ...judged };
  const relay = { store, clock, listeners, log, turns: new WalkTurns() };
  const waits = async (table: string) =>
    (await Array.fromAsync(store.kv.list({ prefix: [table] }, { limit: 1 }))).length > 0;
  while (await waits("nw") || await waits("tq")) {
    await relayOutbox(relay);
    await evaluateDue(setup);
  }
}
