import { mayTakeSlot } from "../../platform/fair_queue.ts";
import { longestRestMs } from "../../platform/jobs/job_timing.ts";
import { transact } from "../../platform/store/kv.ts";
import { walkDue, WalkTurns } from "../../platform/store/row_queue_store.ts";
import { waitInLine } from "./line_store.ts";
import { endUnsent, recordAttempt } from "./record_attempt.ts";
import { type DeliverySetup, sendDelivery } from "./send_delivery.ts";
import type { StoredWebhook } from "./webhook.ts";
import { deliveries, type DueDelivery, dueQueue, type DueRow, webhooks } from "./webhook_store.ts";

/** Workspaces share them: see `mayTakeSlot`. */
const SLOTS = 32;
/** Receivers that failed last may hold so many slots, so that healthy ones never wait for them. */
const FAILING_SLOTS = 8;
/** Slots of one host per workspace: other workspaces need not wait for its slow path. */
const SLOTS_PER_HOST = 4;
/** Longer than a try may take; after a crash another process tries again then. */
const LEASE_MS = 60_000;

/** The clocks of two processes may differ by a lease: what one has in hand the other leaves alone. */
const restMsMax = ({ failures }: DueDelivery) => 2 * LEASE_MS + longestRestMs(failures);

interface Hand {
  readonly workspaceId: string;
  readonly host: string;
  readonly isFailing: boolean;
  readonly done: Promise<void>;
}

/** Sends what is due, several at a time. One per process; `ended` hears when a slot is free again. */
export class Deliverer {
  readonly #setup: DeliverySetup;
  readonly #ended: () => void;
  readonly #hands = new Set<Hand>();
  readonly #turns = new WalkTurns();

  constructor(setup: DeliverySetup, ended: () => void = () => {}) {
    this.#setup = setup;
    this.#ended = ended;
  }

  /** Begins what is due and has room; answers in how many milliseconds something else is due. */
  async round(stopping: AbortSignal): Promise<number | null> {
    const { store, clock } = this.#setup;
    const now = () => clock.now();
    let nextMs = Infinity;
    const waits = (dueMs: number) => nextMs = Math.min(nextMs, dueMs);
    const walk = { store, turns: this.#turns, now, waits, restMsMax };
    if (stopping.aborted || this.#hands.size >= SLOTS) return null;
    for await (const row of walkDue(dueQueue, walk)) {
      await this.#take(row, stopping);
      // Checked before the walk counts a turn that could not be served.
      if (stopping.aborted || this.#hands.size >= SLOTS) break;
    }
    return nextMs === Infinity ? null : nextMs - now().getTime();
  }

  /** Resolves when everything that was begun has ended. */
  async drain(): Promise<void> {
    await Promise.all([...this.#hands].map(({ done }) => done));
  }

  async #take(row: DueRow, stopping: AbortSignal): Promise<void> {
    const { store } = this.#setup;
    const [workspaceId = "", webhookId = ""] = row.lane;
    const found = await webhooks.find({ store, workspaceId }, { id: webhookId });
    if (!found?.row.enabled) return await endUnsent(this.#setup, row, found !== null);
    const { row: webhook } = found;
    if (!this.#hasRoom(workspaceId, webhook)) return;
    const claimed = await claim(this.#setup, row);
    if (claimed) this.#begin(claimed, webhook, stopping);
  }

  #hasRoom(workspaceId: string, { url, failingSince }: StoredWebhook): boolean {
    const { host } = new URL(url);
    const hands = [...this.#hands];
    const own = hands.filter((hand) => hand.workspaceId === workspaceId);
    const isShared = (all: readonly Hand[], mine: readonly Hand[], slots: number) =>
      mayTakeSlot(mine.length, slots - all.length);
    if (own.filter((hand) => hand.host === host).length >= SLOTS_PER_HOST) return false;
    if (!isShared(hands, own, SLOTS)) return false;
    const failing = (some: readonly Hand[]) => some.filter(({ isFailing }) => isFailing);
    return failingSince === null || isShared(failing(hands), failing(own), FAILING_SLOTS);
  }

  #begin(row: DueRow, webhook: StoredWebhook, stopping: AbortSignal): void {
    const done = tryDelivery(this.#setup, row, webhook, stopping)
      .catch((error: unknown) => {
        // The row comes back when the lease is over.
        const [workspaceId, webhookId] = row.lane;
        const facts = { workspaceId, webhookId, deliveryId: row.id };
        this.#setup.log.error("delivery left without a word", { ...facts, error });
      })
      .finally(() => {
        this.#hands.delete(hand);
        this.#ended();
      });
    const [workspaceId = ""] = row.lane;
    const hand = {
      workspaceId,
      host: new URL(webhook.url).host,
      isFailing: webhook.failingSince !== null,
      done,
    };
    this.#hands.add(hand);
  }
}

/** Null when another process was faster, or an earlier event of the product is still on its way. */
async function claim(setup: DeliverySetup, row: DueRow): Promise<DueRow | null> {
  const untilMs = setup.clock.now().getTime() + LEASE_MS;
  const isOurs = await transact(setup, async (write) => {
    const found = await dueQueue.findAgain(setup.store, row);
    if (!found || await waitInLine(setup.store, write, found)) return false;
    dueQueue.move(write, found, untilMs, { ...found.value, isInHand: true });
    return true;
  });
  return isOurs ? await dueQueue.findAgain(setup.store, { ...row, dueMs: untilMs }) : null;
}

async function tryDelivery(
  setup: DeliverySetup,
  row: DueRow,
  webhook: StoredWebhook,
  stopping: AbortSignal,
): Promise<void> {
  const [workspaceId = ""] = row.lane;
  const key = { webhookId: webhook.id, id: row.id };
  const found = await deliveries.find({ ...setup, workspaceId }, key);
  if (!found) return await endUnsent(setup, row, false);
  try {
    const attempt = await sendDelivery(setup, webhook, found.row, stopping);
    await recordAttempt(setup, row, attempt);
  } catch (error) {
    if (!stopping.aborted) throw error;
    await giveBack(setup, row);
  }
}

/** When the process stops, the lease ends at once so that the next process need not wait. */
async function giveBack(setup: DeliverySetup, row: DueRow): Promise<void> {
  await transact(setup, async (write) => {
    const found = await dueQueue.findAgain(setup.store, row);
    if (!found) return;
    const dueMs = setup.clock.now().getTime();
    dueQueue.move(write, found, dueMs, { ...found.value, isInHand: false });
  });
}
