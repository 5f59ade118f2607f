/**
 * Records the result of an attempt. One commit changes the delivery, the time of its next attempt,
 * and the health of its webhook. A webhook that has been failing for three days is disabled, and an
 * alert is raised.
 */
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { isoOrNull } from "../../base/time.ts";
import type { SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import { backOffMs, type SenderSetup } from "../../platform/jobs/sender.ts";
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
  /** Every request to a receiver must use this guarded fetch. */
  readonly fetch: SafeFetch;
  readonly alerts: AlertDeps;
}

export async function recordAttempt(
  setup: DeliverySetup,
  row: DueRow,
  attempt: Attempt,
): Promise<void> {
  const ctx = contextOf(setup, row);
  const [, webhookId = ""] = row.partition;
  const isDelivered = attempt.errorCode === null;
  const { failures, delayMs } = await transact(ctx, async (write) => {
    const found = await dueQueue.findAgain(setup.store, row);
    const delivery = (await deliveries.find(ctx, { webhookId, id: row.id }))?.row;
    // Use the stored number, because a person may have requested new attempts meanwhile.
    const failures = (found ?? row).value.failures + 1;
    const wishMs = isDelivered ? null : backOffMs(failures, setup.random);
    if (!found || !delivery) return { failures, delayMs: wishMs };
    const nowMs = ctx.now().getTime();
    // An old delivery gets only one attempt if later deliveries wait for the delivery.
    const isLate = nowMs - Date.parse(delivery.createdAt) >= 24 * 3_600_000;
    const delayMs = isLate && await holdsOthersUp(setup.store, found) ? null : wishMs;
    const nextMs = delayMs === null ? null : nowMs + delayMs;
    if (nextMs === null) {
      dueQueue.take(write, found);
      await leaveLine(setup.store, write, found);
    } else dueQueue.move(write, found, nextMs, { ...found.value, failures, isInHand: false });
    const nextAttemptAt = isoOrNull(nextMs);
    const tried = withAttempt(delivery, attempt, { isDelivered, nextAttemptAt });
    deliveries.put(write, ctx, tried);
    const isGivenUp = tried.status === "failed" && tried.type !== TEST_TYPE;
    await noteHealth(write, ctx, setup, webhookId, { isDelivered, isGivenUp });
    return { failures, delayMs };
  });
  const { errorCode, httpStatus, durationMs } = attempt;
  const facts = { workspaceId: ctx.workspaceId, webhookId, deliveryId: row.id, durationMs };
  if (isDelivered) setup.log.info("delivery taken", facts);
  else {
    const what = delayMs === null ? "delivery given up" : "delivery failed, tried again";
    setup.log.warning(what, { ...facts, failures, delayMs, errorCode, httpStatus });
  }
}

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
  // Wait until a delivery is given up, so that every event gets all its attempts.
  if (isGivenUp && webhook.enabled && failingMs >= 3 * 24 * 3_600_000) {
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

/** With `isLogged`, the log shows the delivery as failed; otherwise the delivery is deleted. */
export async function endUnsent(
  setup: DeliverySetup,
  row: DueRow,
  isLogged: boolean,
): Promise<void> {
  const ctx = contextOf(setup, row);
  const [, webhookId = ""] = row.partition;
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

function contextOf({ store, clock }: DeliverySetup, { partition, id }: DueRow): Context {
  return contextFor({ store, clock, requestId: id }, partition[0] ?? "", SENDER);
}
