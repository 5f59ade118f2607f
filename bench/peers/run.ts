/**
 * The same products into Kurant and into peers, and listed to the end again, one service after the
 * other on this machine; prints the table of docs/performance.md. What is not installed is left out
 * with a word. `deno task bench:peers [products] [rounds]`
 */
import { argv, stdout } from "node:process";
import { processorMs } from "../../tests/other_process.ts";
import { type Article, articleOf } from "./article.ts";
import { startDirectus } from "./directus.ts";
import { startKurant } from "./kurant.ts";
import type { Peer } from "./peer.ts";
import { DIRECTUS_VERSION, peerPlaces, POCKETBASE_VERSION } from "./places.ts";
import { startPocketBase } from "./pocketbase.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const ROUNDS = Number(argv[3] ?? 1);
type Start = (folder: string) => Promise<Peer>;

/** What one step took, per 1,000 products. */
interface Cost {
  readonly elapsedMs: number;
  /** Of the service's process; the client's own is in none of these. */
  readonly processorMs: number;
}

const STEPS = ["new", "changed", "listed"] as const;

interface Figures {
  readonly name: string;
  readonly way: string;
  readonly costs: Readonly<Record<(typeof STEPS)[number], Cost>>;
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
const found: Figures[] = [];
for (let round = 0; round < ROUNDS; round++) {
  for (const start of starts) found.push(await measure(start));
}
table();

function articles(revision: number): Article[] {
  return Array.from({ length: PRODUCTS }, (_, n) => articleOf(n, revision));
}

async function measure(start: Start): Promise<Figures> {
  const folder = await Deno.makeTempDir({ prefix: "kurant-peer-" });
  try {
    await using peer = await start(folder);
    const { name, way } = peer;
    const costs = {
      new: await costOf(peer, () => peer.upsert(first)),
      changed: await costOf(peer, () => peer.upsert(second)),
      listed: await costOf(peer, () => listAll(peer)),
    };
    say(`${name}: ${STEPS.map((step) => `${wordsOf(costs[step])} ${step}`).join(", ")}`);
    return { name, way, costs };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function costOf({ pid }: Peer, work: () => Promise<void>): Promise<Cost> {
  const usedMs = await processorMs(pid);
  const startedAt = performance.now();
  await work();
  const thousands = PRODUCTS / 1_000;
  return {
    elapsedMs: (performance.now() - startedAt) / thousands,
    processorMs: (await processorMs(pid) - usedMs) / thousands,
  };
}

/** Products a second, and milliseconds of the processor for 1,000 of them. */
function wordsOf({ elapsedMs, processorMs }: Cost): string {
  const rate = Math.round(1_000_000 / elapsedMs).toLocaleString("en");
  return `${rate}/s, ${Math.round(processorMs)} ms`;
}

async function listAll(peer: Peer): Promise<void> {
  let listed = 0;
  for (
    let after: string | null = null, isFirst = true;
    isFirst || after !== null;
    isFirst = false
  ) {
    const { count, next } = await peer.page(after);
    listed += count;
    after = next;
  }
  if (listed !== PRODUCTS) throw new Error(`${peer.name} lists ${listed} of ${PRODUCTS}`);
}

/** Medians of the rounds, and how many times as fast Kurant is, by the clock and by the processor. */
function table(): void {
  const services = Object.values(Object.groupBy(found, ({ name }) => name)).flatMap(
    (rounds = []) => {
      const [one] = rounds;
      if (!one) return [];
      const cost = (step: (typeof STEPS)[number]): Cost => ({
        elapsedMs: median(rounds.map(({ costs }) => costs[step].elapsedMs)),
        processorMs: median(rounds.map(({ costs }) => costs[step].processorMs)),
      });
      const costs = { new: cost("new"), changed: cost("changed"), listed: cost("listed") };
      return [{ ...one, costs }];
    },
  );
  const [own] = services;
  if (!own) return;
  say(`\n| ${PRODUCTS.toLocaleString("en")} products | How | New | Changed | Listed |`);
  say("| --- | --- | ---: | ---: | ---: |");
  for (const { name, way, costs } of services) {
    const cells = STEPS.map((step) => {
      const [mine, other] = [own.costs[step], costs[step]];
      const clock = (other.elapsedMs / mine.elapsedMs).toFixed(1);
      const processor = (other.processorMs / mine.processorMs).toFixed(1);
      return name === own.name ? wordsOf(other) : `${wordsOf(other)} (${clock} ×, ${processor} ×)`;
    });
    say(`| ${name} | ${way} | ${cells.join(" | ")} |`);
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
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

function say(line: string): void {
  stdout.write(`${line}\n`);
}
