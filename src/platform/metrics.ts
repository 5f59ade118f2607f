/**
 * Figures for `/metrics` (docs/decisions/running.md): requests, jobs of the store, the process
 * itself.
 */

import { longestStallMs } from "./event_loop.ts";
import type { RequestCounter } from "./http/http_app.ts";
import { countJobs } from "./jobs/job_store.ts";
import { droppedLogLines } from "./log.ts";
import type { Store } from "./store/kv.ts";
import { sumUsage } from "./store/spool_store.ts";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

export interface RequestMetrics extends RequestCounter {
  /** Prometheus text format 0.0.4. */
  render(): Promise<string>;
}

/** Each label value is a series that stays, and clients may make methods up. */
const METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PATCH", "PUT", "DELETE"]);

/** A count costs a row each: beyond this a queue is simply long. */
const QUEUED_MAX = 10_000;

/** Figures of this process's market since its start. */
export interface MarketFigures {
  readonly tableBytes: number;
  readonly movesKept: number;
  readonly movesCut: number;
  readonly productsReadAnew: number;
  /** By what from. */
  readonly loads: Readonly<Record<string, number>>;
  /** By what became of them, as the days. */
  readonly checkpoints: Readonly<Record<string, number>>;
  readonly trendDays: Readonly<Record<string, number>>;
}

/** The name of a figure, and its label, if it has one. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
}

/** A count of the store that is made on request; the same in every process of a store. */
export interface StoreFigure extends Figure {
  /** How many there are, by the label. */
  count(): Promise<ReadonlyMap<string, number>>;
}

export function createRequestMetrics(
  store: Store,
  market: () => MarketFigures,
  /** Pages of shops that this process has read, by what they were. */
  pagesRead: () => Readonly<Record<string, number>>,
  figures: readonly StoreFigure[],
): RequestMetrics {
  const registry = new Registry();
  const add = addingFigures(registry);
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
  const memory = { name: "process_resident_memory_bytes", help: "Resident memory" };
  add.gauge(memory, () => Deno.memoryUsage().rss);
  const logLines = {
    name: "kurant_log_lines_dropped_total",
    help: "Log lines that standard error did not take",
  };
  add.counter(logLines, droppedLogLines);
  const stall = {
    name: "kurant_event_loop_stall_seconds",
    help: "The longest time of the last one to two minutes in which this process answered nobody",
  };
  add.gauge(stall, () => longestStallMs() / 1_000);
  addMarket(add, market);
  addJobs(registry, store);
  const spool = {
    name: "kurant_spool_bytes",
    help: "Room that uploads take in the store: arriving, waiting, at work, kept",
  };
  add.gauge(spool, () => sumUsage(store).catch(() => 0));
  for (const figure of figures) add.gauge(figure, () => figure.count().catch(() => []));
  const pages = {
    name: "kurant_pages_total",
    help: "Pages of shops that were read, by what they were",
    label: "status",
  };
  add.counter(pages, () => Object.entries(pagesRead()));
  return {
    count(sentMethod, status, durationMs) {
      const method = METHODS.has(sentMethod) ? sentMethod : "other";
      requests.inc({ method, status: String(status) });
      duration.observe({ method }, durationMs / 1000);
    },
    render: () => registry.metrics(),
  };
}

/** Counts by the values of the label; of a figure without one, the number itself. */
type Found = number | Iterable<readonly [value: string, count: number]>;

/** Adds figures that are read on request. */
function addingFigures(registry: Registry) {
  const asked = ({ name, help, label }: Figure) => ({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
  });
  const entriesOf = ({ label = "" }: Figure, found: Found) =>
    typeof found === "number"
      ? [[{}, found] as const]
      : Array.from(found, ([value, count]) => [{ [label]: value }, count] as const);
  return {
    gauge: (figure: Figure, read: () => Found | Promise<Found>) =>
      new Gauge({
        ...asked(figure),
        async collect() {
          const entries = entriesOf(figure, await read());
          this.reset();
          for (const [labels, value] of entries) this.set(labels, value);
        },
      }),
    counter: (figure: Figure, read: () => Found) =>
      new Counter({
        ...asked(figure),
        collect() {
          this.reset();
          for (const [labels, count] of entriesOf(figure, read())) this.inc(labels, count);
        },
      }),
  };
}

/** Counters that their owners keep. */
function addMarket(add: ReturnType<typeof addingFigures>, market: () => MarketFigures): void {
  add.gauge(
    {
      name: "kurant_market_table_bytes",
      help: "Memory of the market tables of this process, about",
    },
    () => market().tableBytes,
  );
  add.counter(
    { name: "kurant_market_loads_total", help: "Market tables loaded", label: "from" },
    () => Object.entries(market().loads),
  );
  add.counter(
    {
      name: "kurant_market_products_read_total",
      help: "Products read anew to bring tables up to date",
    },
    () => market().productsReadAnew,
  );
  add.counter(
    {
      name: "kurant_market_checkpoints_total",
      help: "Checkpoints of market tables",
      label: "outcome",
    },
    () => Object.entries(market().checkpoints),
  );
  add.gauge(
    { name: "kurant_market_moves", help: "Moves of the last two days kept in memory" },
    () => market().movesKept,
  );
  add.counter(
    {
      name: "kurant_market_moves_cut_total",
      help: "Answers that told only the newest of very many moves",
    },
    () => market().movesCut,
  );
  add.counter(
    {
      name: "kurant_market_trend_days_total",
      help: "Days of trends, by workspace and day",
      label: "outcome",
    },
    () => Object.entries(market().trendDays),
  );
}

/** Read on request; the same in every process of a store. */
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
