import { csvChunks } from "../../../src/platform/tables/table_answer.ts";
import { ok } from "node:assert/strict";

Deno.test("csvChunks() lets timers run, even if its rows are available at once", async () => {
  const rows = Array.from({ length: 1_000 }, (_, n) => [n, `Kettle ${n}`, n % 2 === 0]);
  async function* batches() {
    for (let n = 0; n < 200; n++) yield await Promise.resolve(rows);
  }
  let hasRun = false;
  setTimeout(() => hasRun = true, 0);
  let chunks = 0;
  for await (
    const _ of csvChunks({ columns: ["n", "title", "even"], batches: batches() }, "excel")
  ) {
    chunks++;
    if (hasRun) break;
  }
  ok(hasRun, `no timer within ${chunks} chunks`);
});
