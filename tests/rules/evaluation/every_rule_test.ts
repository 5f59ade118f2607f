import { withRules } from "./market.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { extent } from "../../proof.ts";
import { ALERT, firesByRule, undercut } from "./fires.ts";

const ROUNDS = extent(20, 2);

withRules.test("a change that waits while a rule is saved is still evaluated by the other rules, including one with ranks", async (app) => {
  const [product = ""] = await undercut(app, 1);
  const first = await app.addRule({ ...ALERT, name: "First" });
  const rank = await app.addRule({ ...ALERT, when: { trigger: "position_change" } });
  await app.push([["SKU-0", "zeta", 110]]);
  const before = await firesByRule(app.owner);
  for (let round = 1; round <= ROUNDS; round++) {
    const ourPrice = round % 2 === 1 ? 80 : 100;
    // The rule and the price are written at the same time, so either may be evaluated first.
    const [second] = await Promise.all([
      app.addRule({ ...ALERT, name: `Second ${round}` }),
      app.owner.change(`/api/products/${product}`, { ourPrice }),
    ]);
    await app.judged();
    const fires = await firesByRule(app.owner);
    assertEquals(fires[rank], (before[rank] ?? 0) + round, `rank in round ${round}`);
    const undercuts = Math.floor(round / 2);
    assertEquals(fires[first], (before[first] ?? 0) + undercuts, `first in round ${round}`);
    await app.owner.change(`/api/rules/${second}`, { enabled: false });
    await app.judged();
  }
});
