/** An import survives the sudden end of its process at any moment, and counts nothing twice. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { addUser } from "../../src/identity/add_user.ts";
import { openStore } from "../../src/platform/open_store.ts";
import { bodyOf } from "../api/answers.ts";
import { temporaryFolder } from "../commands/kurant.ts";
import { EMAIL, findingsOf, PASSWORD, signIn, startLiveServer } from "../fault/live_server.ts";
import { countCommits, killOnTheWay } from "../killed_process.ts";
import {
  addSilentShops,
  numberedItems,
  requireEachProduct,
  requireExactStats,
} from "./numbered_items.ts";

const ITEMS = 20_000;
const KILLS = 10;

Deno.test(`an import of ${ITEMS} records ends exact after ${KILLS} times kill -9`, async () => {
  await using folder = await temporaryFolder();
  const jobId = await queueImport(folder.path);
  const path = new URL("./crash_child.ts", import.meta.url).pathname;
  const commits = await countCommits(folder.path, (copy) => ({ path, args: [copy] }));
  const commitsMax = Math.floor(commits / (KILLS + 1));
  await killOnTheWay({ path, args: [folder.path], kills: KILLS, commitsMax });
  {
    await using live = await startLiveServer(folder.path);
    await requireExactStats(live.owner, jobId, ITEMS);
    await requireEachProduct(live.owner, ITEMS);
    assertEquals((await live.server.stop("SIGTERM")).code, 0);
  }
  assertEquals(await findingsOf(folder.path), "");
});

/** Sends the file to an app that works on no jobs; answers the id of the job, which nobody has begun. */
async function queueImport(dataDir: string): Promise<string> {
  const store = await openStore({ kvUrl: null, dataDir }, 60_000);
  const app = await createApp({
    store,
    config: readConfig(() => undefined),
    now: () => new Date(),
  });
  await app.close();
  const user = { email: EMAIL, password: PASSWORD, role: "owner" } as const;
  await addUser({ store, clockwork: app.clockwork }, user);
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request, info) => app.fetch(request, info),
  );
  const { owner } = await signIn(`http://127.0.0.1:${server.addr.port}`);
  await addSilentShops(owner);
  const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
  const { jobId } = await bodyOf(owner.post("/api/imports", numberedItems(ITEMS), headers), 202);
  await server.shutdown();
  store.kv.close();
  return jobId;
}
