/**
 * Kills programs while they work. The moment depends on their progress, not on the speed of the machine:
 * a program reports each commit, and blocks after a given number until it is killed.
 */
import { equal } from "node:assert/strict";
import type { Store } from "../src/platform/store/kv.ts";
import { V8_FLAGS } from "./task_flags.ts";
import { watchedStore } from "./watched_store.ts";
import { temporaryFolder } from "./temporary_folder.ts";

/** How often a program is killed, as the names of tests say it. */
export const timesKilled = (kills: number): string => kills === 1 ? "once" : `${kills} times`;

interface KilledProgram {
  readonly path: string;
  /** Arguments of the program; the allowed number of commits is appended. */
  readonly args: readonly string[];
}

const UNBOUNDED = "unbounded";
/** A blocked program ends by itself after this time, in case the test has gone. */
const ABANDONED_MS = 600_000;

/**
 * Wraps the store of the program, to report its commits and count them against the last argument.
 */
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
  /**
   * The commits that a process may make. Multiplied by `kills`, it must be less than the whole work
   * needs.
   */
  readonly commitsMax: number;
  /** Called after each kill and after the end. */
  readonly ended?: () => Promise<void>;
  /** Called after the last kill, while work is left. */
  readonly beforeTheLast?: () => Promise<void>;
}

/** A number of commits for each process of `killOnTheWay`, so that work is left after the last kill. */
export function commitsPerKill(commits: number, kills: number): number {
  return Math.floor(0.8 * commits / kills);
}

/** Starts and kills the program repeatedly while it works, then lets it finish. */
export async function killOnTheWay(plan: KillPlan): Promise<void> {
  for (let kill = 0; kill < plan.kills; kill++) {
    // Every other process may use all its commits, so that the kills cover all of the work.
    const share = kill % 2 === 0 ? Math.random() : 1;
    await killAfter(plan, Math.ceil(share * (plan.commitsMax - 1)) + 1, plan.commitsMax);
    await plan.ended?.();
  }
  await plan.beforeTheLast?.();
  equal(await runToTheEnd(plan), 0);
  await plan.ended?.();
}

/** Starts the program and kills it after `commits` commits; it makes at most `most`. */
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

/** Lets the program finish; returns its exit code. */
export async function runToTheEnd(program: KilledProgram): Promise<number> {
  return (await command(program, UNBOUNDED, "null").spawn().status).code;
}

/** Sends SIGTERM after `commits` commits; returns the exit code. */
export async function stopOnTheWay(program: KilledProgram, commits: number): Promise<number> {
  const child = command(program, UNBOUNDED, "piped").spawn();
  await passCommits(child, commits);
  child.kill("SIGTERM");
  const [{ code }] = await Promise.all([child.status, child.stdout.pipeTo(new WritableStream())]);
  return code;
}

/** The number of commits that the program needs, counted on a copy of its data folder. */
export async function countCommits(
  dataDir: string,
  programOn: (dataDir: string) => KilledProgram,
): Promise<number> {
  await using copy = await temporaryFolder();
  for await (const { name } of Deno.readDir(dataDir)) {
    await Deno.copyFile(`${dataDir}/${name}`, `${copy.path}/${name}`);
  }
  const { code, stdout } = await command(programOn(copy.path), UNBOUNDED, "piped").output();
  equal(code, 0);
  return stdout.length;
}

/** Waits for `count` commits; fails when the program ends before. */
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
