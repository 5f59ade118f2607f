/** What the kernel says of a process, once a second, and how long a server takes to say that it lives. */
import { memoryMib } from "../other_process.ts";

export interface Sample {
  readonly atMs: number;
  readonly residentMb: number;
  readonly descriptors: number;
}

/** Null where the kernel has no `/proc`. */
export async function sampleProcess(pid: number): Promise<Sample | null> {
  try {
    const mib = await memoryMib(pid, "VmRSS");
    if (mib === null) return null;
    const descriptors = (await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`))).length;
    return { atMs: performance.now(), residentMb: mib * 1.024, descriptors };
  } catch {
    // Another system, or a process that has ended: the summary says that there are no figures.
    return null;
  }
}

export interface Watch {
  readonly samples: readonly Sample[];
  stop(): void;
}

const EVERY_MS = 1_000;

/** Samples a process until it is stopped. */
export function watchProcess(pid: number): Watch {
  const samples: Sample[] = [];
  const timer = setInterval(async () => {
    const sample = await sampleProcess(pid);
    if (sample) samples.push(sample);
  }, EVERY_MS);
  return { samples, stop: () => clearInterval(timer) };
}

/** One answer of `/healthz`: as it does no work, its time is the delay of the server's event loop. */
export interface Beat {
  readonly atMs: number;
  readonly tookMs: number;
  /** What the thread of the event loop had of the processor meanwhile; null where the kernel does not tell. */
  readonly workedMs: number | null;
}

/** What a probe is told: where the server is, and its process where that is known. */
export interface Probed {
  readonly base: string;
  readonly pid: number | null;
}

export interface Probe {
  readonly beats: readonly Beat[];
  stop(): void;
}

/** Asks from a thread of its own, whose own delay is small. */
export function startProbe(base: string, pid: number | null = null): Probe {
  const worker = new Worker(new URL("./probe_worker.ts", import.meta.url), { type: "module" });
  const beats: Beat[] = [];
  worker.onmessage = ({ data }: MessageEvent<Omit<Beat, "atMs">>) => {
    beats.push({ atMs: performance.now(), ...data });
  };
  const probed: Probed = { base, pid };
  worker.postMessage(probed);
  return { beats, stop: () => worker.terminate() };
}
