import { sha256 } from "../../base/bytes.ts";
import { eventBody } from "../../platform/events/event.ts";
import { z } from "@hono/zod-openapi";

const Attempt = z.object({
  at: z.iso.datetime(),
  httpStatus: z.int().nullable().describe("Null if there was no answer"),
  errorCode: z.string().nullable(),
  message: z.string().nullable(),
  durationMs: z.int(),
}).meta({ id: "DeliveryAttempt" });

export type Attempt = z.infer<typeof Attempt>;

export const Delivery = z.object({
  id: z.string(),
  eventId: z.string().describe("Sent as `webhook-id`, the same in every attempt"),
  type: z.string().meta({ description: "The type of the event", example: "price.changed" }),
  status: z.enum(["pending", "delivered", "failed"]).describe(
    "`pending`: it will be tried, or waits for an earlier event of its product; " +
      "`failed`: it was given up",
  ),
  attempts: z.array(Attempt).describe("The last 20 attempts"),
  nextAttemptAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
}).meta({ id: "Delivery" });

export type Delivery = z.infer<typeof Delivery>;

/** `body` is stored so that every attempt signs and sends the same text. */
export interface StoredDelivery extends Delivery {
  readonly webhookId: string;
  readonly body: string;
}

const ATTEMPTS_KEPT = 20;
/** Event with which a person tests a webhook. This event is sent only once. */
export const TEST_TYPE = "webhook.test";

/** The id is derived from event and webhook, so an event has one delivery per webhook. */
export function newDelivery(
  webhookId: string,
  { eventId, type, at, data }: {
    readonly eventId: string;
    readonly type: string;
    readonly at: string;
    readonly data: unknown;
  },
): StoredDelivery {
  const hash = sha256(`${eventId} ${webhookId}`);
  return {
    webhookId,
    id: eventId.slice(0, 8) + hash.slice(0, 8).toHex(),
    eventId,
    type,
    status: "pending",
    attempts: [],
    nextAttemptAt: at,
    createdAt: at,
    finishedAt: null,
    body: JSON.stringify(eventBody(type, at, data)),
  };
}

export function serialiseDelivery(
  { body: _, webhookId: _webhookId, ...delivery }: StoredDelivery,
): Delivery {
  return delivery;
}

/** After the last attempt, `nextAttemptAt` is null. */
export function withAttempt(
  delivery: StoredDelivery,
  attempt: Attempt,
  { isDelivered, nextAttemptAt }: {
    readonly isDelivered: boolean;
    readonly nextAttemptAt: string | null;
  },
): StoredDelivery {
  const isOver = isDelivered || nextAttemptAt === null;
  return {
    ...delivery,
    status: isDelivered ? "delivered" : isOver ? "failed" : "pending",
    attempts: [...delivery.attempts, attempt].slice(-ATTEMPTS_KEPT),
    nextAttemptAt: isOver ? null : nextAttemptAt,
    finishedAt: isOver ? attempt.at : null,
  };
}
