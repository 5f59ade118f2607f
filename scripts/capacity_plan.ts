/**
 * Computes the resources for a given demand from measured figures, and prints the tables of
 * docs/scale.md: `deno run scripts/capacity_plan.ts`.
 */
import { stdout } from "node:process";

export const DEMAND = {
  workspaces: 1_000,
  products: 100_000,
  competitors: 5,
  checksPerDay: 4,
} as const;

/** Rounded figures of the first table of the plan in docs/scale.md. */
const MEASURED = {
  productBytes: 582,
  linkBytes: 664,
  freshBytes: 316,
  packedBytes: 36,
  /** One run with five targets, without its observations. */
  runBytes: 14_000,
  commitsPerPage: 2.2,
  cpuMsPerPage: 26,
  pageBytes: 70_900,
  packedPerSecond: 8_500,
  fileCommitsPerSecond: 2_500,
  remoteCommitsPerSecond: 3_460,
} as const;

/**
 * Limits of the program. `freshDays` and `keptDays` concern observations, `runDays` concerns runs.
 * `duePerMinute` is the number of due products in one pass of the schedule.
 */
const SET = {
  freshDays: 30,
  keptDays: 400,
  runDays: 90,
  duePerMinute: 4_000,
  pagesAtOnce: 64,
  shopDelaySeconds: 2,
} as const;

const DAY_SECONDS = 86_400;
/** Assumed time to fetch a page of a shop. */
const PAGE_SECONDS = 0.5;

type Row = readonly [what: string, ofOne: string, ofAll: string];

/** The needs of one workspace and of all workspaces. */
export function planRows(): Row[] {
  const links = DEMAND.products * DEMAND.competitors;
  const pages = links * DEMAND.checksPerDay;
  const runs = DEMAND.products * DEMAND.checksPerDay;
  const { productBytes, linkBytes, freshBytes, packedBytes, runBytes, pageBytes } = MEASURED;
  const bytes = {
    catalogue: DEMAND.products * productBytes + links * linkBytes,
    fresh: pages * SET.freshDays * freshBytes,
    packed: pages * (SET.keptDays - SET.freshDays) * packedBytes,
    runs: runs * SET.runDays * runBytes,
  };
  const all = Object.values(bytes).reduce((sum, one) => sum + one, 0);
  const { workspaces } = DEMAND;
  const row = (what: string, show: (n: number) => string, one: number): Row => [
    what,
    show(one),
    show(one * workspaces),
  ];
  return [
    row("products", count, DEMAND.products),
    row("links", count, links),
    row("pages a day", count, pages),
    row("pages a second", count, pages / DAY_SECONDS),
    row("runs a second", count, runs / DAY_SECONDS),
    row("commits a second", count, pages / DAY_SECONDS * MEASURED.commitsPerPage),
    row(
      "cores for fetching and reading",
      count,
      pages / DAY_SECONDS * MEASURED.cpuMsPerPage / 1_000,
    ),
    row("Mbit/s from the shops", count, pages / DAY_SECONDS * pageBytes * 8 / 1e6),
    row("catalogue", size, bytes.catalogue),
    row(`observations of ${SET.freshDays} days, fresh`, size, bytes.fresh),
    row(`observations of ${SET.keptDays - SET.freshDays} days, packed`, size, bytes.packed),
    row(`runs of ${SET.runDays} days`, size, bytes.runs),
    row("all data", size, all),
    row("minutes of packing a night", count, pages / MEASURED.packedPerSecond / 60),
  ];
}

/** How many stores or processes each limit requires, and the limit per shop. */
export function limitRows(): Row[] {
  const pagesPerSecond = DEMAND.workspaces * DEMAND.products * DEMAND.competitors *
    DEMAND.checksPerDay / DAY_SECONDS;
  const runsPerSecond = pagesPerSecond / DEMAND.competitors;
  const commits = pagesPerSecond * MEASURED.commitsPerPage;
  const perShop = DAY_SECONDS / SET.shopDelaySeconds;
  const need = (what: string, limit: string, number: number): Row => [what, limit, count(number)];
  const { duePerMinute, pagesAtOnce } = SET;
  const pagesPerProcess = pagesAtOnce / PAGE_SECONDS;
  return [
    need(
      "stores, limited by the schedule",
      `${count(duePerMinute)} due products a minute`,
      Math.ceil(runsPerSecond / (duePerMinute / 60)),
    ),
    need(
      "stores that are files, limited by commits",
      `${count(MEASURED.fileCommitsPerSecond)} commits/s`,
      Math.ceil(commits / MEASURED.fileCommitsPerSecond),
    ),
    need(
      "stores of denokv, limited by commits",
      `${count(MEASURED.remoteCommitsPerSecond)} commits/s`,
      Math.ceil(commits / MEASURED.remoteCommitsPerSecond),
    ),
    need(
      `processes, at ${PAGE_SECONDS} s a page`,
      `${pagesAtOnce} pages at once: ${count(pagesPerProcess)} pages/s`,
      Math.ceil(pagesPerSecond / pagesPerProcess),
    ),
    need(
      "shops, each at its limit day and night",
      `${count(perShop)} requests a day`,
      Math.ceil(pagesPerSecond * DAY_SECONDS / perShop),
    ),
    need(
      "products of one shop that can be visited 4 times a day",
      `${count(perShop)} requests a day`,
      Math.floor(perShop / DEMAND.checksPerDay),
    ),
  ];
}

function count(number: number): string {
  return Number(number.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 2 });
}

function size(bytes: number): string {
  const power = Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const unit = ["B", "KB", "MB", "GB", "TB"][power] ?? "";
  return `${count(bytes / 1_000 ** power)} ${unit}`;
}

/** In Markdown; `deno fmt` aligns the columns. */
export function planTables(): string[] {
  const table = (head: string, rows: readonly Row[]) =>
    [head, "| --- | --- | --- |", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");
  const all = `${count(DEMAND.workspaces)} workspaces`;
  return [
    table(`| Arithmetic | One workspace | ${all} |`, planRows()),
    table("| Needed, by arithmetic | Each takes | Number |", limitRows()),
  ];
}

if (import.meta.main) stdout.write(`${planTables().join("\n\n")}\n`);
