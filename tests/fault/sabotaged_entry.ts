/**
 * Starts Kurant, and sabotages an import. With `DEADLY_JOB`, the process kills itself before that
 * job makes progress. With `STOPPED_IN_APPLYING`, it suspends itself (SIGSTOP) during an import.
 */
import type { Job } from "../../src/platform/jobs/job.ts";

const deadlyJobId = Deno.env.get("DEADLY_JOB");
let commitsToStop = Deno.env.has("STOPPED_IN_APPLYING") ? 3 : Infinity;

const { set } = Deno.AtomicOperation.prototype;
Deno.AtomicOperation.prototype.set = function (key, value, options) {
  const job = jobOf(value);
  // The first commit with a lease only claims the job; later ones would store progress.
  if (job?.jobId === deadlyJobId && job?.wasHeld) Deno.kill(Deno.pid, "SIGKILL");
  if (job?.wasHeld && job.isApplying && --commitsToStop === 0) {
    Deno.stderr.writeSync(new TextEncoder().encode("stops itself\n"));
    Deno.kill(Deno.pid, "SIGSTOP");
  }
  return set.call(this, key, value, options);
};

/** Tokens of leases that have been written before. */
const held = new Set<string>();

/** Returns null unless the row is a job in progress. */
function jobOf(value: unknown) {
  if (typeof value !== "object" || value === null || !("lease" in value)) return null;
  const { jobId, lease, phase } = value as Pick<Job, "jobId" | "lease" | "phase">;
  if (lease === null) return null;
  const wasHeld = held.has(lease.token);
  held.add(lease.token);
  return { jobId, wasHeld, isApplying: phase === "apply" };
}

await import("../../main.ts");
