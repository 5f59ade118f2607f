/**
 * Puts a mixed load on a real server: 30 s to warm up, 3 measured minutes, and a restart. Exits
 * with 1 after a wrong response, a logged error, a lost write, contradicting rows, or growing
 * memory or descriptors. Speed is only printed. `LOAD_MINUTES=60 deno task load` measures an hour.
 */
import { env, stdout } from "node:process";
import { type Caller, createCaller } from "../caller.ts";
import { storeFile } from "../../src/platform/store/open_store.ts";
import { errorLines, findingsOf, type LiveServer, serverPid, startLiveServer } from "../program.ts";
import { freePort } from "../stores.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { createCalls, findLosses, isSettled, waitingPrices } from "./calls.ts";
import { linesOfNeighbour, seedStore, setStage, type Stage, startLoadNeighbours } from "./seed.ts";
import { sampleProcess, startProbe, watchProcess } from "./process_figures.ts";
import { type Figures, judge, type Restart, tablesOf } from "./summary.ts";
import { startTraffic } from "./traffic.ts";
import { pause } from "../patience.ts";

const SECOND_MS = 1_000;
const WARM_UP_MS = 30 * SECOND_MS;
/** At least 3; slow growth of memory shows only in a longer load. */
const MINUTES = Math.max(3, Number(env.LOAD_MINUTES ?? 3));
const AROUND_RESTART_MS = 12 * SECOND_MS;
const CALM_MS = 15 * SECOND_MS;
const PATIENCE_MS = 180 * SECOND_MS;

function say(text: string): void {
  stdout.write(`${text}\n`);
}

await using folder = await temporaryFolder();
await using neighbours = startLoadNeighbours();
const dataDir = `${folder.path}/data`;
const settings = {
  DATA_DIR: dataDir,
  PORT: String(freePort()),
  LOG_LEVEL: "warning",
  RATE_LIMIT_PER_MINUTE: "1000000",
  SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
  SCRAPE_DOMAIN_DELAY_MS: "200",
  SCRAPE_TIMEOUT_MS: "3000",
  SCRAPE_MAX_BYTES: "1048576",
};

say("seeding");
const key = await seedStore(settings, folder.path);
const neighbourBefore = await linesOfNeighbour(settings);
const figures = await measure();
const problems = judge(figures);
for (const table of tablesOf(figures)) say(`\n${table}`);
for (const problem of problems) say(`broken: ${problem}`);
say(problems.length === 0 ? "\nall invariants hold" : `\n${problems.length} invariants are broken`);
if (problems.length > 0) Deno.exitCode = 1;

async function measure(): Promise<Figures> {
  await using first = await startLiveServer(dataDir, settings);
  const calls = createCalls(first.url);
  const stage = await setStage(first, calls, { key, neighbours });
  const pid = await serverPid(dataDir);
  const atStart = await sampleProcess(pid);
  const watch = watchProcess(pid);
  const probe = startProbe(first.url);
  const traffic = startTraffic(stage);
  say("warming up");
  await pause(WARM_UP_MS);
  const beganAtMs = performance.now();
  for (let minute = 1; minute <= MINUTES; minute++) {
    say(`minute ${minute} of ${MINUTES}`);
    await pause(60 * SECOND_MS);
  }
  watch.stop();
  const { restart, ...restarted } = await restartUnderLoad(first);
  await using second = restarted.second;
  await traffic.stop();
  calls[Symbol.dispose]();
  // The server's descriptors are counted, so this client keeps no connection open.
  const owner = createCaller(second.url, { Cookie: second.cookie, Connection: "close" });
  const losses = await settle(owner, stage);
  await probe.stop();
  const logged = await calmFigures(second);
  return {
    beganAtMs,
    minutes: MINUTES,
    noted: calls.noted,
    samples: watch.samples,
    beats: probe.beats,
    atStart,
    atEnd: logged.atEnd,
    restart,
    receivedPrices: neighbours.receivedPrices.size,
    ledger: stage.ledger,
    losses: [...losses, ...logged.losses],
    errorLines: [...restart.errorLines, ...logged.errorLines],
  };
}

async function restartUnderLoad(first: LiveServer) {
  say("restart by SIGTERM");
  await pause(AROUND_RESTART_MS);
  const fromMs = performance.now();
  const { code, err } = await first.stop("SIGTERM");
  const stoppedAtMs = performance.now();
  const second = await startLiveServer(dataDir, settings);
  const untilMs = performance.now();
  await pause(AROUND_RESTART_MS);
  const restart: Restart = { code, fromMs, stoppedAtMs, untilMs, errorLines: errorLines(err) };
  return { second, restart };
}

async function settle(owner: Caller, { ledger, webhookId }: Stage): Promise<string[]> {
  say("calm");
  const giveUpAt = performance.now() + PATIENCE_MS;
  const isReceived = () => ledger.prices.isSubsetOf(neighbours.receivedPrices);
  while (!(isReceived() && await isSettled(owner)) && performance.now() < giveUpAt) {
    await pause(SECOND_MS);
  }
  const losses = await Array.fromAsync(findLosses(owner, ledger));
  const unreceived = ledger.prices.difference(neighbours.receivedPrices).size;
  if (unreceived > await waitingPrices(owner, webhookId)) {
    losses.push(`The receiver lacks ${unreceived} changes of prices, and fewer wait for it`);
  }
  if (!await isSettled(owner)) losses.push("Jobs or runs did not end");
  return losses;
}

async function calmFigures(second: LiveServer) {
  const pid = await serverPid(dataDir);
  await pause(CALM_MS);
  const atEnd = await sampleProcess(pid);
  const { code, err } = await second.stop("SIGTERM");
  const losses: string[] = [];
  if (code !== 0) losses.push(`The server ended with ${code}`);
  const findings = await findingsOf(dataDir);
  if (findings !== "") losses.push(`check-store: ${findings}`);
  const lines = (await linesOfNeighbour(settings)).split("\n");
  const changed = lines.find((line, n) => line !== neighbourBefore.split("\n")[n]);
  if (changed !== undefined) losses.push(`The other workspace has changed: ${changed}`);
  losses.push(...await findStrayRows());
  return { atEnd, losses, errorLines: errorLines(err) };
}

async function findStrayRows(): Promise<string[]> {
  using kv = await Deno.openKv(storeFile(dataDir).kvPath);
  const found: string[] = [];
  for (const [table, what] of [["b", "parts of uploads"], ["bh", "uploads"]] as const) {
    const { length } = await Array.fromAsync(kv.list({ prefix: [table] }));
    if (length > 0) found.push(`${length} ${what} are left`);
  }
  return found;
}
