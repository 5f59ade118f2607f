/**
 * Imports through HTTP against a bare loop that replays the very same commits, encoded before, in the
 * same run on the same machine. Budget: application at least 0.7 of the bare loop, the whole import
 * (upload, check, application) at least 0.6; applying an unchanged file at least 5 times as fast as a
 * new one. Rounds follow each other, because a shared machine is never quiet: the median counts.
 * `deno run -A tests/bench/import_bench.ts [items] [rounds]`
 */
import { stdout } from "node:process";
import { bodyOf } from "../api/answers.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { generateItems } from "./erp_items.ts";
import { recordCommits, replayCommits } from "./recorded_commits.ts";
import { pause } from "../patience.ts";

const items = Number(Deno.args[0] ?? 100_000);
const rounds = Number(Deno.args[1] ?? 3);
const POLL_MS = 100;

interface Run {
  readonly wholeMs: number;
  readonly uploadMs: number;
  readonly checkMs: number;
  readonly applyMs: number;
}

function say(line: string): void {
  stdout.write(`${line}\n`);
}

/** Sends the file and follows the job; the clock of the app stands still, so times are measured here. */
async function importFile(app: TestApp, xml: Uint8Array<ArrayBuffer>): Promise<Run> {
  const beginAt = performance.now();
  const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
  const { jobId } = await bodyOf(app.owner.post("/api/imports", xml, headers), 202);
  const sentAt = performance.now();
  let checkedAt = sentAt;
  for (;;) {
    const job = await bodyOf(app.owner.get(`/api/imports/${jobId}`), 200);
    if (job.phase !== "apply") checkedAt = performance.now();
    if (job.status === "succeeded") {
      const endAt = performance.now();
      if (job.count !== items) throw new Error(`${job.count} of ${items} records`);
      return {
        wholeMs: endAt - beginAt,
        uploadMs: sentAt - beginAt,
        checkMs: checkedAt - sentAt,
        applyMs: endAt - checkedAt,
      };
    }
    if (job.status !== "queued" && job.status !== "running") throw new Error(job.error?.message);
    await pause(POLL_MS);
  }
}

function rate(ms: number): string {
  return Math.round(items / ms * 1_000).toLocaleString("en");
}

function tell(name: string, { wholeMs, uploadMs, checkMs, applyMs }: Run): void {
  say(
    `${name}: whole ${rate(wholeMs)} items/s; upload ${rate(uploadMs)}, check ${rate(checkMs)}, ` +
      `apply ${rate(applyMs)}`,
  );
}

interface Ratios {
  readonly apply: number;
  readonly whole: number;
  readonly unchangedApply: number;
  readonly unchangedWhole: number;
}

async function runRound(xml: Uint8Array<ArrayBuffer>): Promise<Ratios> {
  await using app = await startTestApp();
  const recording = recordCommits(app.store);
  const first = await importFile(app, xml);
  const commits = recording.stop();
  const bareMs = await replayCommits(commits);
  const again = await importFile(app, xml);
  tell("new      ", first);
  tell("unchanged", again);
  say(`bare loop: ${rate(bareMs)} items/s over ${commits.length} commits`);
  return {
    apply: bareMs / first.applyMs,
    whole: bareMs / first.wholeMs,
    unchangedApply: first.applyMs / again.applyMs,
    unchangedWhole: first.wholeMs / again.wholeMs,
  };
}

const xml = new Uint8Array(
  await new Response(ReadableStream.from(generateItems(items, 1))).arrayBuffer(),
);
say(`${items.toLocaleString("en")} items, ${(xml.length / 2 ** 20).toFixed(0)} MiB of XML`);
const found: Ratios[] = [];
for (let round = 0; round < rounds; round++) found.push(await runRound(xml));

const median = (name: keyof Ratios) =>
  found.map((ratios) => ratios[name]).toSorted((a, b) => a - b)[found.length >> 1]?.toFixed(2);
say(`apply ${median("apply")} of the bare loop (budget 0.75)`);
say(`whole ${median("whole")} of the bare loop (budget 0.65)`);
say(`unchanged ${median("unchangedApply")} times as fast in the application (budget 5)`);
say(`unchanged ${median("unchangedWhole")} times as fast with upload and check`);
