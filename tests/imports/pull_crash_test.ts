import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { valuesOf } from "../api/answers.ts";
import { countCommits, killAfter, runToTheEnd } from "../killed_process.ts";
import { serveHere } from "../local_server.ts";
import { askIdleStore, askLeftStore } from "../left_store.ts";
import { extent } from "../proof.ts";
import { folderCopy, temporaryFolder } from "../temporary_folder.ts";
import { articles, itemsXml } from "./import_calls.ts";

const ITEMS = extent(3_000, 300);
const KILLS = extent(40, 2);
const env = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" };

Deno.test(`a fetched file becomes exactly one import, even if kill -9 comes at any of ${KILLS} commits`, async () => {
  const file = itemsXml(articles(ITEMS, { title: "x".repeat(100) }));
  await using erp = serveHere(() => new Response(file));
  await using folder = await temporaryFolder();
  await askIdleStore(folder.path, async (owner) => {
    const pull = { url: `${erp.url}/artikel.xml` };
    const source = { id: "erp", name: "ERP", kind: "pull", hold: null, pull };
    await owner.create("/api/import-sources", source);
  }, env);
  const path = new URL("./pull_crash_child.ts", import.meta.url).pathname;
  const childOn = (dataDir: string) => ({ path, args: [dataDir, "erp"] });
  const commits = await countCommits(folder.path, childOn);
  ok(commits > KILLS, `${commits} commits`);
  for (let kill = 0; kill < KILLS; kill++) {
    await using copy = await folderCopy(folder.path);
    const at = 1 + Math.floor(kill * (commits - 1) / KILLS);
    await killAfter(childOn(copy.path), at);
    assertEquals(await runToTheEnd(childOn(copy.path)), 0);
    const what = `killed at commit ${at} of ${commits}`;
    await askLeftStore(copy.path, async (owner) => {
      const { items: jobs } = await owner.read("/api/imports");
      assertEquals(valuesOf(jobs, "status", "source"), [["succeeded", "erp"]], what);
      assertEquals(jobs[0].stats.inserted, ITEMS, what);
      const again = await owner.act("/api/import-sources/erp/pull");
      assertEquals(again.lastPull.outcome, "unchanged", what);
    }, env);
  }
});
