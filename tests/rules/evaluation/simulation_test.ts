import { afterApp, type RulesApp, UNDERCUT, withRules } from "./market.ts";
import { NewRule } from "../../../src/engine/pricing/rule.ts";
import { dirtyQueue, rejudge } from "../../../src/platform/events/outbox_store.ts";
import { type Store, transact } from "../../../src/platform/store/kv.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { toggleRule } from "../../../src/rules/rule_resource.ts";
import { assertWhole, opened } from "../killed_work.ts";
import { listOutcomes } from "../../../src/rules/evaluation/simulation_store.ts";
import { readSimulation, startSimulation } from "../../../src/rules/evaluation/simulations.ts";
import { findRule } from "../../../src/rules/rule.ts";
import type { Context } from "../../../src/platform/store/context.ts";
import { bodyOf, column, refuses, valuesOf } from "../../api/answers.ts";
import { killOnTheWay, runToTheEnd } from "../../killed_process.ts";
import { readSucceeded } from "../../caller.ts";
import { extent } from "../../proof.ts";
import { inFolder } from "../../temporary_folder.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

const DRAFT = { ...UNDERCUT, enabled: false };

async function simulated(app: RulesApp, body: Record<string, unknown>) {
  const started = await app.manager.post("/api/simulations", body);
  const { id } = await bodyOf(Promise.resolve(started), 202);
  assertEquals(started.headers.get("Location"), `/api/simulations/${id}`);
  return { id, ...await readSucceeded(app.viewer, `/api/simulations/${id}`) };
}

const itemsOf = async (app: RulesApp, id: string, query = "") =>
  await app.viewer.read(`/api/simulations/${id}/items?${query}`);

async function market(app: RulesApp): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const sku of ["DEAR", "CHEAP", "SAME", "ALONE", "OTHER"]) {
    ids[sku] = await app.addProduct(sku, { brand: sku === "OTHER" ? "Bose" : "Sony" });
  }
  const prices = { DEAR: 95, CHEAP: 111, SAME: 100, OTHER: 90 };
  await app.push(Object.entries(prices).map(([sku, price]) => [sku, "acme", price]));
  return ids;
}

const SONY = { mode: "attribute", matches: { brand: ["Sony"] } };

withRules.test("a simulation reports for every product of the scope what the rule would do, and changes nothing", async (app) => {
  const ids = await market(app);
  const { result, asOf, progress, id } = await simulated(app, { rule: { ...DRAFT, scope: SONY } });
  assertEquals([asOf, progress], [app.clock.now().toISOString(), { processed: 5, total: 5 }]);
  assertEquals([result.inScope, result.fired, result.up, result.down], [4, 1, 0, 1]);
  assertEquals(result.wouldApply, 0);
  const resting = [["not_fired", 2], ["no_reference", 1]];
  assertEquals(valuesOf(result.resting, "code", "products"), resting);
  // One of four products falls from 100.00 to 95.00, so its margin falls from 50 % to 47.36 %.
  assertEquals(result.margin, { before: 50, after: 49.34, known: 4 });
  assertEquals(result.effect, null);
  // Our 100.00 is 5.26 % above 95.00, and 9.9 % below 111.00. An equal price is at 0 %, the edge
  // between two bins.
  assertEquals(result.gap.edges, [-10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10]);
  assertEquals(result.gap.before, [0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0]);
  assertEquals(result.gap.after, [0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0]);
  assertEquals([result.gap.stored, result.cheapest], [null, { before: 2, stored: null, after: 3 }]);
  assertEquals(result.conflicts, []);
  const { items, count } = await itemsOf(app, id);
  assertEquals(count, 4);
  const { productId, sku, title, outcome, code, currency, ...figures } = items[0];
  const told = [productId, sku, title, outcome, code, currency];
  assertEquals(told, [ids.DEAR, "DEAR", "Product DEAR", "down", null, "EUR"]);
  assertEquals(figures, {
    ...{ currentCents: 10_000, proposedCents: 9_500, changePct: -5 },
    ...{ marginPct: 50, proposedMarginPct: 47.36, effect30dCents: null },
  });
  const first = await itemsOf(app, id, "outcome=rests&sort=sku&limit=2");
  assertEquals(column(first.items, "sku"), ["ALONE", "CHEAP"]);
  const cursor = encodeURIComponent(first.nextCursor);
  const rest = await itemsOf(app, id, `outcome=rests&sort=sku&limit=2&cursor=${cursor}`);
  assertEquals(column(rest.items, "sku"), ["SAME"]);
  assertEquals(rest.nextCursor, null);
  assertEquals((await itemsOf(app, id, "guard=no_reference")).items[0].sku, "ALONE");
  assertEquals(await app.proposals(), []);
});

withRules.test("a simulation uses bounds, other rules, sales, and the stored rule", async (app) => {
  const ids = await market(app);
  const first = await app.addRule({ name: "First", priority: 1, scope: SONY });
  const own = await app.addRule({ name: "Own", priority: 2, marginFloor: { pct: 48 } });
  await app.judged();
  await app.sell({ OTHER: 3 });
  const { result } = await simulated(app, {
    ruleId: own,
    rule: { ...UNDERCUT, name: "Own", priority: 2, marginFloor: { pct: 46 } },
  });
  // The first rule sets the price of DEAR. For OTHER, the floor of 46 % lifts 90.00 to 92.60; the
  // stored rule's floor would lift it to 96.16.
  assertEquals([result.inScope, result.down, result.up], [5, 1, 0]);
  assertEquals(result.conflicts, [{ ruleId: first, products: 1, wins: 1, loses: 0, takesBack: 0 }]);
  assertEquals(result.braked, [{ code: "margin_floor", products: 1 }]);
  // Margins of 3 pieces: (100 − 50) × 3 and (92.60 − 50) × 3; revenues: 100 × 3 and 92.60 × 3.
  assertEquals(result.effect, {
    products: 1,
    before30dCents: 15_000,
    after30dCents: 12_780,
    revenue: { before30dCents: 30_000, after30dCents: 27_780 },
  });
  assertEquals([result.gap.before[11], result.gap.stored[11], result.gap.after[11]], [1, 0, 0]);
  assertEquals([result.gap.stored[9], result.gap.after[7]], [1, 1]);
  assertEquals(await app.priceOf(ids.OTHER ?? ""), 10_000);
});

withRules.test("a simulated rule can be applied at once, unless it has changed since; its simulation is kept for a day", async (app) => {
  await market(app);
  const id = await app.addRule({ enabled: false });
  const done = await simulated(app, { ruleId: id, rule: UNDERCUT });
  const apply = (simulationId: string) =>
    app.manager.post(`/api/rules/${id}/apply`, { simulationId });
  await refuses(apply(done.id), "conflict");
  await app.owner.act(`/api/rules/${id}/toggle`);
  const made = await app.proposals("status=open");
  assertEquals(made.length, 2);
  const rejection = { action: "reject", ids: made.map((proposal) => proposal.id) };
  await app.owner.act("/api/proposals/bulk", rejection);
  assertEquals(await app.proposals("status=open"), []);
  // The products have not changed, so only `apply` can queue them.
  assertEquals(await bodyOf(apply(done.id), 202), { status: "queued", products: 5, moves: 2 });
  assertEquals((await app.proposals("status=open")).length, 2);
  const log = await app.owner.read("/api/audit-logs?action=rule.apply");
  assertEquals(column(log.items, "after"), [{ moves: 2 }]);
  await app.owner.change(`/api/rules/${id}`, { marginFloor: { pct: 10 } });
  await refuses(apply(done.id), "conflict");
  const unknown = "0".repeat(24);
  const simulate = app.manager.post("/api/simulations", { rule: DRAFT, ruleId: unknown });
  for (const refused of [apply(unknown), simulate]) await refuses(refused, "not_found");
  const path = `/api/simulations/${done.id}`;
  await refuses(app.manager.post(`${path}/cancel`), "conflict");
  app.clock.advance(25 * 3_600_000);
  for (const gone of [path, `${path}/items`]) await refuses(app.owner.get(gone), "not_found");
});

const STEPS = extent(20, 6);
const PER_STEP = 15;

async function catalogueAtRest(dataDir: string) {
  const store = await openStore({ kvUrl: null, dataDir }, 60_000);
  return await afterApp({ store }, async (app) => {
    const skus = Array.from({ length: STEPS * PER_STEP }, (_, n) => `SKU-${n}`);
    await app.addProducts(skus.map((sku, n) => ({ sku, brand: n % 2 === 0 ? "Sony" : "Bose" })));
    await app.push(skus.map((sku, n) => [sku, "acme", 80 + n % 40]));
    return { ruleId: await app.addSilentRule({ scope: SONY }) };
  });
}

const CHILD = new URL("./jobs_child.ts", import.meta.url).pathname;
const argsFor = (dataDir: string, { workspaceId, now }: Context, perStep: number) => {
  return [dataDir, workspaceId, now().toISOString(), String(perStep)];
};
const DRAFTED = NewRule.parse({ ...DRAFT, scope: SONY });

const KILLS = extent(20, 2);
const PER_KILLED_STEP = 3;

inFolder.test(`a simulation that is killed ${KILLS} times has the same result as an undisturbed one, without lost progress`, async (folder) => {
  const { ctx } = await catalogueAtRest(folder.path);
  const undisturbed = await startSimulation(ctx, { rule: DRAFTED });
  const argsOf = (perStep: number) => argsFor(folder.path, ctx, perStep);
  ctx.store.kv.close();
  assertEquals(await runToTheEnd({ path: CHILD, args: argsOf(PER_STEP) }), 0);
  const openedAgain = <T>(work: (on: typeof ctx) => Promise<T>): Promise<T> =>
    opened(folder.path, (again) => work({ ...ctx, store: again }));
  const disturbed = await openedAgain((on) => startSimulation(on, { rule: DRAFTED }));
  const progress: number[] = [];
  await killOnTheWay({
    path: CHILD,
    args: argsOf(PER_KILLED_STEP),
    kills: KILLS,
    // A process claims the job and makes a few steps in four commits.
    commitsMax: 4,
    ended: async () => {
      const seen = await openedAgain((on) => readSimulation(on, disturbed.id));
      progress.push(seen.progress.processed);
    },
  });
  assertEquals(progress, progress.toSorted((a, b) => a - b));
  assertEquals([progress.length, progress.at(-1)], [KILLS + 1, STEPS * PER_STEP]);
  ok(new Set(progress).size > KILLS / 2, JSON.stringify(progress));
  await openedAgain(async (after) => {
    const ends = await Promise.all([undisturbed.id, disturbed.id].map(async (id) => ({
      result: (await readSimulation(after, id)).result,
      outcomes: await listOutcomes(after, id),
    })));
    assertEquals(ends[1], ends[0]);
    assertEquals(ends[0]?.outcomes.length, STEPS * PER_STEP / 2);
    await assertWhole(after);
  });
});

inFolder.test("the products of a rule are queued once, however often that is interrupted", async (folder) => {
  const { ctx, ruleId } = await catalogueAtRest(folder.path);
  const found = await findRule(ctx, ruleId);
  ok(found);
  await transact(ctx, (write) => {
    rejudge(write, ctx, { by: "rule", ruleId, version: found.rule.version });
  });
  ctx.store.kv.close();
  const args = argsFor(folder.path, ctx, PER_KILLED_STEP);
  // Claiming the job needs two commits, so some kills come before the first step is stored.
  await killOnTheWay({ path: CHILD, args, kills: KILLS, commitsMax: 4 });
  const list = (last: Store) => Array.fromAsync(dirtyQueue.list(last, [ctx.workspaceId]));
  const rows = await opened(folder.path, list);
  const ids = rows.flatMap(({ value }) => value.productIds);
  assertEquals([ids.length, new Set(ids).size], [STEPS * PER_STEP / 2, STEPS * PER_STEP / 2]);
  assertEquals(new Set(rows.map(({ value }) => value.stamp)), new Set([found.versionstamp]));
});

inFolder.test("a change of another rule during a simulation ends it, so that results are never mixed", async (folder) => {
  const { ctx, ruleId } = await catalogueAtRest(folder.path);
  const { id } = await startSimulation(ctx, { rule: DRAFTED });
  await toggleRule(ctx, ruleId);
  ctx.store.kv.close();
  const args = argsFor(folder.path, ctx, PER_STEP);
  assertEquals(await runToTheEnd({ path: CHILD, args }), 0);
  const read = (last: Store) => readSimulation({ ...ctx, store: last }, id);
  const { status, error } = await opened(folder.path, read);
  assertEquals([status, error?.code], ["failed", "version_conflict"]);
});
