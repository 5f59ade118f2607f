/** The metrics at `/metrics` (docs/operations.md). */
import { longestStallMs } from "./event_loop.ts";
import type { RequestCounter } from "./http/http_app.ts";
import { countJobs } from "./jobs/job_store.ts";
import { droppedLogLines } from "./log.ts";
import type { Store } from "./store/kv.ts";
import { sumUsage } from "./store/spool_store.ts";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

export interface RequestMetrics extends RequestCounter {
  render(): Promise<string>;
}

/** Metrics whose names end with `_total` are counters; all others are gauges. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  read(): Counts | Promise<Counts>;
}

type Counts = number | Iterable<readonly [...values: string[], count: number]>;

/** An unknown method is counted as `other`, because callers can invent any number of methods. */
const METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PATCH", "PUT", "DELETE"]);

/** Counting stops at this number of queued jobs, because each counted job costs a read. */
const QUEUED_MAX = 10_000;

export function createRequestMetrics(store: Store, figures: readonly Figure[]): RequestMetrics {
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
  for (const figure of [...ownFigures(store), ...figures]) addFigure(registry, figure);
  return {
    count(sentMethod, status, durationMs) {
      const method = METHODS.has(sentMethod) ? sentMethod : "other";
      requests.inc({ method, status: String(status) });
      duration.observe({ method }, durationMs / 1000);
    },
    render: () => registry.metrics(),
  };
}

function ownFigures(store: Store): Figure[] {
  return [{
    name: "process_resident_memory_bytes",
    help: "Resident memory",
    read: () => Deno.memoryUsage().rss,
  }, {
    name: "kurant_log_lines_dropped_total",
    help: "Log lines that standard error did not take",
    read: droppedLogLines,
  }, {
    name: "kurant_event_loop_stall_seconds",
    help: "The longest time of the last one to two minutes in which this process answered nobody",
    read: () => longestStallMs() / 1_000,
  }, {
    name: "kurant_jobs",
    help: `Jobs that have not ended; of those that are queued at most ${QUEUED_MAX} are counted`,
    labels: ["kind", "status"],
    async read() {
      const counts = await countJobs(store, QUEUED_MAX);
      return counts.map(({ kind, status, count }) => [kind, status, count] as const);
    },
  }, {
    name: "kurant_spool_bytes",
    help: "Room that uploads take in the store: arriving, waiting, at work, kept",
    read: () => sumUsage(store),
  }];
}

function addFigure(registry: Registry, { name, help, labels = [], read }: Figure): void {
  const entries = async () => {
    // If a metric cannot be read, the other metrics must still appear.
    const counts = await Promise.resolve().then(read).catch(() => []);
    if (typeof counts === "number") return [{ values: {}, count: counts }];
    return Array.from(counts, (row) => ({
      values: Object.fromEntries(labels.map((label, at) => [label, String(row[at])])),
      count: Number(row.at(-1)),
    }));
  };
  const figure = { name, help, labelNames: [...labels], registers: [registry] };
  const collect = async (metric: Counter | Gauge) => {
    const found = await entries();
    metric.reset();
    for (const { values, count } of found) metric.inc(values, count);
  };
  if (name.endsWith("_total")) {
    const counter: Counter = new Counter({ ...figure, collect: () => collect(counter) });
  } else {
    const gauge: Gauge = new Gauge({ ...figure, collect: () => collect(gauge) });
  }
}
