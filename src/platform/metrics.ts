/**
 * Figures for `/metrics` (docs/decisions/running.md): requests, jobs of the store, the process
 * itself.
 */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { RequestCounter } from "./http/http_app.ts";
import { countJobs } from "./jobs/job_store.ts";
import type { Store } from "./store/kv.ts";
import { sumUsage } from "./spool/spool_store.ts";

export interface RequestMetrics extends RequestCounter {
  /** Prometheus text format 0.0.4. */
  render(): Promise<string>;
}

/** Each label value is a series that stays, and clients may make methods up. */
const METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PATCH", "PUT", "DELETE"]);

/** A count costs a row each: beyond this a queue is simply long. */
const QUEUED_MAX = 10_000;

export function createRequestMetrics(store: Store): RequestMetrics {
  const registry = new Registry();
  const requests = new Counter({
    name: "kurant_http_requests_total",
    help: "Answered requests",
    labelNames: ["method", "status"],
    registers: [registry],
  });
  const duration = new Histogram({
    name: "kurant_http_request_duration_seconds",
    help: "Time from the first byte of a request to its answer",
    labelNames: ["method"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    registers: [registry],
  });
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory",
    registers: [registry],
    collect() {
      this.set(Deno.memoryUsage().rss);
    },
  });
  addJobs(registry, store);
  addSpool(registry, store);
  return {
    count(sentMethod, status, durationMs) {
      const method = METHODS.has(sentMethod) ? sentMethod : "other";
      requests.inc({ method, status: String(status) });
      duration.observe({ method }, durationMs / 1000);
    },
    render: () => registry.metrics(),
  };
}

/** Read when somebody asks; the same in every process of a store. */
function addJobs(registry: Registry, store: Store): void {
  new Gauge({
    name: "kurant_jobs",
    help: `Jobs that have not ended; of those that are queued at most ${QUEUED_MAX} are counted`,
    labelNames: ["kind", "status"],
    registers: [registry],
    async collect() {
      this.reset();
      // A store that does not answer is what /readyz tells: the other figures are wanted then, too.
      const counts = await countJobs(store, QUEUED_MAX).catch(() => []);
      for (const { kind, status, count } of counts) this.set({ kind, status }, count);
    },
  });
}

/** Read when somebody asks; the same in every process of a store. */
function addSpool(registry: Registry, store: Store): void {
  new Gauge({
    name: "kurant_spool_bytes",
    help: "Room that uploads take in the store: arriving, waiting, at work, kept",
    registers: [registry],
    async collect() {
      this.reset();
      const bytes = await sumUsage(store).catch(() => null);
      if (bytes !== null) this.set(bytes);
    },
  });
}
