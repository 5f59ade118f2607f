import type { FetchResult, SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import type { SenderSetup } from "../../platform/jobs/sender.ts";
import type { ClockAndIds } from "../../platform/store/context.ts";
import type { AlertDeps } from "../alerts/raise_alert.ts";
import type { Attempt, StoredDelivery } from "./delivery.ts";
import type { StoredWebhook } from "./webhook.ts";
import { Webhook as Signer } from "standardwebhooks";

const TIMEOUT_MS = 15_000;
/** Longer answers of a receiver are not read; none is kept. */
const ANSWER_BYTES_MAX = 1_024;
const encoder = new TextEncoder();

/**
 * One signed POST (Standard Webhooks: headers, HMAC-SHA256 over id, time and body). Redirects are
 * not followed. Only an abort is thrown; everything else is an attempt with its outcome.
 */
export async function sendDelivery(
  { clock, fetch }: { readonly clock: ClockAndIds; readonly fetch: SafeFetch },
  { url, secret }: Pick<StoredWebhook, "url" | "secret">,
  { eventId, body: text }: StoredDelivery,
  signal: AbortSignal,
): Promise<Attempt> {
  const at = clock.now();
  const body = encoder.encode(text);
  const startedMs = performance.now();
  const result = await fetch({
    url,
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "webhook-id": eventId,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Signer(secret).sign(eventId, at, text),
    },
    body,
    timeoutMs: TIMEOUT_MS,
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

/** Only a 2xx says that the event has arrived. */
function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Dependencies of the sender. */
export interface DeliverySetup extends SenderSetup {
  /** The guarded way out; no other is taken. */
  readonly fetch: SafeFetch;
  readonly alerts: AlertDeps;
}
