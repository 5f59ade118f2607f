import { readConfig } from "../../src/app/composition/config.ts";
import { importDeps } from "../../src/app/composition/room_deps.ts";
import { createImportKind } from "../../src/imports/jobs/import_kind.ts";
import { JobRunner } from "../../src/platform/jobs/job_runner.ts";
import { DEFAULT_JOB_TIMING } from "../../src/platform/jobs/job.ts";
import { roomLog } from "../../src/platform/log.ts";
import { bodyOf, column } from "../api/answers.ts";
import { startTestApp } from "../harness.ts";
import { withStore } from "../memory_store.ts";
import { IMPORT, itemsXml, sendXml } from "./import_calls.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";

const A = { sku: "A", title: "Apfel", price: "1,00" };

withStore.test("a job whose upload is missing fails with upload_incomplete", async (store) => {
  const app = await startTestApp({ store });
  // No runner takes jobs from here on, so the upload can be deleted before its job begins.
  await app.app.close();
  const key = await app.key(["products:write"]);
  const sent = await bodyOf(sendXml(key, itemsXml([A]), "", { Prefer: "respond-async" }), 202);
  for await (const { key } of store.kv.list({ prefix: ["bh"] })) await store.kv.delete(key);
  const later = await startTestApp({ store });
  let job = sent.data;
  while (job.status !== "failed") job = (await key.read(`${IMPORT}/${job.jobId}`)).data;
  assertEquals([job.error.code, job.count, job.errors.length], ["upload_incomplete", 0, 1]);
  await app[Symbol.asyncDispose]();
  await later[Symbol.asyncDispose]();
});

withStore.test("an import that breaks off five times at one place fails with crash_loop", async (store) => {
  // The app only creates the job; the runner below, whose imports always fail, takes it.
  const app = await startTestApp({ store });
  const kind = createImportKind(importDeps(readConfig(() => undefined), () => {}));
  const poison = { ...kind, step: () => Promise.reject(new Error("POISON")) };
  const runner = new JobRunner({
    store,
    clock: app.app.clock,
    boot: "poison",
    kinds: [poison],
    log: roomLog("jobs"),
    timing: { ...DEFAULT_JOB_TIMING, backoffsMs: [0, 0, 0, 0] },
  });
  await app.app.close();
  const key = await app.key(["products:write"]);
  const sent = await bodyOf(sendXml(key, itemsXml([A]), "", { Prefer: "respond-async" }), 202);
  for (let status = "queued"; status !== "failed";) {
    await runner.drain();
    status = (await app.owner.read(`/api/imports/${sent.data.jobId}`)).status;
  }
  const { data } = await key.read(`${IMPORT}/${sent.data.jobId}`);
  assertEquals([data.status, data.error.code, data.errorCount], ["failed", "crash_loop", 1]);
  assertEquals(column(data.errors, "code"), ["crash_loop"]);
  match(data.errors[0].message, /attempts/);
  assertEquals((await key.read("/api/public/v1/products")).count, 0);
  await runner.stop();
  await app[Symbol.asyncDispose]();
});

// The runner takes jobs of a serial kind in the order of creation (tests/platform/jobs).
Deno.test("imports of one workspace run one after another", () => {
  const kind = createImportKind(importDeps(readConfig(() => undefined), () => {}));
  assertEquals(kind.isSerialPerWorkspace, true);
});
