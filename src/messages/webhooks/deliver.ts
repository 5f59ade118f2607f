import { mayTakeSlot } from "../../platform/fair_queue.ts";
import { type Courier, type Ready, Sender } from "../../platform/jobs/sender.ts";
import { waitInLine } from "./line_store.ts";
import { endUnsent, recordAttempt } from "./record_attempt.ts";
import { type DeliverySetup, sendDelivery } from "./send_delivery.ts";
import type { StoredWebhook } from "./webhook.ts";
import { deliveries, type DueDelivery, dueQueue, webhooks } from "./webhook_store.ts";

/** Workspaces share them: see `mayTakeSlot`. */
const SLOTS = 32;
/** Receivers that failed last may hold so many slots, so that healthy ones never wait for them. */
const FAILING_SLOTS = 8;
/** Slots of one host per workspace: other workspaces need not wait for its slow path. */
const SLOTS_PER_HOST = 4;

interface ReadyDelivery extends Ready<DueDelivery> {
  readonly workspaceId: string;
  readonly webhook: StoredWebhook;
}

/** Sends deliveries to their receivers, in the order of each product. */
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
