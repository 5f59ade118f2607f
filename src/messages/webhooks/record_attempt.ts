import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { isoOrNull } from "../../base/time.ts";
import type { SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import { restAfterMs, type SenderSetup } from "../../platform/jobs/sender.ts";
import { type Actor, type Context, contextFor } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import type { Found } from "../../platform/store/table.ts";
import { systemAlert } from "../alerts/alert.ts";
import { type AlertDeps, raiseAlert } from "../alerts/raise_alert.ts";
import { webhookAudit } from "./change_webhook.ts";
import { type Attempt, TEST_TYPE, withAttempt } from "./delivery.ts";
import { holdsOthersUp, leaveLine } from "./line_store.ts";
import type { StoredWebhook } from "./webhook.ts";
import { deliveries, dueQueue, type DueRow, webhooks } from "./webhook_store.ts";

export interface DeliverySetup extends SenderSetup {
  /** The guarded way out; no other is taken. */
  readonly fetch: SafeFetch;
  readonly alerts: AlertDeps;
}

/**
 * A receiver without a success for this long is disabled when the next delivery is given up, and an alert
 * is raised. Every event has its tries: the last failure may be long ago.
 */
const FAILING_MS_MAX = 3 * 24 * 3_600_000;

/**
 * Eight tries take no longer. An event that has waited for others of its product may be older: others
 * wait for one more try of it, so that a product whose events are all refused lags no further behind.
 */
const HOLDING_UP_MS_MAX = 24 * 3_600_000;

/**
 * Writes down how a try went, and when the next one is. A sender whose lease was over finds its row
 * gone and writes nothing: the other's word counts.
 */
export async function recordAttempt(
  setup: DeliverySetup,
  row: DueRow,
  attempt: Attempt,
): Promise<void> {
  const ctx = contextOf(setup, row);
  const [, webhookId = ""] = row.lane;
  const isDelivered = attempt.errorCode === null;
  const { failures, restMs } = await transact(ctx, async (write) => {
    const found = await dueQueue.findAgain(setup.store, row);
    const delivery = (await deliveries.find(ctx, { webhookId, id: row.id }))?.row;
    // The current count: a person who sent it again meanwhile has given it new tries.
    const failures = (found ?? row).value.failures + 1;
    const wishMs = isDelivered ? null : restAfterMs(failures, setup.random);
    if (!found || !delivery) return { failures, restMs: wishMs };
    const nowMs = ctx.now().getTime();
    const isLate = nowMs - Date.parse(delivery.createdAt) >= HOLDING_UP_MS_MAX;
    const restMs = isLate && await holdsOthersUp(setup.store, found) ? null : wishMs;
    const nextMs = restMs === null ? null : nowMs + restMs;
    if (nextMs === null) {
      dueQueue.take(write, found);
      await leaveLine(setup.store, write, found);
    } else dueQueue.move(write, found, nextMs, { ...found.value, failures, isInHand: false });
    const nextAttemptAt = isoOrNull(nextMs);
    const tried = withAttempt(delivery, attempt, { isDelivered, nextAttemptAt });
    deliveries.put(write, ctx, tried);
    const isGivenUp = tried.status === "failed" && tried.type !== TEST_TYPE;
    await noteHealth(write, ctx, setup, webhookId, { isDelivered, isGivenUp });
    return { failures, restMs };
  });
  const { errorCode, httpStatus, durationMs } = attempt;
  const facts = { workspaceId: ctx.workspaceId, webhookId, deliveryId: row.id, durationMs };
  if (isDelivered) setup.log.info("delivery taken", facts);
  else {
    const what = restMs === null ? "delivery given up" : "delivery failed, tried again";
    setup.log.warning(what, { ...facts, failures, restMs, errorCode, httpStatus });
  }
}

/** The webhook's row changes only when its health does. */
async function noteHealth(
  write: Write,
  ctx: Context,
  setup: DeliverySetup,
  webhookId: string,
  { isDelivered, isGivenUp }: { readonly isDelivered: boolean; readonly isGivenUp: boolean },
): Promise<void> {
  const found = await webhooks.find(ctx, { id: webhookId });
  if (!found) return;
  const { row: webhook } = found;
  if (isDelivered) {
    if (webhook.failingSince === null) return;
    webhooks.save(write, ctx, found, { ...webhook, failingSince: null });
    return;
  }
  const now = ctx.now();
  if (webhook.failingSince === null) {
    const failing = { ...webhook, failingSince: now.toISOString() };
    return webhooks.save(write, ctx, found, failing);
  }
  const failingMs = now.getTime() - Date.parse(webhook.failingSince);
  if (isGivenUp && webhook.enabled && failingMs >= FAILING_MS_MAX) {
    disable(write, ctx, setup, found);
  }
}

function disable(
  write: Write,
  ctx: Context,
  setup: DeliverySetup,
  found: Found<StoredWebhook>,
): void {
  const { row: webhook } = found;
  const disabledAt = ctx.now().toISOString();
  const disabled = { ...webhook, enabled: false, disabledAt, updatedAt: disabledAt };
  webhooks.save(write, ctx, found, disabled);
  addAuditRow(write, ctx, webhookAudit("webhook.disable", webhook, disabled));
  const { host } = new URL(webhook.url);
  const since = webhook.failingSince;
  raiseAlert(write, ctx, setup.alerts, systemAlert({ code: "webhook_disabled", host, since }));
}

/** Takes a delivery off the queue whose webhook is disabled, or gone. */
export async function endUnsent(
  setup: DeliverySetup,
  row: DueRow,
  isLogged: boolean,
): Promise<void> {
  const ctx = contextOf(setup, row);
  const [, webhookId = ""] = row.lane;
  await transact(ctx, async (write) => {
    const found = await dueQueue.findAgain(setup.store, row);
    if (!found) return;
    dueQueue.take(write, found);
    await leaveLine(setup.store, write, found);
    const key = { webhookId, id: row.id };
    const delivery = isLogged ? await deliveries.find(ctx, key) : null;
    if (!delivery) return deliveries.drop(write, ctx, key);
    const finishedAt = ctx.now().toISOString();
    const ended = { ...delivery.row, status: "failed" as const, nextAttemptAt: null, finishedAt };
    deliveries.put(write, ctx, ended);
  });
}

const SENDER: Actor = { type: "system", id: "webhooks", name: "Webhooks" };

function contextOf({ store, clock }: DeliverySetup, { lane, id }: DueRow): Context {
  return contextFor({ store, clock, requestId: id }, lane[0] ?? "", SENDER);
}
