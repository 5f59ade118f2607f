import { everyItem } from "../../api/answers.ts";
import type { Caller } from "../../caller.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { UNDERCUT } from "./market.ts";

export const BRAND = "Markt";
export const ALERT = {
  ...UNDERCUT,
  scope: { mode: "attribute", matches: { brand: BRAND } },
  actions: [{ type: "alert_inapp" }],
};

/** Counts missing and repeated alerts. Each rule should raise exactly one alert per product. */
export async function outcomeOf(
  { kv }: Pick<Store, "kv">,
  rules: readonly string[],
  products: number,
): Promise<{ lost: number; doubled: number }> {
  const alerts = kv.list<{ ruleId: string; productId: string }>({ prefix: ["al"] });
  const fires = (await Array.fromAsync(alerts, ({ value }) => value))
    .flatMap(({ ruleId, productId }) => rules.includes(ruleId) ? `${ruleId} ${productId}` : []);
  const distinct = new Set(fires).size;
  return { lost: rules.length * products - distinct, doubled: fires.length - distinct };
}

export async function firesByRule(owner: Caller): Promise<Record<string, number>> {
  const fires: Record<string, number> = {};
  for (const { ruleId } of await everyItem(owner, "/api/alerts?limit=200")) {
    fires[ruleId] = (fires[ruleId] ?? 0) + 1;
  }
  return fires;
}
