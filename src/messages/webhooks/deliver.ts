import { mayTakeSlot } from "../../platform/fair_queue.ts";
import type { FetchResult, SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import { type Courier, type Ready, Sender } from "../../platform/jobs/sender.ts";
import type { ClockAndIds } from "../../platform/store/context.ts";
import type { Attempt, StoredDelivery } from "./delivery.ts";
import { waitInLine } from "./line_store.ts";
import { type DeliverySetup, endUnsent, recordAttempt } from "./record_attempt.ts";
import { secretsAt, type StoredWebhook } from "./webhook.ts";
import { deliveries, type DueDelivery, dueQueue, webhooks } from "./webhook_store.ts";
import { Webhook as Signer } from "standardwebhooks";

/** Workspaces share these slots (`mayTakeSlot`). */
const SLOTS = 32;
/**
 * Maximum slots for receivers whose last delivery failed, so that others need not wait for them.
 */
const FAILING_SLOTS = 8;
/** Maximum slots for one host per workspace, so that a slow host does not use all of them. */
const SLOTS_PER_HOST = 4;

interface ReadyDelivery extends Ready<DueDelivery> {
  readonly workspaceId: string;
  readonly webhook: StoredWebhook;
}

/** Sends deliveries to their receivers. Events of one product stay in order. */
export function createDeliverer(setup: DeliverySetup): Sender<DueDelivery, ReadyDelivery> {
  const { store } = setup;
  const courier: Courier<DueDelivery, ReadyDelivery> = {
    name: "deliveries",
    queue: dueQueue,
    slots: SLOTS,
    async prepare(row, inFlight) {
      const [workspaceId = "", webhookId = ""] = row.lane;
      const found = await webhooks.find({ store, workspaceId }, { id: webhookId });
      if (!found?.row.enabled) {
        await endUnsent(setup, row, found !== null);
        return null;
      }
      const ready = { row, workspaceId, webhook: found.row };
      return hasRoom(ready, inFlight) ? ready : null;
    },
    async claim(write, row) {
      return await waitInLine(store, write, row) ? null : row.value;
    },
    async send({ row, workspaceId, webhook }, stopping) {
      const key = { webhookId: webhook.id, id: row.id };
      const found = await deliveries.find({ store, workspaceId }, key);
      if (!found) return await endUnsent(setup, row, false);
      await recordAttempt(setup, row, await sendDelivery(setup, webhook, found.row, stopping));
    },
  };
  return new Sender(setup, courier);
}

function hasRoom(
  { workspaceId, webhook: { url, failingSince } }: ReadyDelivery,
  inFlight: readonly ReadyDelivery[],
): boolean {
  const { host } = new URL(url);
  const isShared = (all: readonly ReadyDelivery[], slots: number) => {
    const own = all.filter((one) => one.workspaceId === workspaceId);
    return mayTakeSlot(own.length, slots - all.length);
  };
  const toHost = inFlight.filter(({ webhook, ...other }) =>
    other.workspaceId === workspaceId && new URL(webhook.url).host === host
  );
  if (toHost.length >= SLOTS_PER_HOST || !isShared(inFlight, SLOTS)) return false;
  const failing = inFlight.filter(({ webhook }) => webhook.failingSince !== null);
  return failingSince === null || isShared(failing, FAILING_SLOTS);
}

/** Answers of a receiver are read up to this size, and not stored. */
const ANSWER_BYTES_MAX = 1_024;
const encoder = new TextEncoder();

/**
 * Sends one signed POST (Standard Webhooks: headers, HMAC-SHA256 over id, time and body). Does not
 * follow redirects. Only an abort is thrown; all other results are returned as an attempt.
 */
async function sendDelivery(
  { clock, fetch }: { readonly clock: ClockAndIds; readonly fetch: SafeFetch },
  webhook: StoredWebhook,
  { eventId, body: text }: StoredDelivery,
  signal: AbortSignal,
): Promise<Attempt> {
  const at = clock.now();
  const signatures = secretsAt(webhook, at).map((secret) =>
    new Signer(secret).sign(eventId, at, text)
  );
  const body = encoder.encode(text);
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
    body,
    timeoutMs: 15_000,
    redirectsMax: 0,
    bytesMax: ANSWER_BYTES_MAX,
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
  if (isTaken(status)) return { httpStatus: status, errorCode: null, message: null };
  return { httpStatus: status, errorCode: "http_error", message: `Answered ${status}` };
}

/** Only a 2xx status means that the event has arrived. */
function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}
