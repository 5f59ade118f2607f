import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { queueStandings } from "../../../src/rules/evaluation/standing_job.ts";
import { standings } from "../../../src/rules/rule_stats_store.ts";
import { startTestApp, type TestApp, withApp } from "../../harness.ts";
import { until } from "../../patience.ts";
import { killOnTheWay } from "../../killed_process.ts";
import { openStore } from "../../../src/platform/store/open_store.ts";
import { assertWhole, opened } from "../killed_work.ts";
import { inFolder } from "../../temporary_folder.ts";
import { addRule, proposals, untilJudged } from "./market.ts";
import {
  type CountedRule,
  countOwners,
  FLOOR,
  MINUTE_MS,
  rulesOf,
  threeRules,
} from "./owned_prices.ts";

/** Computes the same counts from the decisions for each product. */
async function countedPlainly(app: TestApp, ids: Iterable<string>) {
  const counts = new Map<string, { owns: number; behind: number; fronts: Set<string> }>();
  const of = (ruleId: string) => {
    const known = counts.get(ruleId) ?? { owns: 0, behind: 0, fronts: new Set<string>() };
    counts.set(ruleId, known);
    return known;
  };
  for (const id of ids) {
    const { items } = await app.viewer.read(`/api/products/${id}/decisions`);
    // The last rule has all products in its scope.
    const { owner, behind } = items.at(-1).trace;
    if (owner) of(owner.ruleId).owns++;
    for (const { ruleId, by } of behind) {
      of(ruleId).behind++;
      of(ruleId).fronts.add(by.ruleId);
    }
  }
  return (ruleId: string) => {
    const { owns, behind, fronts } = of(ruleId);
    return [owns, behind, fronts.size];
  };
}

withApp.test("the list of rules shows how many prices each rule owns and which rules precede it, in agreement with each product", async (app) => {
  const { ids, front, middle, last } = await threeRules(app);
  assertEquals((await rulesOf(app)).map(({ standing }) => standing), [null, null, null]);
  const figures = (
    { standing }: CountedRule,
  ) => [standing?.owns, standing?.behind, standing?.fronts];
  const rules = await countOwners(app);
  const plainly = await countedPlainly(app, ids.values());
  assertEquals(rules.map(figures), rules.map(({ id }) => plainly(id)));
  // The first rule sets 90.00 for three Sonys, the second 101.00 for two Boses. The last rule's
  // 99.99 is not set for any of these five.
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

withApp.test("accepted prices stay with their rule, and a disabled rule has no counts", async (app) => {
  const { front, middle } = await threeRules(app);
  const open = await proposals(app.owner, "status=open");
  assertEquals(open.length, 5);
  for (const { id } of open) await app.manager.act(`/api/proposals/${id}/approve`);
  await untilJudged(app);
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
  const rows = await standings.list({ store: app.store, workspaceId: app.workspaceId });
  assertEquals(rows.some(({ row: { ruleId } }) => ruleId === middle || ruleId === front), false);
  await assertWhole(app);
});

withApp.test("products are counted again after a change of rules and once a day, not every minute", async (app) => {
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
    const [found] = await standings.list({ store: app.store, workspaceId: app.workspaceId });
    return found !== undefined && found.row.standing.takenAt !== first;
  });
  assertEquals(await pass(), 2);
});

const CHILD = new URL("./jobs_child.ts", import.meta.url).pathname;

inFolder.test("a killed count starts again and has the same result as an undisturbed one", async (folder) => {
  const store = await openStore({ kvUrl: null, dataDir: folder.path }, 60_000);
  const prepared = await (async () => {
    await using app = await startTestApp({ store });
    await threeRules(app);
    await countOwners(app);
    const { workspaceId } = app;
    const kept = (await standings.list({ store, workspaceId })).map(({ row }) => row);
    await addRule(app.owner, { ...FLOOR, name: "New", priority: 4 });
    await untilJudged(app);
    app.clock.advance(MINUTE_MS);
    const now = app.clock.now();
    return { workspaceId, kept, now, clock: { ...app.app.clock } };
  })();
  const { workspaceId, kept, now, clock } = prepared;
  await queueStandings({ store, clock }, now);
  store.kv.close();
  const seen: number[] = [];
  await killOnTheWay({
    path: CHILD,
    args: [folder.path, workspaceId, now.toISOString(), "100"],
    kills: 2,
    commitsMax: 1,
    ended: () =>
      opened(folder.path, async (again) => {
        await assertWhole({ store: again, workspaceId });
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
