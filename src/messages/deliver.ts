/**
 * Queues and sends events to the receivers of webhooks, signed as the Standard Webhooks
 * specification requires. A delivery is sent at least once, always with the same id, and the events
 * of a product arrive in order. Slots limit the number of simultaneous requests, so that a slow
 * receiver does not delay others. If a delivery is given up and its webhook has been failing for
 * three days, the webhook is disabled and an alert is raised.
 */
import { encoder } from "../base/bytes.ts";
import { Failure, requireById } from "../base/failure.ts";
import { mayTakeSlot } from "../platform/event_loop.ts";
import type { FetchResult, SafeFetch } from "../platform/fetch/safe_fetch.ts";
import {
  backOffMs,
  type Courier,
  type Ready,
  RETRIES_MAX,
  Sender,
  type SenderSetup,
} from "../platform/jobs/work_loop.ts";
import {
  type Actor,
  type Context,
  contextFor,
  type WorkspaceStore,
} from "../platform/store/context.ts";
import {
  requireWebhook,
  signingFields,
  type StoredWebhook,
  webhookAudit,
  webhooks,
} from "./webhook.ts";
import {
  type Attempt,
  deliveries,
  type Delivery,
  type DueDelivery,
  dueQueue,
  type DueRow,
  holdsOthersUp,
  leaveQueue,
  lines,
  newDelivery,
  serialiseDelivery,
  type StoredDelivery,
  TEST_TYPE,
  waitInLine,
  withAttempt,
} from "./delivery_store.ts";
import { Webhook as Signer } from "standardwebhooks";
import { addAuditRow } from "../accounts/audit/audit_store.ts";
import { DAY_MS, isoOrNull } from "../base/time.ts";
import { transact, type Write } from "../platform/store/kv.ts";
import type { Found } from "../platform/store/table.ts";
import { type AlertDeps, raiseAlerts, systemAlert } from "./alert_store.ts";
import { isPublicEvent } from "../platform/events/event.ts";
import type { OutboxListener } from "../platform/events/outbox_store.ts";

const SLOTS = 96;
const FAILING_SLOTS = 8;
/**
 * Slots (simultaneous requests) for one host in a workspace. A host starts with `first` slots. Each
 * quick answer earns one more (at most `earned`); any other result takes all earned slots away.
 */
const SLOTS_PER_HOST = { first: 4, earned: 36 };
const QUICK_MS = 1_000;

interface ReadyDelivery extends Ready<DueDelivery> {
  readonly workspaceId: string;
  readonly webhook: StoredWebhook;
  readonly host: string;
}

export function createDeliverer(setup: DeliverySetup): Sender<DueDelivery, ReadyDelivery> {
  const { store, clock } = setup;
  const earned = new Map<string, number>();
  const note = (host: string, { at, errorCode }: Attempt) => {
    const isQuick = errorCode === null && clock.now().getTime() - Date.parse(at) < QUICK_MS;
    if (!isQuick) earned.delete(host);
    else earned.set(host, Math.min(SLOTS_PER_HOST.earned, (earned.get(host) ?? 0) + 1));
  };
  const courier: Courier<DueDelivery, ReadyDelivery> = {
    name: "deliveries",
    queue: dueQueue,
    slots: SLOTS,
    async prepare(row, inFlight) {
      const [workspaceId = "", webhookId = ""] = row.partition;
      const found = await webhooks.find({ store, workspaceId }, { id: webhookId });
      if (!found?.row.enabled) {
        await endUnsent(setup, row, found !== null);
        return null;
      }
      const host = `${workspaceId} ${new URL(found.row.url).host}`;
      const ready = { row, workspaceId, webhook: found.row, host };
      const slots = SLOTS_PER_HOST.first + (earned.get(host) ?? 0);
      return hasRoom(ready, inFlight, slots) ? ready : null;
    },
    async claim(write, row) {
      return await waitInLine(store, write, row) ? null : row.value;
    },
    async send({ row, workspaceId, webhook, host }, stopping) {
      const key = { webhookId: webhook.id, id: row.id };
      const found = await deliveries.find({ store, workspaceId }, key);
      if (!found) return await endUnsent(setup, row, false);
      const attempt = await sendDelivery(
        setup,
        { store, workspaceId },
        webhook,
        found.row,
        stopping,
      );
      note(host, attempt);
      await recordAttempt(setup, row, webhook, attempt);
    },
  };
  return new Sender(setup, courier);
}

function hasRoom(
  { workspaceId, host, webhook: { failingSince } }: ReadyDelivery,
  inFlight: readonly ReadyDelivery[],
  slotsOfHost: number,
): boolean {
  const isShared = (all: readonly ReadyDelivery[], slots: number) => {
    const own = all.filter((one) => one.workspaceId === workspaceId);
    return mayTakeSlot(own.length, slots - all.length);
  };
  const toHost = inFlight.filter((other) => other.host === host);
  if (toHost.length >= slotsOfHost || !isShared(inFlight, SLOTS)) return false;
  const failing = inFlight.filter(({ webhook }) => webhook.failingSince !== null);
  return failingSince === null || isShared(failing, FAILING_SLOTS);
}

async function sendDelivery(
  { clock, fetch }: DeliverySetup,
  workspace: WorkspaceStore,
  webhook: StoredWebhook,
  { eventId, body: text }: StoredDelivery,
  signal: AbortSignal,
): Promise<Attempt> {
  const at = clock.now();
  let secrets: string[];
  try {
    const fields = signingFields(webhook, at);
    secrets = await Promise.all(fields.map((field) => webhooks.open(workspace, webhook, field)));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code: errorCode, message } = error;
    return { at: at.toISOString(), httpStatus: null, errorCode, message, durationMs: 0 };
  }
  const signatures = secrets.map((secret) => new Signer(secret).sign(eventId, at, text));
  const startedMs = performance.now();
  const result = await fetch({
    url: webhook.url,
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "webhook-id": eventId,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": signatures.join(" "),
    },
    body: encoder.encode(text),
    timeoutMs: 15_000,
    redirectsMax: 0,
    bytesMax: 1_024,
    onTooLarge: "cut",
    signal,
  });
  const durationMs = Math.round(performance.now() - startedMs);
  return { at: at.toISOString(), ...outcomeOf(result), durationMs };
}

function outcomeOf(result: FetchResult): Pick<Attempt, "httpStatus" | "errorCode" | "message"> {
  if (result.kind === "failed") {
    const { errorCode, message } = result;
    return { httpStatus: null, errorCode, message };
  }
  if (result.kind === "moved") {
    return { httpStatus: null, errorCode: "redirect_refused", message: "Answers elsewhere" };
  }
  const { status } = result;
  if (status >= 200 && status < 300) return { httpStatus: status, errorCode: null, message: null };
  return { httpStatus: status, errorCode: "http_error", message: `Answered ${status}` };
}

export interface DeliverySetup extends SenderSetup {
  readonly fetch: SafeFetch;
  readonly alerts: AlertDeps;
}

async function recordAttempt(
  setup: DeliverySetup,
  row: DueRow,
  webhook: StoredWebhook,
  attempt: Attempt,
) {
  const ctx = contextOf(setup, row);
  const { id: webhookId } = webhook;
  const isDelivered = attempt.errorCode === null;
  const failures = row.value.failures + 1;
  const wishMs = isDelivered ? null : backOffMs(failures, setup.random);
  const delayMs = await transact(ctx, async (write) => {
    const found = await dueQueue.findAgain(setup.store, row);
    const delivery = (await deliveries.find(ctx, { webhookId, id: row.id }))?.row;
    if (!found || !delivery) return wishMs;
    const nowMs = ctx.now().getTime();
    // Give up a failed delivery that is over a day old, if newer deliveries wait for it.
    const isLate = nowMs - Date.parse(delivery.createdAt) >= DAY_MS;
    const delayMs = isLate && await holdsOthersUp(setup.store, found) ? null : wishMs;
    const nextMs = delayMs === null ? null : nowMs + delayMs;
    if (nextMs === null) await leaveQueue(setup.store, write, found);
    else dueQueue.move(write, found, nextMs, { ...found.value, failures, isInHand: false });
    const tried = withAttempt(delivery, attempt, isoOrNull(nextMs));
    deliveries.put(write, ctx, tried);
    const isGivenUp = tried.status === "failed" && tried.type !== TEST_TYPE;
    await noteHealth(write, ctx, setup.alerts, webhook, { isDelivered, isGivenUp });
    return delayMs;
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
  alerts: AlertDeps,
  { id, url }: StoredWebhook,
  { isDelivered, isGivenUp }: { readonly isDelivered: boolean; readonly isGivenUp: boolean },
): Promise<void> {
  const found = await webhooks.find(ctx, { id });
  // Ignore an attempt that began before a change of the webhook's address.
  if (found?.row.url !== url) return;
  const { row: webhook } = found;
  const now = ctx.now();
  const since = webhook.failingSince;
  if (isDelivered || since === null) {
    if (isDelivered && since === null) return;
    const failingSince = isDelivered ? null : now.toISOString();
    return webhooks.save(write, ctx, found, { ...webhook, failingSince });
  }
  const isOver = isGivenUp && now.getTime() - Date.parse(since) >= 3 * DAY_MS;
  if (!isOver || !webhook.enabled) return;
  const disabledAt = now.toISOString();
  const disabled = { ...webhook, enabled: false, disabledAt, updatedAt: disabledAt };
  webhooks.save(write, ctx, found, disabled);
  addAuditRow(write, ctx, webhookAudit("webhook.disable", webhook, disabled));
  const { host } = new URL(webhook.url);
  raiseAlerts(write, ctx, alerts, [systemAlert({ code: "webhook_disabled", host, since })]);
}

async function endUnsent(setup: DeliverySetup, row: DueRow, isLogged: boolean) {
  const ctx = contextOf(setup, row);
  const [, webhookId = ""] = row.partition;
  await transact(ctx, async (write) => {
    const found = await dueQueue.findAgain(setup.store, row);
    if (!found) return;
    await leaveQueue(setup.store, write, found);
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

const known = new WeakMap<Write, Promise<Found<StoredWebhook>[]>>();

function webhooksFor(write: Write, ctx: Context): Promise<Found<StoredWebhook>[]> {
  const found = known.get(write) ?? webhooks.list(ctx);
  known.set(write, found);
  return found;
}

/** Queues one delivery per subscribed webhook, after earlier deliveries of the same product. */
export const webhookListener: OutboxListener = {
  async handle(write, ctx, { eventId, at, place, event }) {
    if (!isPublicEvent(event)) return;
    const { type, data } = event;
    const productId = "productId" in data ? data.productId : null;
    const line = productId === null ? null : { productId, place };
    for (const { row: { id, enabled, events } } of await webhooksFor(write, ctx)) {
      if (!enabled || !events.includes(type)) continue;
      const delivery = newDelivery(id, { eventId, type, at, data });
      if (line) lines.put(write, ctx, { ...line, webhookId: id, id: delivery.id, waiting: null });
      enqueue(write, ctx, delivery, { failures: 0, ...(line && { line }) });
    }
  },
};

/**
 * Gives the delivery 8 more attempts. Does nothing if the delivery is being sent, or waits for an
 * earlier delivery of its product. Throws `conflict` if the webhook is disabled.
 */
export async function resendDelivery(
  ctx: Context,
  webhookId: string,
  deliveryId: string,
): Promise<Delivery> {
  const value = await transact(ctx, async (write) => {
    await requireEnabled(ctx, webhookId);
    const find = (id: string) => deliveries.find(ctx, { webhookId, id });
    const { row: delivery } = await requireById("delivery", deliveryId, find);
    ctx.receipt?.put(write, null);
    const waiting = await findWaiting(ctx, [ctx.workspaceId, webhookId], deliveryId);
    const isDue = waiting ? !waiting.value.isInHand : delivery.status !== "pending";
    if (!isDue) return delivery;
    if (waiting) dueQueue.take(write, waiting);
    const nextAttemptAt = ctx.now().toISOString();
    const next = { ...delivery, status: "pending" as const, nextAttemptAt, finishedAt: null };
    enqueue(write, ctx, next, { ...waiting?.value, failures: 0 });
    return next;
  });
  return serialiseDelivery(value);
}

function enqueue(write: Write, ctx: Context, delivery: StoredDelivery, value: DueDelivery): void {
  const { webhookId, id } = delivery;
  deliveries.put(write, ctx, delivery);
  const partition = [ctx.workspaceId, webhookId];
  dueQueue.add(write, { partition, id, dueMs: ctx.now().getTime(), value });
}

async function findWaiting({ store }: Context, partition: readonly string[], id: string) {
  for await (const row of dueQueue.list(store, partition)) if (row.id === id) return row;
  return null;
}

/** A failed test delivery is not retried. */
export async function testWebhook(ctx: Context, webhookId: string): Promise<Delivery> {
  const at = ctx.now().toISOString();
  const data = { webhookId };
  const delivery = newDelivery(webhookId, { eventId: ctx.newId(), type: TEST_TYPE, at, data });
  await transact(ctx, async (write) => {
    await requireEnabled(ctx, webhookId);
    enqueue(write, ctx, delivery, { failures: RETRIES_MAX });
    ctx.receipt?.put(write, null);
  });
  return serialiseDelivery(delivery);
}

async function requireEnabled(ctx: Context, webhookId: string): Promise<void> {
  const { row: webhook } = await requireWebhook(ctx, webhookId);
  if (!webhook.enabled) {
    throw new Failure("conflict", "The webhook is disabled: enable it first");
  }
}
