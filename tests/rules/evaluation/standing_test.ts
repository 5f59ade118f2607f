import { afterApp, type RulesApp, withRules } from "./market.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { queueStandings, standings } from "../../../src/rules/evaluation/rule_stats.ts";
import { until } from "../../patience.ts";
import { killOnTheWay } from "../../killed_process.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { assertWhole, opened } from "../killed_work.ts";
import { inFolder } from "../../temporary_folder.ts";
import {
  type CountedRule,
  countOwners,
  FLOOR,
  MINUTE_MS,
  rulesOf,
  threeRules,
} from "./owned_prices.ts";

/** Counts a rule's products from each product's decision, to compare with the stored counts. */
async function countedPlainly(app: RulesApp, ids: Iterable<string>, { id: ruleId }: CountedRule) {
  // The last rule decides on all products, so its trace names the rules that precede it.
  const traces = await Array.fromAsync(ids, async (id) => (await app.decisions(id)).at(-1).trace);
  const isOwn = (one: { ruleId: string } | null) => one?.ruleId === ruleId;
  const behind: { by: { ruleId: string } }[] = traces.flatMap(({ behind }) => behind.filter(isOwn));
  const fronts = new Set(behind.map(({ by }) => by.ruleId));
  return [traces.filter(({ owner }) => isOwn(owner)).length, behind.length, fronts.size];
}

withRules.test("the list of rules shows how many prices each rule owns and which rules precede it, in agreement with each product", async (app) => {
  const { ids, front, middle, last } = await threeRules(app);
  assertEquals((await rulesOf(app)).map(({ standing }) => standing), [null, null, null]);
  const figures = ({ standing: counts }: CountedRule) =>
    counts && [counts.owns, counts.behind, counts.fronts];
  const rules = await countOwners(app);
  for (const rule of rules) {
    assertEquals(figures(rule), await countedPlainly(app, ids.values(), rule), rule.name);
  }
  // The first rule sets the price of three Sonys, and the second that of two Boses. Both precede
  // the last rule, which therefore sets none.
  assertEquals(rules.map(figures), [[3, 0, 0], [2, 3, 1], [0, 5, 2]]);
  const inFront = [{ ruleId: front, products: 3 }, { ruleId: middle, products: 2 }];
  assertEquals(rules[2]?.standing?.inFront, inFront);
  assertEquals(rules[0]?.standing?.reached, 0);
  const single = await app.viewer.read(`/api/rules/${last}`);
  assertEquals(single.standing, rules[2]?.standing);
  const key = await app.key(["rules:read"]);
  const { data } = await key.read("/api/public/v1/rules");
  assertEquals(data.map(figures), rules.map(figures));
});

withRules.test("accepted prices stay with their rule, and a disabled rule has no counts", async (app) => {
  const { front, middle } = await threeRules(app);
  const open = await app.proposals("status=open");
  assertEquals(open.length, 5);
  for (const { id } of open) await app.manager.act(`/api/proposals/${id}/approve`);
  await app.judged();
  const named = async () => {
    const rules = await countOwners(app);
    return new Map(rules.map(({ id, standing }) => [id, standing]));
  };
  const before = await named();
  assertEquals([before.get(front)?.owns, before.get(front)?.reached], [3, 3]);
  assertEquals([before.get(middle)?.owns, before.get(middle)?.reached], [2, 2]);
  assertEquals(before.get(middle)?.behind, 3);
  await app.owner.act(`/api/rules/${front}/toggle`);
  assertEquals((await rulesOf(app)).find(({ id }) => id === front)?.standing, null);
  const after = await named();
  assertEquals([after.get(front), after.get(middle)?.owns], [null, 5]);
  await app.owner.remove(`/api/rules/${middle}`);
  const rows = await standings.list(app);
  assertEquals(rows.some(({ row: { ruleId } }) => ruleId === middle || ruleId === front), false);
});

withRules.test("products are counted again after a change of rules and once a day, not every minute", async (app) => {
  await threeRules(app);
  const first = (await countOwners(app))[0]?.standing?.takenAt;
  const pass = async () => {
    app.clock.advance(MINUTE_MS);
    await queueStandings({ store: app.store, clock: app.app.clock }, app.clock.now());
    const jobs = await Array.fromAsync(app.store.kv.list<{ kind: string }>({ prefix: ["j"] }));
    return jobs.filter(({ value: { kind } }) => kind === "rule_standing").length;
  };
  assertEquals([await pass(), await pass()], [1, 1]);
  app.clock.advance(24 * 60 * MINUTE_MS);
  assertEquals(await pass(), 2);
  await until("the day is counted", async () => {
    const [found] = await standings.list(app);
    return found !== undefined && found.row.standing.takenAt !== first;
  });
  assertEquals(await pass(), 2);
});

const CHILD = new URL("./jobs_child.ts", import.meta.url).pathname;

inFolder.test("a killed count starts again and has the same result as an undisturbed one", async (folder) => {
  const store = await openStore({ kvUrl: null, dataDir: folder.path }, 60_000);
  const { ctx, kept } = await afterApp({ store }, async (app) => {
    await threeRules(app);
    await countOwners(app);
    const kept = (await standings.list(app)).map(({ row }) => row);
    await app.addRule({ ...FLOOR, name: "New", priority: 4 });
    await app.judged();
    app.clock.advance(MINUTE_MS);
    return { kept };
  });
  const { workspaceId } = ctx;
  await queueStandings({ store, clock: ctx }, ctx.now());
  store.kv.close();
  const seen: number[] = [];
  await killOnTheWay({
    path: CHILD,
    args: [folder.path, workspaceId, ctx.now().toISOString(), "100"],
    kills: 2,
    commitsMax: 1,
    ended: () =>
      opened(folder.path, async (again) => {
        await assertWhole({ store: again });
        const rows = await standings.list({ store: again, workspaceId });
        seen.push(rows.length);
        const old = rows.flatMap(({ row }) =>
          row.standing.takenAt === kept[0]?.standing.takenAt ? row : []
        );
        ok(old.length === 0 || rows.length === kept.length);
      }),
  });
  assertEquals(seen.at(-1), kept.length + 1);
  await opened(folder.path, async (again) => {
    const rows = await standings.list({ store: again, workspaceId });
    const figures = rows.map(({ row: { standing } }) => [standing.owns, standing.behind]);
    assertEquals(figures, [[3, 0], [2, 3], [0, 5], [0, 5]]);
    assertEquals(new Set(rows.map(({ row }) => row.standing.takenAt)).size, 1);
  });
});
