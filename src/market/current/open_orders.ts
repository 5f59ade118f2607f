/** Keeps the order of sorted lists while they are downloaded. */
import { idText } from "../../base/id.ts";
import { Failure } from "../../base/failure.ts";
import type { MarketOrder } from "../../catalogue/prices/product_market.ts";

const ID_BYTES = 12;
const OPEN_MAX = 4;

interface OpenOrder {
  ids: Uint8Array | null;
  takenAtMs: number;
}

export class OpenOrders {
  readonly #open = new Map<string, Set<OpenOrder>>();

  /** Throws `rate_limited` if the workspace is already reading four lists. */
  async open(
    { workspaceId, now }: { readonly workspaceId: string; now(): Date },
    freeze: () => Promise<Uint8Array>,
  ): Promise<MarketOrder> {
    const nowMs = () => now().getTime();
    const open = this.#open.get(workspaceId) ?? new Set();
    this.#open.set(workspaceId, open);
    for (const order of open) {
      // A reader that pauses longer than this loses its list to new readers.
      if (nowMs() - order.takenAtMs > 120_000) this.#end(workspaceId, order);
    }
    if (open.size >= OPEN_MAX) throw tooMany();
    const order: OpenOrder = { ids: null, takenAtMs: nowMs() };
    open.add(order);
    try {
      order.ids = await freeze();
    } catch (error) {
      this.#end(workspaceId, order);
      throw error;
    }
    return {
      total: order.ids.length / ID_BYTES,
      take: (count) => {
        if (order.ids === null) throw standstill();
        order.takenAtMs = nowMs();
        const part = order.ids.subarray(0, count * ID_BYTES);
        order.ids = order.ids.subarray(part.length);
        return idsOf(part);
      },
      [Symbol.dispose]: () => this.#end(workspaceId, order),
    };
  }

  #end(workspaceId: string, order: OpenOrder): void {
    order.ids = null;
    const open = this.#open.get(workspaceId);
    open?.delete(order);
    if (open?.size === 0) this.#open.delete(workspaceId);
  }
}

function idsOf(bytes: Uint8Array): string[] {
  return Array.from(
    { length: bytes.length / ID_BYTES },
    (_, at) => idText(bytes.subarray(at * ID_BYTES, (at + 1) * ID_BYTES)),
  );
}

function tooMany(): Failure {
  return new Failure(
    "rate_limited",
    `${OPEN_MAX} sorted or filtered lists of this workspace are being read: wait for their end`,
    { retryAfterSeconds: 10 },
  );
}

function standstill(): Failure {
  return new Failure("unavailable", "The list was not read for too long: request it again");
}
