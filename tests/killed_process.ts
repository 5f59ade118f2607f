/**
 * Kills programs while they work. A program reports each commit, and blocks before a given commit
 * until it is killed. So the moment of the kill does not depend on the machine's speed.
 */
import { equal } from "node:assert/strict";
import type { Store } from "../src/platform/store/kv.ts";
import { V8_FLAGS } from "./task_flags.ts";
import { watchedStore } from "./watched_store.ts";
import { folderCopy } from "./temporary_folder.ts";
import { DEFAULT_JOB_TIMING, hasEnded } from "../src/platform/jobs/job.ts";
import { JobRunner } from "../src/platform/jobs/job_runner.ts";
import { jobs } from "../src/platform/jobs/job_store.ts";
import { roomLog } from "../src/platform/log.ts";
import { createClock } from "../src/platform/store/context.ts";
import { openStore } from "../src/platform/store/open_store.ts";
import { until } from "./patience.ts";

export const timesKilled = (kills: number): string => kills === 1 ? "once" : `${kills} times`;

interface KilledProgram {
  readonly path: string;
  /** The allowed number of commits, or `unbounded`, is appended to these arguments. */
  readonly args: readonly string[];
}

const UNBOUNDED = "unbounded";
/** Allows many kills in a row, which would otherwise fail the job as a crash loop. */
export const PATIENT = { ...DEFAULT_JOB_TIMING, backoffsMs: Array<number>(100).fill(1_000) };
/** If the test itself is killed, its blocked program ends after this time. */
const ABANDONED_MS = 600_000;

/** Writes a byte to standard output before each commit, and blocks once no commit is allowed. */
export function leashedStore(store: Store): Store {
  const allowance = Deno.args.at(-1);
  let left = allowance === UNBOUNDED ? Infinity : Number(allowance);
  const told = new Uint8Array(1);
  return watchedStore(store, {
    async committing() {
      if (left-- <= 0) {
        await new Promise<never>(() => setTimeout(() => Deno.exit(1), ABANDONED_MS));
      }
      Deno.stdout.writeSync(told);
    },
  });
}

interface KillPlan extends KilledProgram {
  readonly kills: number;
  /** Allowed commits of one process; the whole work must need more than `kills` × `commitsMax`. */
  readonly commitsMax: number;
  readonly ended?: () => Promise<void>;
}

/** Uses only 40 % of `commits`, because work that is restarted makes fewer, larger commits. */
export function commitsPerKill(commits: number, kills: number): number {
  return Math.floor(0.4 * commits / kills);
}

export async function killOnTheWay(plan: KillPlan): Promise<void> {
  for (let kill = 0; kill < plan.kills; kill++) {
    // Every second kill waits for the last allowed commit; the other kills wait for a random
    // commit.
    const share = kill % 2 === 0 ? Math.random() : 1;
    await killAfter(plan, Math.ceil(share * (plan.commitsMax - 1)) + 1, plan.commitsMax);
    await plan.ended?.();
  }
  equal(await runToTheEnd(plan), 0);
  await plan.ended?.();
}

/** Allows the program `most` commits, and kills it after it has reported `commits` of them. */
export async function killAfter(
  program: KilledProgram,
  commits: number,
  most = commits,
): Promise<void> {
  const child = command(program, String(most), "piped").spawn();
  await passCommits(child, commits);
  child.kill("SIGKILL");
  await Promise.all([child.status, child.stdout.cancel()]);
}

export async function runToTheEnd(program: KilledProgram): Promise<number> {
  return (await command(program, UNBOUNDED, "null").spawn().status).code;
}

export async function countCommits(
  dataDir: string,
  programOn: (dataDir: string) => KilledProgram,
): Promise<number> {
  await using copy = await folderCopy(dataDir);
  const { code, stdout } = await command(programOn(copy.path), UNBOUNDED, "piped").output();
  equal(code, 0);
  return stdout.length;
}

async function passCommits({ stdout }: Deno.ChildProcess, count: number): Promise<void> {
  const reader = stdout.getReader();
  for (let told = 0; told < count;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The program ended after ${told} of at least ${count} commits`);
    told += value.length;
  }
  reader.releaseLock();
}

function command(
  { path, args }: KilledProgram,
  allowance: string,
  stdout: "piped" | "null",
): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--quiet", V8_FLAGS, "-A", path, ...args, allowance],
    stdin: "null",
    stdout,
    stderr: "inherit",
  });
}

export async function openLeashed(dataDir: string, now: () => Date) {
  const store = leashedStore(await openStore({ kvUrl: null, dataDir }, 60_000));
  return { store, clock: await createClock(store, now) };
}

/** Runs the jobs of `kinds`, and ends the process when none is left, or at SIGTERM. */
export async function workOff(
  { store, clock }: Awaited<ReturnType<typeof openLeashed>>,
  kinds: ConstructorParameters<typeof JobRunner>[0]["kinds"],
): Promise<never> {
  const boot = clock.newId();
  const runner = new JobRunner({
    store,
    clock,
    boot,
    kinds,
    log: roomLog("test"),
    timing: PATIENT,
  });
  const told = Promise.withResolvers<void>();
  Deno.addSignalListener("SIGTERM", () => told.resolve());
  await runner.start();
  const done = until("no job is left", async () => {
    const all = await Array.fromAsync(jobs.walkAll(store));
    return all.every(({ row }) => hasEnded(row) || !kinds.some(({ kind }) => kind === row.kind));
  });
  await Promise.race([done, told.promise]);
  await runner.stop();
  store.kv.close();
  Deno.exit(0);
}
