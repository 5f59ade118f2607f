/**
 * Imports of 100,000 items through HTTP against a bare loop that replays the very same commits,
 * encoded before, in the same run on the same machine. Budget: application at least 0.7 of the bare
 * loop, the whole import at least 0.6, an unchanged file at least 5 times as fast as a new one.
 * `deno run -A tests/bench/import_bench.ts [items]`
 */
import { stdout } from "node:process";
import { bodyOf } from "../api/answers.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { generateItems } from "./erp_items.ts";
import { recordCommits, replayCommits } from "./recorded_commits.ts";

const items = Number(Deno.args[0] ?? 100_000);
const say = (line: string) => void stdout.write(`${line}\n`);

interface Run {
  readonly wholeMs: number;
  readonly checkMs: number;
  readonly applyMs: number;
}

/** Sends the file and follows the job; the clock of the app stands still, so times are measured here. */
async function importFile(app: TestApp, xml: Uint8Array<ArrayBuffer>): Promise<Run> {
  const begin = performance.now();
  const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
  const { jobId } = await bodyOf(app.owner.post("/api/imports", xml, headers), 202);
  let applyAt = 0;
  for (;;) {
    const job = await bodyOf(app.owner.get(`/api/imports/${jobId}`), 200);
    if (job.phase === "apply" && applyAt === 0) applyAt = performance.now();
    if (job.status === "succeeded") {
      const end = performance.now();
      if (job.count !== items) throw new Error(`${job.count} of ${items} records`);
      return { wholeMs: end - begin, checkMs: applyAt - begin, applyMs: end - applyAt };
    }
    if (job.status !== "queued" && job.status !== "running") throw new Error(job.error?.message);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const rate = (ms: number) => `${Math.round(items / ms * 1_000).toLocaleString("en")} items/s`;

const xml = new Uint8Array(
  await new Response(ReadableStream.from(generateItems(items, 1))).arrayBuffer(),
);
say(`${items.toLocaleString("en")} items, ${(xml.length / 2 ** 20).toFixed(0)} MiB of XML`);

await using app = await startTestApp();
const recording = recordCommits(app.store);
const first = await importFile(app, xml);
const commits = recording.stop();
say(
  `new:       whole ${rate(first.wholeMs)}, check ${rate(first.checkMs)}, apply ${
    rate(first.applyMs)
  }`,
);
const again = await importFile(app, xml);
say(
  `unchanged: whole ${rate(again.wholeMs)}, check ${rate(again.checkMs)}, apply ${
    rate(again.applyMs)
  }`,
);

const bareMs = await replayCommits(commits);
say(`bare loop: ${rate(bareMs)} over ${commits.length} commits`);
say(`apply ${(bareMs / first.applyMs).toFixed(2)} of the bare loop (budget 0.70)`);
say(`whole ${(bareMs / first.wholeMs).toFixed(2)} of the bare loop (budget 0.60)`);
say(
  `unchanged ${(first.wholeMs / again.wholeMs).toFixed(1)} times as fast whole, ` +
    `${(first.applyMs / again.applyMs).toFixed(1)} times in the application (budget 5)`,
);
