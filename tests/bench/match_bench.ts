/**
 * Measures title matching: precision, recall and F1 for each set of labelled pairs, and processor
 * time and memory for a generated shop. `deno task bench match 20000` uses 20,000 products instead
 * of 100,000.
 */
import { argv } from "node:process";
import { PROBABLE_SCORE } from "../../src/engine/matching/judge_identity.ts";
import { KeyedTitles } from "../../src/scraping/suggestions/product_indexes.ts";
import { TitleIndex } from "../../src/engine/matching/title_likeness.ts";
import { heapBytes } from "../collected_heap.ts";
import {
  judgePair,
  type LabelledPair,
  PAIRS_FILE,
  qualityAt,
  readPairs,
  scoresOf,
  sidesOf,
} from "../engine/matching/labelled_pairs.ts";
import { ourTitles, shopTitles } from "../engine/matching/made_titles.ts";
import { threadMs } from "../processor_time.ts";
import { COLLECTION } from "../sample_data.ts";
import { say } from "./slices.ts";

/** Published F1 (in percent) of Magellan, DeepMatcher and Ditto, with one model per set. */
const PUBLISHED: Readonly<Record<string, string>> = {
  "Abt-Buy": "43.6 / 62.8 / 89.3",
  "Amazon-Google": "49.1 / 69.3 / 75.6",
  "Walmart-Amazon": "71.9 / 66.9 / 86.8",
  "WDC computers": "– / 77.8 / 88.6",
  "WDC cameras": "– / 76.5 / 88.1",
  "WDC watches": "– / 79.3 / 91.1",
  "WDC shoes": "– / 79.5 / 82.7",
};
/** The score from which a pair counts as equal, the same for all sets (docs/performance.md). */
const ONE_BOUND = 0.31;
const SUGGESTED = 0.15;
const MIB = 2 ** 20;
const CHANGED = 1_000;

if (COLLECTION.has(PAIRS_FILE)) sayQuality(readPairs(COLLECTION.path(PAIRS_FILE)));
else say("No labelled pairs: set TEST_DATA_DIR");
sayCost(Number(argv[2] ?? 100_000));
sayKept(Number(argv[2] ?? 100_000));

function sayQuality(pairs: readonly LabelledPair[]): void {
  const scores = scoresOf(pairs);
  say(`${pairs.length} pairs, a third of them true; P / R / F1, and published F1 of other systems`);
  say("(Magellan / DeepMatcher / Ditto, one model per set, full sets with fewer true pairs)");
  for (const [set, own] of Map.groupBy(pairs.keys(), (at) => pairs[at]!.set)) {
    const [ownPairs, ownScores] = [own.map((at) => pairs[at]!), own.map((at) => scores[at]!)];
    const at = [bestBound(ownScores, ownPairs), ONE_BOUND]
      .map((bound) => `at ${bound.toFixed(2)} ${told(bound, ownScores, ownPairs)}   `);
    say(`${set.padEnd(15)} ${at.join("")}published ${PUBLISHED[set] ?? "–"}`);
  }
  for (const bound of [SUGGESTED, PROBABLE_SCORE, ONE_BOUND, 0.5]) {
    say(`all sets        at ${bound.toFixed(2)} ${told(bound, scores, pairs)}`);
  }
  const { vocabulary } = sidesOf(pairs);
  const automatic = pairs.filter((pair) => judgePair(pair, vocabulary).verdict === "same");
  const wrong = automatic.filter(({ isSame }) => !isSame).length;
  say(`automatic: ${automatic.length}, wrong: ${wrong}`);
}

function bestBound(scores: readonly number[], pairs: readonly LabelledPair[]): number {
  const bounds = Array.from({ length: 95 }, (_, at) => (at + 3) / 100);
  return bounds.reduce((best, bound) =>
    qualityAt(bound, scores, pairs).f1 > qualityAt(best, scores, pairs).f1 ? bound : best
  );
}

function told(bound: number, scores: readonly number[], pairs: readonly LabelledPair[]): string {
  const { precision, recall, f1 } = qualityAt(bound, scores, pairs);
  return [precision, recall, f1].map((share) => (100 * share).toFixed(1)).join(" / ");
}

function sayCost(count: number): void {
  const [shop, ours] = [shopTitles(count), ourTitles(count)];
  const index = new TitleIndex();
  const began = threadMs();
  for (const text of shop) index.add(text);
  let pairs = 0;
  for (const text of ours) pairs += index.rank(index.read(text)).length;
  say(
    `${count} products × ${count} titles: ${pairs} pairs in ${seconds(threadMs() - began)} s ` +
      `of processor time, budget ${seconds(60_000 * count / 100_000)}`,
  );
}

function sayKept(count: number): void {
  const placeOf = (n: number) => n.toString(16).padStart(32, "0");
  const pages = shopTitles(count).map(({ title, brand = null }) => ({ title, brand, mpn: null }));
  const ours = ourTitles(CHANGED);
  const held = heapBytes();
  const index = new KeyedTitles();
  const started = threadMs();
  for (const [n, page] of pages.entries()) index.putTitle(placeOf(n), page);
  const readMs = threadMs() - started;
  const memory = heapBytes() - held;
  const began = threadMs();
  let found = 0;
  for (const { title, brand = null } of ours) {
    found += index.scored({ title, brand, mpn: null }).size;
  }
  const met = threadMs();
  say(
    `pages: ${(memory / MIB).toFixed(0)} MiB and ${seconds(readMs)} s for ${index.size} pages; a ` +
      `changed product ${((met - began) / CHANGED).toFixed(2)} ms (${found} pages worth a look)`,
  );
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
