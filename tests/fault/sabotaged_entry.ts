/**
 * Starts Kurant, and sabotages an import. With `DEADLY_JOB`, the process kills itself before that
 * job makes progress. With `STOPPED_IN_APPLYING`, it suspends itself (SIGSTOP) during an import.
 */
const deadlyJobId = Deno.env.get("DEADLY_JOB");
let commitsToStop = Deno.env.has("STOPPED_IN_APPLYING") ? 3 : Infinity;

const { set } = Deno.AtomicOperation.prototype;
Deno.AtomicOperation.prototype.set = function (key, value, options) {
  const job = jobOf(value);
  // A job's first commit only claims the job; the second would store progress.
  if (job?.jobId === deadlyJobId && job?.wasHeld) Deno.kill(Deno.pid, "SIGKILL");
  if (job?.isApplying && --commitsToStop === 0) {
    Deno.stderr.writeSync(new TextEncoder().encode("stops itself\n"));
    Deno.kill(Deno.pid, "SIGSTOP");
  }
  return set.call(this, key, value, options);
};

const held = new Set<string>();

/** Returns null unless the row is a job in progress. */
function jobOf(value: unknown) {
  if (typeof value !== "object" || value === null || !("lease" in value)) return null;
  const { jobId, lease, phase } = value as { jobId: string; lease: unknown; phase: string | null };
  if (lease === null) return null;
  const wasHeld = held.has(jobId);
  held.add(jobId);
  return { jobId, wasHeld, isApplying: phase === "apply" };
}

await import("../../main.ts");
