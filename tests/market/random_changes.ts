/** Pseudo-random changes of all kinds that affect the market, equal in every run. */
import { HOUR_MS } from "../../src/base/time.ts";
import type { TestApp } from "../harness.ts";

export const SHOPS = ["acme", "bolt", "cord", "dent"];

/** Returns a generator of pseudo-random integers below a bound. */
export function chanceFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

/**
 * Changes products, whose SKUs are `S-` and their index in `ids`. Returns the number of changes.
 */
export async function changeSomething(
  app: TestApp,
  ids: readonly string[],
  chance: (below: number) => number,
): Promise<number> {
  const { owner, clock } = app;
  const at = chance(ids.length);
  const id = ids[at]!;
  const path = `/api/products/${id}`;
  const kind = chance(40);
  if (kind < 20) {
    const ourPrice = chance(10) === 0 ? null : (9_000 + chance(2_000)) / 100;
    await (await owner.patch(path, { ourPrice })).body?.cancel();
  } else if (kind < 34) {
    clock.advance(60_000);
    const observations = Array.from({ length: 20 }, () => {
      const n = chance(ids.length);
      return {
        sku: `S-${n}`,
        url: `https://${SHOPS[chance(SHOPS.length)]}.example/${n}`,
        price: (9_000 + chance(2_000)) / 100,
        currency: "EUR",
        inStock: chance(6) !== 0,
        observedAt: clock.now().toISOString(),
      };
    });
    const key = await app.key(["observations:write"]);
    await key.act("/api/public/v1/observations", { observations });
    return observations.length;
  } else if (kind < 37) {
    const deleted = await owner.delete(path);
    await deleted.body?.cancel();
    if (!deleted.ok || chance(3) === 0) {
      await (await owner.post(`${path}/restore`)).body?.cancel();
    }
  } else if (kind < 39) {
    const query = `productId=${id}`;
    const { items: [match] } = await owner.read(`/api/competitor-products?${query}`);
    if (!match) return 0;
    const patch = { enabled: chance(4) !== 0, packFactor: 1 + chance(3), matchType: "equivalent" };
    await owner.change(`/api/competitor-products/${match.id}`, patch);
  } else {
    clock.advance(HOUR_MS);
    await owner.change("/api/settings", { vatRatePct: [7, 19][chance(2)] });
  }
  return 1;
}
