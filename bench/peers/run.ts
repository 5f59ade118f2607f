/**
 * The same products into Kurant and into peers, and listed to the end again, one service after the
 * other on this machine; prints the table of docs/performance.md. What is not installed is left out
 * with a word. `deno task bench:peers [products] [rounds]`
 */
import { argv, stdout } from "node:process";
import { type Article, articleOf } from "./article.ts";
import { startDirectus } from "./directus.ts";
import { startKurant } from "./kurant.ts";
import type { Peer } from "./peer.ts";
import { DIRECTUS_VERSION, peerPlaces, POCKETBASE_VERSION } from "./places.ts";
import { startPocketBase } from "./pocketbase.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const ROUNDS = Number(argv[3] ?? 1);
type Start = (folder: string) => Promise<Peer>;

interface Figures {
  readonly name: string;
  readonly way: string;
  readonly newPerSecond: number;
  readonly changedPerSecond: number;
  readonly listedPerSecond: number;
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
    const newMs = await timed(() => peer.upsert(first));
    const changedMs = await timed(() => peer.upsert(second));
    const listMs = await timed(() => listAll(peer));
    const rate = (ms: number) => PRODUCTS / ms * 1_000;
    const { name, way } = peer;
    const figures = {
      name,
      way,
      newPerSecond: rate(newMs),
      changedPerSecond: rate(changedMs),
      listedPerSecond: rate(listMs),
    };
    say(
      `${name}: ${Math.round(rate(newMs))} new, ${Math.round(rate(changedMs))} changed, ` +
        `${Math.round(rate(listMs))} listed a second`,
    );
    return figures;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
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

/** Medians of the rounds, and how many times as fast Kurant is. */
function table(): void {
  const [own, ...peers] = Object.values(Object.groupBy(found, ({ name }) => name))
    .map((rounds = []) => ({
      ...rounds[0],
      newPerSecond: median(rounds.map(({ newPerSecond }) => newPerSecond)),
      changedPerSecond: median(rounds.map(({ changedPerSecond }) => changedPerSecond)),
      listedPerSecond: median(rounds.map(({ listedPerSecond }) => listedPerSecond)),
    }));
  if (!own) return;
  say(`\n| ${PRODUCTS.toLocaleString("en")} products | How | New, a second | Changed | Listed |`);
  say("| --- | --- | ---: | ---: | ---: |");
  for (const each of [own, ...peers]) {
    const cell = (name: "newPerSecond" | "changedPerSecond" | "listedPerSecond") => {
      const rate = Math.round(each[name]).toLocaleString("en");
      return each === own ? rate : `${rate} (${(own[name] / each[name]).toFixed(1)} ×)`;
    };
    say(
      `| ${each.name} | ${each.way} | ${cell("newPerSecond")} | ${cell("changedPerSecond")} | ` +
        `${cell("listedPerSecond")} |`,
    );
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
