/** Adds three rules for six products, and counts the products whose price each rule sets. */
import type { SerialisedRule } from "../../../src/rules/rule_resource.ts";
import { queueStandings } from "../../../src/rules/evaluation/rule_stats.ts";
import type { TestApp } from "../../harness.ts";
import { until } from "../../patience.ts";
import { rulesAppOf } from "./market.ts";

export const MINUTE_MS = 60_000;
export const FLOOR = { marginFloor: { pct: 5 } };

export type CountedRule = Pick<SerialisedRule, "id" | "name" | "standing">;

export const rulesOf = async (app: TestApp): Promise<CountedRule[]> =>
  await app.viewer.read("/api/rules");

/** Waits until the products of each rule are counted again. */
export async function countOwners(app: TestApp): Promise<CountedRule[]> {
  app.clock.advance(MINUTE_MS);
  const takenAt = app.clock.now().toISOString();
  await queueStandings({ store: app.store, clock: app.app.clock }, app.clock.now());
  await until("the products are counted", async () => {
    const rules = await rulesOf(app);
    return rules.some(({ standing }) => (standing?.takenAt ?? "") >= takenAt);
  });
  return await rulesOf(app);
}

/**
 * Adds three Sony and three Bose products at 100.00; all but one Bose have offers at 90.00 and
 * 112.00. The first rule is for Sony only. The second sets the average price, the third 1 % less.
 */
export async function threeRules(tested: TestApp) {
  const app = rulesAppOf(tested);
  const skus = ["S1", "S2", "S3", "B1", "B2", "B3"];
  const made = await app.addProducts(
    skus.map((sku) => ({ sku, brand: sku.startsWith("S") ? "Sony" : "Bose" })),
  );
  const ids = new Map(skus.map((sku, n) => [sku, made[n] ?? ""]));
  const sold = skus.slice(0, 5);
  await app.push(sold.flatMap((sku) => [[sku, "acme", 90], [sku, "best", 112]] as const));
  const sony = { mode: "attribute", matches: { brand: ["Sony"] } };
  const front = await app.addRule({ ...FLOOR, name: "Front", priority: 1, scope: sony });
  const price = (adjust: Record<string, unknown>) => ({
    when: { trigger: "market_index", always: true },
    actions: [{ type: "propose_price", price: { reference: { kind: "average" }, ...adjust } }],
  });
  const middle = await app.addRule({ ...FLOOR, ...price({}), name: "Middle", priority: 2 });
  const below = price({ adjust: { pct: -1 } });
  const last = await app.addRule({ ...FLOOR, ...below, name: "Last", priority: 3 });
  await app.judged();
  return { ids, front, middle, last };
}
