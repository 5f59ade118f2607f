/** Pushes prices to a workspace in a store that can discard some tables. */
import { findOffers } from "../../src/shops/offers/offer_store.ts";
import { addMoves, type Move, movesBetween } from "../../src/shops/observations/move_store.ts";
import { PushCache, pushObservations } from "../../src/shops/push/record_rows.ts";
import { noteProduct } from "../../src/catalogue/products/change_log_store.ts";
import { listDocuments } from "../../src/catalogue/products/product_store.ts";
import { MeasuredWrite, type Store } from "../../src/platform/store/kv.ts";
import { startTestApp } from "../harness.ts";
import { NOTHING_ALLOWED } from "../nothing_allowed.ts";
import { costMs } from "../processor_time.ts";
import { leaving } from "./leaving_store.ts";
import { contextOf, seedOffers } from "./seed_offers.ts";

const PRODUCTS = 2_000;
const SHOPS = 4;
const PER_COMMIT = 150;

const MAKING_ROUNDS = 20;

/** The prices that a push changes. */
type Moving = "no price" | "every price";

interface Pusher extends AsyncDisposable {
  readonly rows: number;
  /** Pushes the price of one shop for each product. */
  push(moving: Moving): Promise<void>;
  /** Thread time for creating the rows of log and moves that a push adds. */
  makingMs(moving: Moving): number;
}

/** `left` lists the key prefixes of discarded tables. */
export async function pusher(store: Store, left: readonly string[]): Promise<Pusher> {
  const app = await startTestApp({ store: leaving(store, left) });
  const ctx = contextOf(app);
  await seedOffers(ctx, { products: PRODUCTS, shops: SHOPS });
  const ids = (await listDocuments(ctx, null, PRODUCTS)).map(({ id }) => id);
  const offers = (await findOffers(ctx, ids[0] ?? "")).offers;
  const memory = new PushCache();
  const prices = new Array<number>(SHOPS).fill(8_000);
  let count = 0;
  const push = async (moving: Moving) => {
    app.clock.advance(60_000);
    const shop = count++ % SHOPS;
    const cents = (prices[shop] ?? 0) + (moving === "every price" ? 1 : 0);
    prices[shop] = cents;
    const observations = ids.map((_, n) => ({
      sku: `SKU-${String(n).padStart(7, "0")}`,
      url: `https://pushed-${shop}.example/${n}`,
      price: cents / 100,
      currency: "EUR",
      inStock: true,
      observedAt: app.clock.now().toISOString(),
    }));
    for (const half of [observations.slice(0, PRODUCTS / 2), observations.slice(PRODUCTS / 2)]) {
      const told = { allowed: NOTHING_ALLOWED, cache: memory };
      const { rejected } = await pushObservations(ctx, { observations: half }, told);
      if (rejected > 0) throw new Error("A row of the bench was refused");
    }
  };
  // The first pushes create links and shops, so they are not measured.
  for (let shop = 0; shop < SHOPS; shop++) await push("no price");
  return {
    rows: PRODUCTS,
    push,
    makingMs(moving) {
      const make = () => makeRows(moving === "every price");
      return costMs(() => Array.from({ length: MAKING_ROUNDS }, make)) / MAKING_ROUNDS;
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };

  /** Creates the rows of a push in commits that are never executed. */
  function makeRows(isMoving: boolean): void {
    const [before = null] = offers;
    for (let from = 0; from < ids.length; from += PER_COMMIT) {
      const write = new MeasuredWrite(store);
      const moves: Move[] = [];
      for (const id of ids.slice(from, from + PER_COMMIT)) {
        noteProduct(write, app.workspaceId, id);
        if (before === null) continue;
        const seen = { ...before, observedAtMs: (before.observedAtMs ?? 0) + 1 };
        const after = isMoving ? { ...seen, priceCents: (before.priceCents ?? 0) + 1 } : seen;
        moves.push(...movesBetween(id, { before: offers, after: [after, ...offers.slice(1)] }));
      }
      addMoves(write, ctx, moves);
      write.seal();
    }
  }
}
