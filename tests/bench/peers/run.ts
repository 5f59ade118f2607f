/**
 * Writes the same products to Kurant and to peers, and lists them, one service after the other;
 * each round starts with another service. Prints the table of docs/performance.md with medians of
 * the rounds, the verdicts on the budgets, and the parts of Kurant's time. Missing peers are
 * skipped with a message. `deno task bench:peers [products] [rounds]`
 */
import { argv } from "node:process";
import { usedBytes } from "../capacity_figure.ts";
import { processorMs } from "../../other_process.ts";
import { type Article, articleOf } from "./article.ts";
import { startDirectus } from "./directus.ts";
import { startKurant } from "./kurant.ts";
import { type Peer, run } from "./peer.ts";
import { DIRECTUS_VERSION, peerPlaces, POCKETBASE_VERSION } from "./places.ts";
import { startPocketBase } from "./pocketbase.ts";
import { median, say, timed } from "../slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const ROUNDS = Number(argv[3] ?? 5);
/** Number of products whose price is checked after each step. */
const SAMPLES = 25;
type Start = (folder: string) => Promise<Peer>;

/** Cost of a step per 1,000 products. */
interface Cost {
  readonly elapsedMs: number;
  /** Processor time of the service's process, without the client. */
  readonly processorMs: number;
}

const STEPS = ["new", "changed", "listed"] as const;
type Step = (typeof STEPS)[number];

/** How many times as fast as PocketBase Kurant must be. */
const BUDGETS: Readonly<Record<Step, Cost>> = {
  new: { elapsedMs: 1.8, processorMs: 2.5 },
  changed: { elapsedMs: 2.5, processorMs: 3 },
  listed: { elapsedMs: 2.8, processorMs: 3.8 },
};

interface Figures {
  readonly name: string;
  readonly way: string;
  readonly costs: Readonly<Record<Step, Cost>>;
  /** Bytes per product: of the pages in use, and of the whole file. */
  readonly usedBytes: number;
  readonly fileBytes: number;
}

/** Milliseconds in which Kurant reads 1,000 products: from bytes to records, and only the XML. */
interface Reading {
  readonly recordsMs: number;
  readonly xmlMs: number;
}

const places = peerPlaces();
const starts: Start[] = [startKurant];
if (await isThere(places.pocketBase, `PocketBase ${POCKETBASE_VERSION}`)) {
  starts.push((folder) => startPocketBase(places.pocketBase, folder));
}
if (await isThere(places.directus, `Directus ${DIRECTUS_VERSION}`)) {
  starts.push((folder) => startDirectus({ node: places.node, installed: places.directus }, folder));
}

const first = articles(1);
const second = articles(2);
const found: Figures[][] = starts.map(() => []);
const readings: Reading[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const [load = 0] = Deno.loadavg();
  say(`round ${round + 1} of ${ROUNDS}, ${load.toFixed(1)} processes waiting or at work`);
  for (let turn = 0; turn < starts.length; turn++) {
    const service = (round + turn) % starts.length;
    const start = starts[service];
    if (start) found[service]?.push(await measure(start));
  }
  readings.push({ recordsMs: await readingMs("records"), xmlMs: await readingMs("xml") });
}
const services = found.flatMap(mediansOf);
table();
verdicts();
whatIsLeft();

function articles(revision: number): Article[] {
  return Array.from({ length: PRODUCTS }, (_, n) => articleOf(n, revision));
}

async function measure(start: Start): Promise<Figures> {
  const folder = await Deno.makeTempDir({ prefix: "kurant-peer-" });
  try {
    const { storePath, ...figures } = await measureSteps(await start(folder));
    // Measured after the service has stopped and merged its log into the file.
    const weight = {
      usedBytes: usedBytes({ storePath }) / PRODUCTS,
      fileBytes: (await Deno.stat(storePath)).size / PRODUCTS,
    };
    say(
      `${figures.name}: ${
        STEPS.map((step) => `${wordsOf(figures.costs[step])} ${step}`).join(", ")
      }`,
    );
    return { ...figures, ...weight };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
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
  for (
    let after: string | null = null, isFirst = true;
    isFirst || after !== null;
    isFirst = false
  ) {
    const { skus, next } = await peer.page(after);
    for (const sku of skus) listed.add(sku);
    after = next;
  }
  if (listed.size !== PRODUCTS) {
    throw new Error(`${peer.name} lists ${listed.size} of ${PRODUCTS}`);
  }
}

/** Runs in a new process, as the server does. */
async function readingMs(what: "records" | "xml"): Promise<number> {
  const program = new URL("reading.ts", import.meta.url).pathname;
  const args = ["run", "--quiet", "--allow-all", program, what, String(PRODUCTS)];
  return Number(await run(Deno.execPath(), args, {})) / PRODUCTS * 1_000;
}

/** Products per second, and milliseconds of the processor per 1,000 products. */
function wordsOf({ elapsedMs, processorMs }: Cost): string {
  const rate = Math.round(1_000_000 / elapsedMs).toLocaleString("en");
  return `${rate}/s, ${Math.round(processorMs)} ms`;
}

/** Medians of a service's rounds; empty if there are none. */
function mediansOf(rounds: readonly Figures[]): Figures[] {
  const [one] = rounds;
  if (!one) return [];
  const cost = (step: Step): Cost => ({
    elapsedMs: median(rounds.map(({ costs }) => costs[step].elapsedMs)),
    processorMs: median(rounds.map(({ costs }) => costs[step].processorMs)),
  });
  return [{
    ...one,
    costs: { new: cost("new"), changed: cost("changed"), listed: cost("listed") },
    usedBytes: median(rounds.map((figures) => figures.usedBytes)),
    fileBytes: median(rounds.map((figures) => figures.fileBytes)),
  }];
}

/** Kurant's speed as a multiple of the other service's, by elapsed and by processor time. */
function ratiosOf(own: Figures, other: Figures, step: Step): Cost {
  const [mine, theirs] = [own.costs[step], other.costs[step]];
  return {
    elapsedMs: theirs.elapsedMs / mine.elapsedMs,
    processorMs: theirs.processorMs / mine.processorMs,
  };
}

function table(): void {
  const [own] = services;
  if (!own) return;
  say(
    `\n| ${PRODUCTS.toLocaleString("en")} products | How | New | Changed | Listed | Used; file |`,
  );
  say("| --- | --- | ---: | ---: | ---: | ---: |");
  for (const service of services) {
    const cells = STEPS.map((step) => {
      const words = wordsOf(service.costs[step]);
      if (service === own) return words;
      const { elapsedMs, processorMs } = ratiosOf(own, service, step);
      return `${words} (${elapsedMs.toFixed(1)} ×, ${processorMs.toFixed(1)} ×)`;
    });
    const weight = `${Math.round(service.usedBytes)}; ${Math.round(service.fileBytes)} B`;
    say(`| ${service.name} | ${service.way} | ${cells.join(" | ")} | ${weight} |`);
  }
}

function verdicts(): void {
  const [own] = services;
  const peer = services.find(({ name }) => name === "PocketBase");
  if (!own || !peer) return;
  say("");
  for (const step of STEPS) {
    const ratios = ratiosOf(own, peer, step);
    const words = ([["clock", "elapsedMs"], ["processor", "processorMs"]] as const).map(
      ([by, of]) => {
        const verdict = ratios[of] >= BUDGETS[step][of] ? "reached" : "MISSED";
        return `${ratios[of].toFixed(2)} × by the ${by} (≥ ${BUDGETS[step][of]}: ${verdict})`;
      },
    );
    say(`${step} against PocketBase: ${words.join(", ")}`);
  }
}

/** Milliseconds per 1,000 products are microseconds per product. */
function whatIsLeft(): void {
  const [own] = services;
  if (!own) return;
  const recordsMs = median(readings.map((reading) => reading.recordsMs));
  const xmlMs = median(readings.map((reading) => reading.xmlMs));
  say("\nKurant, microseconds of the processor a product:");
  for (const step of ["new", "changed"] as const) {
    const { processorMs } = own.costs[step];
    const share = (part: number) =>
      `${part.toFixed(0)} (${(part / processorMs * 100).toFixed(0)} %)`;
    say(
      `${step}: ${processorMs.toFixed(0)}, of which its XML ${share(xmlMs)}, ` +
        `records made of that ${share(recordsMs - xmlMs)}, all else ${
          share(processorMs - recordsMs)
        }`,
    );
  }
  say(`listed: ${own.costs.listed.processorMs.toFixed(1)}`);
}

async function isThere(path: string, what: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    say(`${what} is not at ${path}: "deno task bench:peers:install" puts it there`);
    return false;
  }
}
