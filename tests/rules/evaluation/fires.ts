import { bodyOf } from "../../api/answers.ts";
import type { Caller } from "../../caller.ts";
import type { TestApp } from "../../harness.ts";
import { addProduct, push, UNDERCUT, untilJudged } from "./market.ts";

export const ALERT = { ...UNDERCUT, actions: [{ type: "alert_inapp" }] };

/** How many in-app alerts each rule has raised, by its id. */
export async function firesByRule(owner: Caller): Promise<Record<string, number>> {
  const fires: Record<string, number> = {};
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: { items: readonly { ruleId: string }[]; nextCursor: string | null } = await bodyOf(
      owner.get(`/api/alerts?limit=200&cursor=${cursor}`),
      200,
    );
    for (const { ruleId } of page.items) fires[ruleId] = (fires[ruleId] ?? 0) + 1;
    cursor = page.nextCursor;
  }
  return fires;
}

/** Products at 100.00, each undercut by one shop, all judged. */
export async function undercut(app: TestApp, count: number): Promise<string[]> {
  const skus = Array.from({ length: count }, (_, n) => `SKU-${n}`);
  const ids: string[] = [];
  for (let at = 0; at < count; at += 20) {
    const some = skus.slice(at, at + 20);
    ids.push(...await Promise.all(some.map((sku) => addProduct(app.owner, sku))));
  }
  for (let at = 0; at < count; at += 500) {
    await push(app, skus.slice(at, at + 500).map((sku) => [sku, "acme", 90]));
  }
  await untilJudged(app);
  return ids;
}
