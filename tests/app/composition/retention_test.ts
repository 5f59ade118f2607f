import { readConfig } from "../../../src/app/composition/config.ts";
import { addRetentionJob, retentionTable } from "../../../src/app/composition/retention.ts";
import { NO_WORKSPACE } from "../../../src/platform/jobs/job.ts";
import { listJobs, waitForJob } from "../../../src/platform/jobs/job_store.ts";
import { withApp } from "../../harness.ts";
import { PATIENCE_MS } from "../../patience.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { glob } from "node:fs/promises";

Deno.test("docs/operations.md shows the retention table line by line", async () => {
  const text = await Deno.readTextFile("docs/operations.md");
  for (const { what, days, setting } of retentionTable(readConfig(() => undefined))) {
    const line = text.split("\n").find((row) => row.startsWith(`| ${what} `));
    ok(line, `there is no line for ${what}`);
    const cells = line.split("|").map((cell) => cell.trim());
    assertEquals(cells[2], String(days), what);
    assertEquals(cells[3], setting === undefined ? "" : `\`${setting}\``, what);
  }
});

Deno.test("every sweep of a room is in the retention table", async () => {
  const table = await Deno.readTextFile("src/app/composition/retention.ts");
  for await (const path of glob("src/**/sweep_*.ts")) {
    const text = await Deno.readTextFile(path);
    for (
      const [, name = ""] of text.matchAll(/^export async function (sweep\w+)\(store: Store,/gm)
    ) {
      ok(table.includes(`${name}(`) || table.includes(`sweep: ${name}`), `${name} of ${path}`);
    }
  }
});

withApp.test("the nightly job handles every line once, and is created once for many requests", async (app) => {
  const { store, clock, app: { clock: appClock } } = app;
  const slot = clock.now();
  for (let n = 0; n < 3; n++) await addRetentionJob({ store, clock: appClock }, slot);
  const page = { kind: "retention", limit: 10, afterId: null, order: "oldest" } as const;
  const { jobs } = await listJobs({ store, workspaceId: NO_WORKSPACE }, page);
  assertEquals(jobs.length, 1);
  const done = await waitForJob(
    { store, workspaceId: NO_WORKSPACE },
    "retention",
    jobs[0]!.jobId,
    PATIENCE_MS,
  );
  assertEquals(done?.status, "succeeded");
});
