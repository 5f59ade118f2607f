/**
 * Writes the same products to Kurant and to PocketBase, and lists them, one service after the
 * other. The first service alternates from round to round. Prints the table of docs/performance.md
 * with medians of the rounds. `deno task bench:peers [products]
 * [rounds]`, after `deno task bench:peers:install`
 */
import { argv } from "node:process";
import { processorMs } from "../../other_process.ts";
import { temporaryFolder } from "../../temporary_folder.ts";
import { type Article, articleOf } from "../erp_items.ts";
import { type Peer, startKurant, startPocketBase } from "./services.ts";
import { usedBytes } from "../used_bytes.ts";
import { alternately, median, say, timed } from "../slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const ROUNDS = Number(argv[3] ?? 5);
const SAMPLES = 25;

const STARTS = { kurant: startKurant, pocketBase: startPocketBase } as const;

interface Cost {
  readonly elapsedMs: number;
  /** Processor time of the service's process, without the client. */
  readonly processorMs: number;
}

const STEPS = ["new", "changed", "listed"] as const;
type Step = (typeof STEPS)[number];

interface Figures {
  readonly name: string;
  readonly way: string;
  readonly costs: Readonly<Record<Step, Cost>>;
  readonly usedBytes: number;
  readonly fileBytes: number;
}

const first = articles(1);
const second = articles(2);
const found = await alternately(["kurant", "pocketBase"], { rounds: ROUNDS }, measure);
say(`\n| ${PRODUCTS.toLocaleString("en")} products | How | New | Changed | Listed | Used; file |`);
say("| --- | --- | ---: | ---: | ---: | ---: |");
tellRow(found.kurant, (step) => wordsOf(medianCost(found.kurant, step)));
tellRow(found.pocketBase, (step) => {
  const [own, peer] = [medianCost(found.kurant, step), medianCost(found.pocketBase, step)];
  const ratio = (name: keyof Cost) => `${(peer[name] / own[name]).toFixed(1)} ×`;
  return `${wordsOf(peer)} (${ratio("elapsedMs")}, ${ratio("processorMs")})`;
});

function articles(revision: number): Article[] {
  return Array.from({ length: PRODUCTS }, (_, n) => articleOf(n, revision));
}

async function measure(service: keyof typeof STARTS): Promise<Figures> {
  await using folder = await temporaryFolder();
  const { storePath, ...figures } = await measureSteps(await STARTS[service](folder.path));
  // Measured after the service has stopped and merged its log into the file.
  const weight = {
    usedBytes: usedBytes({ storePath }) / PRODUCTS,
    fileBytes: (await Deno.stat(storePath)).size / PRODUCTS,
  };
  const words = STEPS.map((step) => `${wordsOf(figures.costs[step])} ${step}`).join(", ");
  say(`${figures.name}: ${words}, load ${Deno.loadavg()[0]?.toFixed(1)}`);
  return { ...figures, ...weight };
}

async function measureSteps(started: Peer) {
  await using peer = started;
  const { name, way, storePath } = peer;
  const made = await costOf(peer, () => peer.upsert(first));
  await requirePrices(peer, first);
  const changed = await costOf(peer, () => peer.upsert(second));
  await requirePrices(peer, second);
  const listed = await costOf(peer, () => listAll(peer));
  return { name, way, storePath, costs: { new: made, changed, listed } };
}

async function costOf({ pid }: Peer, work: () => Promise<void>): Promise<Cost> {
  const { ms, cpuMs } = await timed(work, () => processorMs(pid));
  const thousands = PRODUCTS / 1_000;
  return { elapsedMs: ms / thousands, processorMs: cpuMs / thousands };
}

async function requirePrices(peer: Peer, expected: readonly Article[]): Promise<void> {
  for (let n = 0; n < PRODUCTS; n += Math.max(1, Math.floor(PRODUCTS / SAMPLES))) {
    const { sku = "", priceCents } = expected[n] ?? {};
    const price = await peer.priceOf(sku);
    if (price !== priceCents) throw new Error(`${peer.name} has ${price} for ${sku}`);
  }
}

async function listAll(peer: Peer): Promise<void> {
  const listed = new Set<string>();
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Peer["page"]>> = await peer.page(after);
    for (const sku of page.skus) listed.add(sku);
    after = page.next;
  } while (after !== null);
  if (listed.size !== PRODUCTS) {
    throw new Error(`${peer.name} lists ${listed.size} of ${PRODUCTS}`);
  }
}

function wordsOf({ elapsedMs, processorMs }: Cost): string {
  const rate = Math.round(1_000_000 / elapsedMs).toLocaleString("en");
  return `${rate}/s, ${Math.round(processorMs)} ms`;
}

function medianCost(rounds: readonly Figures[], step: Step): Cost {
  const of = (name: keyof Cost) => median(rounds.map(({ costs }) => costs[step][name]));
  return { elapsedMs: of("elapsedMs"), processorMs: of("processorMs") };
}

function tellRow(rounds: readonly Figures[], cellOf: (step: Step) => string): void {
  const [one] = rounds;
  if (!one) throw new Error("At least one round is needed");
  const bytes = (name: "usedBytes" | "fileBytes") =>
    Math.round(median(rounds.map((figures) => figures[name])));
  const weight = `${bytes("usedBytes")}; ${bytes("fileBytes")} B`;
  say(`| ${[one.name, one.way, ...STEPS.map(cellOf), weight].join(" | ")} |`);
}
