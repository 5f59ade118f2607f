/**
 * Runs the tests below `tests/`, or the named files and folders, in several processes. `--times`
 * lists the slowest files. `--again` repeats the failed tests after all processes have ended, and
 * counts only tests that fail again. `LONG_PROOFS=1` runs long tests with more rounds and larger
 * sizes (`tests/proof.ts`).
 */
import { glob, stat } from "node:fs/promises";
import { cpus, freemem } from "node:os";
import { stdout } from "node:process";
import { setTimeout as delay } from "node:timers/promises";

/** Each process runs several test files as one module, so that common imports run only once. */
const FILES_PER_RUN = 30;
const SLOW_FILES_PER_RUN = 12;
const QUICK_ROOMS = [
  "tests/base",
  "tests/catalogue",
  "tests/client",
  "tests/engine",
  "tests/scripts",
];
const BROWSER_FILES_PER_RUN = 7;
const WAITING_FILES_PER_RUN = 6;
/** Tests in these folders mostly wait and use little processor time, so they start early. */
const WAITING_ROOMS = ["tests/fault", "tests/scraping"];
/** Slow files, and files that measure time or memory, start first, each in a process of its own. */
const ALONE = [
  "tests/client/screens_test.ts",
  "tests/app/commands/backup_test.ts",
  "tests/app/commands/file_layout_test.ts",
  "tests/engine/extraction/hostile_test.ts",
  "tests/fault/hostile_readings_test.ts",
  "tests/fault/large_catalogue_test.ts",
  "tests/fault/memory_of_walks_test.ts",
  "tests/fault/scale_out_kill_test.ts",
  "tests/hostile/",
  "tests/accounts/sign_in_crowd_test.ts",
];
const BROWSER = /\/browser\.ts"/;
/** Reserves 16 MB for new objects at once, because V8 enlarges a smaller space too slowly. */
const V8_FLAGS = "--v8-flags=--min-semi-space-size=16";
/** Mounts a folder in memory at the path `$0`, and then runs the command `$@`. */
const IN_MEMORY = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs tmpfs "$0" && exec "$@"'];
const MEMORY_BYTES_MIN = 8 * 2 ** 30;
const RUNS_MIN = navigator.hardwareConcurrency + 2;
const RUNS_MAX = navigator.hardwareConcurrency + 6;
/** Processes beyond `RUNS_MIN` start only if more than this share of processor time is idle. */
const IDLE_SHARE = 0.1;
const POLL_MS = 2_000;
const FREE_BYTES_MIN = 2 ** 31;
const SLOWEST_SHOWN = 15;
const FAILURE_SHOWN_LENGTH = 6_000;
const MOST_SECOND_TRIES = 8;
/** A process that takes longer gets SIGINT, so that Deno prints the tests that hang. */
const RUN_MS_MAX = (Deno.env.get("LONG_PROOFS") === "1" ? 60 : 20) * 60_000;
const EXIT_MS_MAX = 10_000;
/** Writes the output to files: a pipe would stay open as long as a test's child process runs. */
const TO_FILES = ["sh", "-c", 'exec "$@" >"$0.out" 2>"$0.err"'];
const NO_REASON = "they do not say why";

interface Counters {
  readonly passed: number;
  readonly failed: number;
  readonly ignored: number;
}

interface Run extends Counters {
  readonly files: readonly string[];
  readonly leftOut: readonly string[];
  readonly tookMs: number;
  readonly isWhole: boolean;
  readonly text: string;
}

const ROOT = new URL("../", import.meta.url);
const decoder = new TextDecoder();
const say = (text: string) => void stdout.write(`${text}\n`);

const showsTimes = Deno.args.includes("--times");
const entries = await Deno.makeTempDir();
const temporary = await Deno.makeTempDir();
const inMemory = freemem() >= MEMORY_BYTES_MIN && canMount() ? [...IN_MEMORY, temporary] : [];
const asked = Deno.args.filter((arg) => !arg.startsWith("--"));
const files = await testFiles(asked.length > 0 ? asked : ["tests"]);
await build();
const first = await runAll(await inRuns(files));
const runs = Deno.args.includes("--again") ? await withSecondTries(first) : first;
for (const folder of [entries, temporary]) await Deno.remove(folder, { recursive: true });
if (showsTimes) showSlowest(runs);
const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
const leftOut = Map.groupBy(runs.flatMap((run) => run.leftOut), reasonOf);
for (const [reason, names] of leftOut) say(`${names.length} ignored: ${reason}`);
for (const { text } of runs.filter(({ isWhole }) => !isWhole)) say(failuresIn(text));
const nameless = leftOut.get(NO_REASON) ?? [];
for (const name of nameless) say(`  ${name}`);
const isSound = runs.every(({ isWhole }) => isWhole) && nameless.length === 0;
say(
  `${isSound ? "ok" : "FAILED"} | ${sum(({ passed }) => passed)} passed | ` +
    `${sum(({ failed }) => failed)} failed | ${sum(({ ignored }) => ignored)} ignored`,
);
Deno.exitCode = isSound ? 0 : 1;

function canMount(): boolean {
  const [program = "", ...args] = [...IN_MEMORY, temporary, "true"];
  try {
    return new Deno.Command(program, { args, stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

async function testFiles(places: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const place of places) {
    const isFile = (await stat(place)).isFile();
    if (isFile) found.add(place);
    else for await (const file of glob(`${place}/**/*_test.ts`)) found.add(file);
  }
  return [...found].sort();
}

/** Builds the web client once; `CLIENT_IS_BUILT` tells the tests not to build it again. */
async function build(): Promise<void> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "build"],
  }).output();
  if (code !== 0) throw new Error(decoder.decode(stderr));
}

async function inRuns(all: readonly string[]): Promise<string[][]> {
  const isAlone = (file: string) => ALONE.some((place) => file.startsWith(place));
  const others = all.filter((file) => !isAlone(file));
  const withBrowser = new Set<string>();
  for (const file of others) if (await needsBrowser(file)) withBrowser.add(file);
  const kinds = Map.groupBy(others, (file) => {
    if (withBrowser.has(file)) return "browser";
    if (WAITING_ROOMS.includes(roomOf(file))) return "waiting";
    return QUICK_ROOMS.includes(roomOf(file)) ? "quick" : "slow";
  });
  const runsOf = (kind: "waiting" | "browser" | "slow" | "quick", most: number) =>
    cut(kinds.get(kind) ?? [], most);
  return [
    ...all.filter(isAlone).map((file) => [file]),
    ...runsOf("browser", BROWSER_FILES_PER_RUN),
    ...runsOf("waiting", WAITING_FILES_PER_RUN),
    ...runsOf("slow", SLOW_FILES_PER_RUN),
    ...runsOf("quick", FILES_PER_RUN),
  ];
}

function cut(files: readonly string[], most: number): string[][] {
  const parts = Math.ceil(files.length / most);
  const from = (part: number) => Math.round(part * files.length / parts);
  return Array.from({ length: parts }, (_, n) => files.slice(from(n), from(n + 1)));
}

async function needsBrowser(file: string): Promise<boolean> {
  return BROWSER.test(await Deno.readTextFile(file));
}

function roomOf(file: string): string {
  return file.split("/").slice(0, -1).slice(0, 2).join("/");
}

async function runAll(queue: readonly string[][]): Promise<Run[]> {
  const done: Run[] = [];
  const waiting = [...queue];
  const atWork = new Set<Promise<unknown>>();
  const cores = watchCores();
  while (waiting.length > 0 || atWork.size > 0) {
    const hasRoom = atWork.size < RUNS_MIN || atWork.size < RUNS_MAX && cores.areIdle();
    const next = hasRoom ? waiting.shift() : undefined;
    if (next === undefined) {
      const look = new AbortController();
      const { signal } = look;
      await Promise.race([...atWork, delay(POLL_MS, null, { signal }).catch(() => null)]);
      look.abort();
      continue;
    }
    const run = runOne(next).then((one) => done.push(one)).finally(() => atWork.delete(run));
    atWork.add(run);
  }
  return done;
}

function watchCores(): { areIdle(): boolean } {
  const read = () => {
    const times = cpus().map(({ times }) => times);
    const idle = times.reduce((sum, each) => sum + each.idle, 0);
    const all = times.reduce(
      (sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq,
      idle,
    );
    return { idle, all, atMs: performance.now() };
  };
  let last = read();
  return {
    areIdle() {
      if (performance.now() - last.atMs < POLL_MS || freemem() < FREE_BYTES_MIN) return false;
      const now = read();
      const share = (now.idle - last.idle) / (now.all - last.all);
      last = now;
      return share > IDLE_SHARE;
    },
  };
}

/** Repeats nothing if many processes failed, because a busy machine makes only a few fail. */
async function withSecondTries(all: readonly Run[]): Promise<readonly Run[]> {
  if (all.filter(({ isWhole }) => !isWhole).length > MOST_SECOND_TRIES) return all;
  const settled: Run[] = [];
  for (const run of all) settled.push(run.isWhole ? run : await secondTry(run));
  return settled;
}

async function secondTry(run: Run): Promise<Run> {
  const names = failedNames(run);
  const only = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  const filter = names.length > 0 ? [`--filter=/^(${only})$/`] : [];
  const second = await runOne(run.files, ["--trace-leaks", ...filter]);
  if (second.isWhole) {
    const what = names.length > 0 ? `"${names.join('", "')}"` : run.files.join(" ");
    say(`Failed beside others, passed alone: ${what}`);
    say(failuresIn(run.text));
  }
  if (names.length === 0) return second;
  return {
    ...second,
    passed: run.passed + second.passed,
    ignored: run.ignored,
    leftOut: run.leftOut,
  };
}

function failedNames({ text, failed }: Run): string[] {
  const from = text.search(/^ FAILURES $/m);
  if (from < 0) return [];
  const names = [...text.slice(from).matchAll(/^(.+) => \.\/.+:\d+:\d+$/gm)].map(([, name = ""]) =>
    name
  );
  return names.length === failed ? names : [];
}

async function runOne(group: readonly string[], flags: readonly string[] = []): Promise<Run> {
  const beganAt = performance.now();
  const entry = await entryOf(group);
  const test = [Deno.execPath(), "test", "--allow-all", "--no-check", V8_FLAGS, ...flags, entry];
  const printed = await Deno.makeTempFile({ dir: entries });
  const [program = "", ...args] = [...inMemory, ...TO_FILES, printed, ...test];
  const env = { NO_COLOR: "1", CLIENT_IS_BUILT: "1", TMPDIR: temporary };
  const child = new Deno.Command(program, { args, env, stdin: "null" }).spawn();
  const ends = [
    setTimeout(() => child.kill("SIGINT"), RUN_MS_MAX),
    setTimeout(() => child.kill("SIGKILL"), RUN_MS_MAX + EXIT_MS_MAX),
  ];
  const { code } = await child.status;
  for (const end of ends) clearTimeout(end);
  const text = await Deno.readTextFile(`${printed}.out`) +
    await Deno.readTextFile(`${printed}.err`);
  const tookMs = performance.now() - beganAt;
  const counters = countOf(text);
  const isWhole = code === 0 && counters !== null;
  say(isWhole ? shortened(text) : text);
  const { passed, failed, ignored } = counters ?? { passed: 0, failed: 1, ignored: 0 };
  return { files: group, tookMs, isWhole, text, passed, failed, ignored, leftOut: leftOutIn(text) };
}

async function entryOf(group: readonly string[]): Promise<string> {
  const [only = ""] = group;
  if (group.length === 1) return only;
  const file = await Deno.makeTempFile({ dir: entries, suffix: "_test.ts" });
  const lines = group.map((path) => `import "${new URL(path, ROOT).href}";\n`);
  await Deno.writeTextFile(file, lines.join(""));
  return file;
}

function countOf(text: string): Counters | null {
  const line = text.split("\n").findLast((each) => /^(ok|FAILED) \| \d+ passed/.test(each));
  if (line === undefined) return null;
  const count = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(line)?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed"), ignored: count("ignored") };
}

function leftOutIn(text: string): string[] {
  return [...text.matchAll(/^(.*) \.\.\. ignored \(/gm)].map(([, name = ""]) => name);
}

/** `testNeeding` of `tests/needing.ts` adds the reason to the name of an ignored test. */
function reasonOf(name: string): string {
  return /\(ignored: (.*)\)$/.exec(name)?.[1] ?? NO_REASON;
}

function failuresIn(text: string): string {
  const from = text.search(/^ ERRORS $/m);
  return (from < 0 ? text : text.slice(from)).slice(-FAILURE_SHOWN_LENGTH);
}

function shortened(text: string): string {
  return text.split("\n").filter((line) => / \.\.\. /.test(line)).join("\n");
}

function showSlowest(all: readonly Run[]): void {
  for (
    const { files: group, tookMs } of all.toSorted((a, b) => b.tookMs - a.tookMs).slice(
      0,
      SLOWEST_SHOWN,
    )
  ) {
    say(`${(tookMs / 1_000).toFixed(1).padStart(7)} s  ${group.join(" ")}`);
  }
}
