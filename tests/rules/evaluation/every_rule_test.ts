/** Every rule fires once for each fact that it has not judged yet, whatever is saved or pushed meanwhile. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../../api/answers.ts";
import { startTestApp } from "../../harness.ts";
import { extent } from "../../proof.ts";
import { ALERT, firesByRule, undercut } from "./fires.ts";
import { addRule, push, untilJudged } from "./market.ts";

const ROUNDS = extent(20, 3);
const PRODUCTS = extent(3_000, 300);
const RULES = 4;

Deno.test(`four rules saved one after the other fire once each for one product, ${ROUNDS} times`, async () => {
  await using app = await startTestApp();
  await undercut(app, 1);
  const expected: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < RULES; n++) {
      const id = await addRule(app.owner, { ...ALERT, name: `${round}-${n}` });
      expected[id] = 1;
    }
    await untilJudged(app);
    assertEquals(await firesByRule(app.owner), expected, `round ${round}`);
    for (const id of Object.keys(expected)) {
      await bodyOf(app.owner.patch(`/api/rules/${id}`, { enabled: false }), 200);
    }
    await untilJudged(app);
  }
});

Deno.test("a rule saved while another one is judged fires for each of its products, as a push does", async () => {
  await using app = await startTestApp();
  const ids = await undercut(app, PRODUCTS);
  const rules: string[] = [];
  for (let n = 0; n < RULES; n++) {
    rules.push(await addRule(app.owner, { ...ALERT, name: `Rule ${n}` }));
    // The rules before are in the middle of their products; changed products are news for all.
    const product = ids[n]!;
    await bodyOf(app.owner.patch(`/api/products/${product}`, { ourPrice: 99 - n }), 200);
  }
  await untilJudged(app);
  const fires = await firesByRule(app.owner);
  for (const [n, id] of rules.entries()) {
    // Its own save, and the change of a product that it had judged already.
    const times = fires[id] ?? 0;
    const most = PRODUCTS + RULES - n;
    assertEquals(times >= PRODUCTS && times <= most, true, `rule ${n} fired ${times} times`);
  }
});

Deno.test("a change that waits while a rule is saved is news for the others still, ranks included", async () => {
  await using app = await startTestApp();
  const [product = ""] = await undercut(app, 1);
  const first = await addRule(app.owner, { ...ALERT, name: "First" });
  const rank = await addRule(app.owner, {
    ...ALERT,
    name: "Rank",
    when: { trigger: "position_change" },
  });
  await push(app, [["SKU-0", "zeta", 110]]);
  await untilJudged(app);
  const before = await firesByRule(app.owner);
  for (let round = 1; round <= ROUNDS; round++) {
    const ourPrice = round % 2 === 1 ? 80 : 100;
    // In one go: whichever is judged first, the other rules have seen nothing by it.
    const [second] = await Promise.all([
      addRule(app.owner, {
        ...ALERT,
        name: `Second ${round}`,
        when: { trigger: "competitor_undercut" },
      }),
      bodyOf(app.owner.patch(`/api/products/${product}`, { ourPrice }), 200),
    ]);
    await untilJudged(app);
    const fires = await firesByRule(app.owner);
    assertEquals(fires[rank], (before[rank] ?? 0) + round, `rank in round ${round}`);
    const undercuts = Math.floor(round / 2);
    assertEquals(fires[first], (before[first] ?? 0) + undercuts, `first in round ${round}`);
    await bodyOf(app.owner.patch(`/api/rules/${second}`, { enabled: false }), 200);
    await untilJudged(app);
  }
});
