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

/** What the market of this process keeps, and has done since it began. */
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

const NO_MARKET: MarketFigures = {
  tableBytes: 0,
  movesKept: 0,
  movesCut: 0,
  productsReadAnew: 0,
  loads: {},
  checkpoints: {},
  trendDays: {},
};

/** How many there are of each, by the label that the figure has for it. */
export type CountByLabel = () => Promise<ReadonlyMap<string, number>>;

/** What other rooms count when somebody asks; the same in every process of a store. */
export interface RoomCounts {
  /** Sources of imports that are fetched, by what came of the last time. */
  readonly pulls: CountByLabel;
  /** Prices that the ERP has fetched and that have not come back, by what is known of them. */
  readonly awaitedPrices: CountByLabel;
  /** Pages that bring no price, by what is the matter with them. */
  readonly failingPages: CountByLabel;
  /** Shops by how their recipe stands. */
  readonly recipes: CountByLabel;
  /** Suggested links by what became of them. */
  readonly suggestions: CountByLabel;
  /** Brakes that are closed, and prices that wait because they look wrong, by what they are. */
  readonly resting: CountByLabel;
  /** Pages of shops that this process has read, by what they were. */
  readonly pages: () => Readonly<Record<string, number>>;
}

const NO_COUNT: CountByLabel = () => Promise.resolve(new Map());
const NO_COUNTS: RoomCounts = {
  pulls: NO_COUNT,
  awaitedPrices: NO_COUNT,
  recipes: NO_COUNT,
  failingPages: NO_COUNT,
  suggestions: NO_COUNT,
  resting: NO_COUNT,
  pages: () => ({}),
};

export function createRequestMetrics(
  store: Store,
  market: () => MarketFigures = () => NO_MARKET,
  counts: RoomCounts = NO_COUNTS,
): RequestMetrics {
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
  addMarket(registry, market);
  addJobs(registry, store);
  addSpool(registry, store);
  addCount(registry, counts.pulls, {
    name: "kurant_import_pulls",
    help: "Import sources that are fetched, by what came of the last time",
    label: "outcome",
  });
  addCount(registry, counts.awaitedPrices, {
    name: "kurant_awaited_prices",
    help:
      "Fetched prices that no import has brought back; at most 10000 of a workspace are counted",
    label: "status",
  });
  addCount(registry, counts.resting, {
    name: "kurant_resting",
    help:
      "Closed brakes and held prices, by what they are; at most 10000 each of a workspace are counted",
    label: "what",
  });
  addCount(registry, counts.failingPages, {
    name: "kurant_failing_pages",
    help: "Pages of shops that bring no price, by what is the matter with them",
    label: "cause",
  });
  addCount(registry, counts.recipes, {
    name: "kurant_shop_recipes",
    help: "Shops whose pages have taught something, by how the recipe stands",
    label: "status",
  });
  addCount(registry, counts.suggestions, {
    name: "kurant_match_suggestions",
    help: "Pages of shops that may show products of ours, by what became of the suggestion",
    label: "status",
  });
  new Counter({
    name: "kurant_pages_total",
    help: "Pages of shops that were read, by what they were",
    labelNames: ["status"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [status, count] of Object.entries(counts.pages())) this.inc({ status }, count);
    },
  });
  return {
    count(sentMethod, status, durationMs) {
      const method = METHODS.has(sentMethod) ? sentMethod : "other";
      requests.inc({ method, status: String(status) });
      duration.observe({ method }, durationMs / 1000);
    },
    render: () => registry.metrics(),
  };
}

/** Counted by who does it, told when somebody asks. */
function addMarket(registry: Registry, market: () => MarketFigures): void {
  const gauge = (name: string, help: string, valueOf: (figures: MarketFigures) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(valueOf(market()));
      },
    });
  const counter = (
    name: string,
    help: string,
    labelName: string | null,
    countsOf: (figures: MarketFigures) => Readonly<Record<string, number>>,
  ) =>
    new Counter({
      name,
      help,
      labelNames: labelName === null ? [] : [labelName],
      registers: [registry],
      collect() {
        this.reset();
        for (const [label, count] of Object.entries(countsOf(market()))) {
          this.inc(labelName === null ? {} : { [labelName]: label }, count);
        }
      },
    });
  gauge(
    "kurant_market_table_bytes",
    "Memory of the market tables of this process, about",
    ({ tableBytes }) => tableBytes,
  );
  counter("kurant_market_loads_total", "Market tables loaded", "from", ({ loads }) => loads);
  counter(
    "kurant_market_products_read_total",
    "Products read anew to bring tables up to date",
    null,
    ({ productsReadAnew: all }) => ({ all }),
  );
  counter(
    "kurant_market_checkpoints_total",
    "Checkpoints of market tables",
    "outcome",
    ({ checkpoints }) => checkpoints,
  );
  gauge(
    "kurant_market_moves",
    "Moves of the last two days kept in memory",
    ({ movesKept }) => movesKept,
  );
  counter(
    "kurant_market_moves_cut_total",
    "Answers that told only the newest of very many moves",
    null,
    ({ movesCut: all }) => ({ all }),
  );
  counter(
    "kurant_market_trend_days_total",
    "Days of trends, by workspace and day",
    "outcome",
    ({ trendDays }) => trendDays,
  );
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

interface CountedFigure {
  readonly name: string;
  readonly help: string;
  readonly label: string;
}

/** Read when somebody asks; the same in every process of a store. */
function addCount(
  registry: Registry,
  count: CountByLabel,
  { name, help, label }: CountedFigure,
): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [value, found] of await count().catch(() => [])) {
        this.set({ [label]: value }, found);
      }
    },
  });
}
