/**
 * Sends events to the receivers of webhooks, signed as the Standard Webhooks specification
 * requires. A delivery is sent at least once, always with the same id, and the events of a product
 * arrive in order. Slots limit the number of simultaneous requests, so that a slow receiver does
 * not delay others.
 */
import { encoder } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import { mayTakeSlot } from "../../platform/fair_queue.ts";
import type { FetchResult, SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import { type Courier, type Ready, Sender } from "../../platform/jobs/sender.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import type { Attempt, StoredDelivery } from "./delivery.ts";
import { waitInLine } from "./line_store.ts";
import { type DeliverySetup, endUnsent, recordAttempt } from "./record_attempt.ts";
import { signingFields, type StoredWebhook } from "./webhook.ts";
import { deliveries, type DueDelivery, dueQueue, webhooks } from "./webhook_store.ts";
import { Webhook as Signer } from "standardwebhooks";

/** Maximum number of requests at the same time. Workspaces share these slots (`mayTakeSlot`). */
const SLOTS = 96;
/** Number of slots for all failing receivers together. */
const FAILING_SLOTS = 8;
/**
 * Slots for a host in a workspace. Each quick answer earns the host one more slot. A slow answer or
 * a failure removes the earned slots.
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
      const sender = { ...setup, workspaceId, webhook };
      const attempt = await sendDelivery(sender, found.row, stopping);
      note(host, attempt);
      await recordAttempt(setup, row, attempt);
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

/** Makes one attempt, without following redirects. Throws only if `signal` is aborted. */
async function sendDelivery(
  { clock, fetch, webhook, ...workspace }: WorkspaceStore & {
    readonly clock: ClockAndIds;
    readonly fetch: SafeFetch;
    readonly webhook: StoredWebhook;
  },
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
  // Only a 2xx status means that the receiver has accepted the event.
  if (status >= 200 && status < 300) return { httpStatus: status, errorCode: null, message: null };
  return { httpStatus: status, errorCode: "http_error", message: `Answered ${status}` };
}
