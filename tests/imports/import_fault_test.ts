import { bodyOf } from "../api/answers.ts";
import { startTestApp } from "../harness.ts";
import { withStore } from "../memory_store.ts";
import { IMPORT, itemsXml, sendXml } from "./import_calls.ts";
import { importKinds } from "./import_runner.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const A = { sku: "A", title: "Apfel", price: "1,00" };

withStore.test("a job whose upload is missing fails with upload_incomplete", async (store) => {
  const app = await startTestApp({ store });
  // Closes the app, so that the test can delete the upload before the job starts.
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

// tests/platform/jobs shows that jobs of a serial kind run one after another.
Deno.test("imports of one workspace run one after another", () => {
  assertEquals(importKinds()[0]?.isSerialPerWorkspace, true);
});
