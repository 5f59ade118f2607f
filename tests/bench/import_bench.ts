/**
 * Compares an import over HTTP with replaying its commits on an empty store. The import's apply
 * phase is compared with replaying only the commits that write products. The processor time
 * includes the client, which runs in the same process.
 * `deno run -A tests/bench/import_bench.ts [items] [rounds]`
 */
import { startTestApp, type TestApp } from "../harness.ts";
import { generateItems } from "./erp_items.ts";
import {
  recordCommits,
  type RecordedCommit,
  replayCommits,
  upToTheEnd,
  writesProducts,
} from "./recorded_commits.ts";
import { processMs } from "../processor_time.ts";
import { median, say, untilSucceeded } from "./slices.ts";

const items = Number(Deno.args[0] ?? 100_000);
const rounds = Number(Deno.args[1] ?? 3);
const POLL_MS = 100;

/** Measures real time, because the app's clock stands still. */
async function importFile(app: TestApp, xml: Uint8Array<ArrayBuffer>) {
  const [beginAt, beginMs] = [performance.now(), processMs()];
  const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
  const { jobId } = await app.owner.begin("/api/imports", xml, headers);
  let [checkedAt, checkedMs] = [beginAt, beginMs];
  const job = await untilSucceeded(app.owner, `/api/imports/${jobId}`, POLL_MS, ({ phase }) => {
    if (phase !== "apply") [checkedAt, checkedMs] = [performance.now(), processMs()];
  });
  const [endAt, endMs] = [performance.now(), processMs()];
  if (job.count !== items) throw new Error(`${job.count} of ${items} records`);
  return {
    wholeMs: endAt - beginAt,
    applyMs: endAt - checkedAt,
    processorMs: endMs - beginMs,
    applyProcessorMs: endMs - checkedMs,
  };
}

function rate(ms: number): string {
  return Math.round(items / ms * 1_000).toLocaleString("en");
}

function micros(ms: number): string {
  return `${(ms / items * 1_000).toFixed(1)} µs`;
}

type Run = Awaited<ReturnType<typeof importFile>>;

function tell(name: string, { wholeMs, applyMs, processorMs, applyProcessorMs }: Run): void {
  say(
    `${name}: whole ${rate(wholeMs)} items/s, apply ${rate(applyMs)}; ` +
      `processor ${micros(processorMs)}, of that to apply ${micros(applyProcessorMs)}`,
  );
}

async function replay(name: string, commits: readonly RecordedCommit[]): Promise<number> {
  const { ms, cpuMs } = await replayCommits(commits);
  const rows = commits.reduce((sum, { mutations }) => sum + mutations.length, 0);
  say(
    `${name}: ${rate(ms)} items/s in ${commits.length} commits of ${rows} rows; ` +
      `processor ${micros(cpuMs)}`,
  );
  return ms;
}

async function runRound(xml: Uint8Array<ArrayBuffer>) {
  await using app = await startTestApp();
  const recording = recordCommits(app.store);
  const first = await importFile(app, xml);
  const commits = upToTheEnd(recording.stop());
  tell("new      ", first);
  const appliedMs = await replay("its products again", commits.filter(writesProducts));
  const wholeMs = await replay("all of it again   ", commits);
  const again = await importFile(app, xml);
  tell("unchanged", again);
  return {
    apply: appliedMs / first.applyMs,
    whole: wholeMs / first.wholeMs,
    unchanged: first.applyMs / again.applyMs,
  };
}

const xml = new Uint8Array(
  await new Response(ReadableStream.from(generateItems(items, 1))).arrayBuffer(),
);
say(`${items.toLocaleString("en")} items, ${(xml.length / 2 ** 20).toFixed(0)} MiB of XML`);
const found: Awaited<ReturnType<typeof runRound>>[] = [];
for (let round = 0; round < rounds; round++) found.push(await runRound(xml));

const middle = (name: "apply" | "whole" | "unchanged") =>
  median(found.map((ratios) => ratios[name])).toFixed(2);
say(`apply ${middle("apply")} of the bare loop (budget 0.75)`);
say(`whole ${middle("whole")} of the bare loop (budget 0.65)`);
say(`unchanged ${middle("unchanged")} times as fast in the application (budget 5)`);
