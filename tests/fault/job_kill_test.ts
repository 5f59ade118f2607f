import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { openStoreIn } from "../closing_store.ts";
import { bodyOf, column, refusalOf } from "../api/answers.ts";
import { type Caller, untilEnded } from "../caller.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { extent } from "../proof.ts";
import { findingsOf, runProgram, startLiveServer } from "../program.ts";
import { inFolder } from "../temporary_folder.ts";
import { askIdleStore } from "../left_store.ts";

const SENDERS = 12;
const KILL_AFTER = extent(30, 15);
const DEATHS = 5;
/** Number of real kills; short test runs store the other kills as a count in the job's row. */
const REAL_DEATHS = extent(DEATHS, 1);

function sendFile(owner: Caller, key: string): Promise<Response> {
  const file = itemsXml([{ sku: key, title: "Herd", price: "9,00" }]);
  const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
  return owner.post("/api/imports", file, { ...headers, "Idempotency-Key": key });
}

const ended = (owner: Caller, jobId: string) => untilEnded(owner, `/api/imports/${jobId}`);

/** Returns the idempotency keys of all sent files, and by key the job id of acknowledged ones. */
async function sendUntilKilled(dataDir: string) {
  await using live = await startLiveServer(dataDir);
  const sent = { answered: new Map<string, string>(), keys: new Set<string>() };
  let crashed: Promise<unknown> | null = null;
  const send = async () => {
    while (!crashed) {
      const key = `FILE-${sent.keys.size}`;
      sent.keys.add(key);
      const answer = await sendFile(live.owner, key).catch(() => null);
      const text = await answer?.text().catch(() => null);
      if (!answer || typeof text !== "string") return;
      assertEquals(answer.status, 202, text);
      sent.answered.set(key, JSON.parse(text).jobId);
      if (sent.answered.size === KILL_AFTER) crashed = live.crash();
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  await crashed;
  return sent;
}

inFolder.test("kill -9 while jobs are created: each acknowledged one ends, and a repeated request finds its job", async (folder) => {
  const { answered, keys } = await sendUntilKilled(folder.path);
  ok(answered.size >= KILL_AFTER);
  {
    await using live = await startLiveServer(folder.path);
    const jobs = new Map<string, string>();
    for (const key of keys) {
      const answer = await sendFile(live.owner, key);
      // The request reserved its idempotency key, but the process died before it created a job.
      if (answer.status === 409) {
        assertEquals([(await refusalOf(answer)).code, answered.has(key)], ["conflict", false]);
        continue;
      }
      const { jobId } = await bodyOf(answer, 202);
      if (answered.has(key)) assertEquals(jobId, answered.get(key));
      jobs.set(key, jobId);
    }
    for (const jobId of jobs.values()) {
      const { status, stats } = await ended(live.owner, jobId);
      assertEquals([status, stats.inserted + stats.updated + stats.skipped], ["succeeded", 1]);
    }
    const page = await live.owner.read("/api/imports?limit=200");
    assertEquals(page.items.length, jobs.size);
    const products = await live.owner.read("/api/products?limit=200");
    assertEquals(column(products.items, "sku").sort(), [...jobs.keys()].sort());
    assertEquals((await live.stop("SIGTERM")).code, 0);
  }
  assertEquals(await findingsOf(folder.path), "");
});

inFolder.test("an import whose process dies five times at one place ends as crash_loop, and the next one succeeds", async (folder) => {
  const [deadlyId, nextId] = await askIdleStore(folder.path, async (owner) => [
    (await bodyOf(sendFile(owner, "DEADLY"), 202)).jobId,
    (await bodyOf(sendFile(owner, "NEXT"), 202)).jobId,
  ]);
  await countDeaths(folder.path, deadlyId, DEATHS - REAL_DEATHS);
  for (let death = 0; death < REAL_DEATHS; death++) await dieOf(folder.path, deadlyId);
  {
    await using live = await startLiveServer(folder.path);
    const { status, error, errors } = await ended(live.owner, deadlyId);
    assertEquals([status, error.code], ["failed", "crash_loop"]);
    assertEquals(column(errors, "code"), ["crash_loop"]);
    assertEquals((await ended(live.owner, nextId)).status, "succeeded");
    const { items } = await live.owner.read("/api/products");
    assertEquals(column(items, "sku"), ["NEXT"]);
    assertEquals((await live.stop("SIGTERM")).code, 0);
  }
  assertEquals(await findingsOf(folder.path), "");
});

async function countDeaths(dataDir: string, jobId: string, attempts: number): Promise<void> {
  using store = await openStoreIn(dataDir);
  for await (const { key, value } of store.kv.list<{ jobId: string }>({ prefix: ["j"] })) {
    if (value.jobId === jobId) await store.kv.set(key, { ...value, attempts });
  }
}

async function dieOf(dataDir: string, jobId: string): Promise<void> {
  const program = { entry: "tests/fault/sabotaged_entry.ts" };
  const settings = { DATA_DIR: dataDir, PORT: "0", DEADLY_JOB: jobId };
  const { signal, err } = await runProgram(program, ["serve"], settings);
  assertEquals(signal, "SIGKILL", err);
}
