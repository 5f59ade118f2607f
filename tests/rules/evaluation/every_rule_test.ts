import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { withApp } from "../../harness.ts";
import { extent } from "../../proof.ts";
import { ALERT, firesByRule, undercut } from "./fires.ts";
import { addRule, pushJudged, untilJudged } from "./market.ts";

const ROUNDS = extent(20, 2);

withApp.test("a change that waits while a rule is saved is still evaluated by the other rules, including one with ranks", async (app) => {
  const [product = ""] = await undercut(app, 1);
  const first = await addRule(app.owner, { ...ALERT, name: "First" });
  const rank = await addRule(app.owner, {
    ...ALERT,
    name: "Rank",
    when: { trigger: "position_change" },
  });
  await pushJudged(app, [["SKU-0", "zeta", 110]]);
  const before = await firesByRule(app.owner);
  for (let round = 1; round <= ROUNDS; round++) {
    const ourPrice = round % 2 === 1 ? 80 : 100;
    // Both writes run concurrently, so the new rule may be evaluated before the others have seen
    // the new price.
    const [second] = await Promise.all([
      addRule(app.owner, {
        ...ALERT,
        name: `Second ${round}`,
        when: { trigger: "competitor_undercut" },
      }),
      app.owner.change(`/api/products/${product}`, { ourPrice }),
    ]);
    await untilJudged(app);
    const fires = await firesByRule(app.owner);
    assertEquals(fires[rank], (before[rank] ?? 0) + round, `rank in round ${round}`);
    const undercuts = Math.floor(round / 2);
    assertEquals(fires[first], (before[first] ?? 0) + undercuts, `first in round ${round}`);
    await app.owner.change(`/api/rules/${second}`, { enabled: false });
    await untilJudged(app);
  }
});
