/** Reads memory and descriptors of a server's process every second, and measures its delays. */
import { memoryMib } from "../processor_time.ts";

export interface Sample {
  readonly atMs: number;
  readonly residentMb: number;
  readonly descriptors: number;
}

export async function sampleProcess(pid: number): Promise<Sample | null> {
  const mib = await memoryMib(pid, "VmRSS");
  const open = await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`)).catch(() => null);
  if (mib === null || open === null) return null;
  return { atMs: performance.now(), residentMb: mib * 1.024, descriptors: open.length };
}

const EVERY_MS = 1_000;

export function watchProcess(pid: number) {
  const samples: Sample[] = [];
  const timer = setInterval(async () => {
    const sample = await sampleProcess(pid);
    if (sample) samples.push(sample);
  }, EVERY_MS);
  return { samples, stop: () => clearInterval(timer) };
}

/** A request to `/healthz`, which needs no work, so `tookMs` shows the delay of the event loop. */
export interface Beat {
  readonly atMs: number;
  readonly tookMs: number;
  /** CPU time of the event loop's thread during the request; null without `/proc`. */
  readonly workedMs: number | null;
  /** How long the event loop's thread waited for a core; null without `/proc`. */
  readonly waitedMs: number | null;
}

const BEAT_MS = 100;

/** Measures a server's delays from a separate process; `pid` is the server's process id. */
export function startProbe(
  base: string,
  { pid = null, everyMs = BEAT_MS }: { pid?: number | null; everyMs?: number } = {},
) {
  const file = new URL("./health_probe.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--allow-all", file]
      .concat(base, String(pid ?? ""), String(everyMs)),
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const beats: Beat[] = [];
  const reading = (async () => {
    let rest = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) beats.push({ atMs: performance.now(), ...JSON.parse(line) });
    }
  })();
  return {
    beats,
    async stop() {
      child.kill("SIGKILL");
      await Promise.all([child.status, reading]);
    },
  };
}

/** Returns the quantile at `share` without interpolation; 0 if there are no numbers. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
