import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { startTestApp, type TestApp, withApp } from "../../harness.ts";
import { pause, until } from "../../patience.ts";
import { extent } from "../../proof.ts";
import {
  ALERT,
  type Fires,
  firesByRule,
  firesOf,
  lastAlert,
  outcomeOf,
  undercut,
} from "./fires.ts";
import { type Load, LOAD_SETTINGS, LOADED, startLoad } from "./load.ts";
import { addProduct, addRule, pushJudged, untilJudged } from "./market.ts";

const ROUNDS = extent(20, 2);
const LOADED_ROUNDS = extent(20, 1);
const PRODUCTS = extent(3_000, 60);
const RULES = 4;
const POLL_MS = 250;
/** Time between two pushes, short enough that no price becomes stale. */
const PUSH_MS = 100;

async function startLoadedApp(): Promise<{ app: TestApp; load(): Load }> {
  const app = await startTestApp({ env: LOAD_SETTINGS });
  for (const sku of LOADED) await addProduct(app.owner, sku);
  const pusher = await app.key(["observations:write"]);
  const now = () => {
    app.clock.advance(PUSH_MS);
    return app.clock.now();
  };
  return { app, load: () => startLoad({ reader: app.owner, pusher, now }) };
}

/**
 * Saves rules one after another under load, and calls `between` after each. Waits until each rule
 * has fired for each product, or until a timeout. Then disables the rules.
 */
async function roundOf(
  { app, load }: Awaited<ReturnType<typeof startLoadedApp>>,
  products: number,
  between: (n: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<{ rules: readonly string[]; fires: Fires }> {
  const before = await lastAlert(app.store);
  const running = load();
  await running.begun;
  const rules: string[] = [];
  for (let n = 0; n < RULES; n++) {
    rules.push(await addRule(app.owner, { ...ALERT, name: `Rule ${n}` }));
    await between(n);
  }
  await until("every rule has fired for each product", async () => {
    await pause(POLL_MS);
    return outcomeOf(await firesOf(app.store, before), rules, products).lost === 0;
  });
  await running.stop();
  await untilJudged(app);
  for (const id of rules) {
    await app.owner.change(`/api/rules/${id}`, { enabled: false });
  }
  await untilJudged(app);
  return { rules, fires: await firesOf(app.store, before) };
}

const NOTHING_WRONG = { lost: 0, doubled: 0 };

Deno.test(`under load, a rule that is saved while another is evaluated fires once for each of ${PRODUCTS} products (${LOADED_ROUNDS} rounds)`, async () => {
  const scene = await startLoadedApp();
  await using app = scene.app;
  const ids = await undercut(app, PRODUCTS);
  for (let round = 0; round < LOADED_ROUNDS; round++) {
    // A product is changed when the earlier rules have evaluated about half of all products. All
    // rules must then evaluate the changed product.
    const { rules, fires } = await roundOf(scene, PRODUCTS, async (n) => {
      const ourPrice = (round % 2 === 0 ? 99 : 98.5) - n;
      await app.owner.change(`/api/products/${ids[n]}`, { ourPrice });
    });
    // A rule may evaluate a changed product twice: for the change, and because the rule is new.
    const changed = ids.slice(0, RULES);
    const mayBeTwice = (rule: string, product: string) =>
      changed.indexOf(product) >= rules.indexOf(rule);
    assertEquals(outcomeOf(fires, rules, PRODUCTS, mayBeTwice), NOTHING_WRONG, `round ${round}`);
  }
});

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
