/**
 * Computes the weights of `src/engine/matching/title_likeness.ts` from labelled pairs by logistic
 * regression, and prints them. Each weight keeps its current sign, or becomes 0. All sets count
 * equally, and equal pairs count as if they were the share `TRUE_SHARE` of all pairs. The script
 * also prints the quality for unseen pairs, by cross-validation.
 * `deno run --allow-env=TEST_DATA_DIR --allow-read tests/bench/fit_match_weights.ts`
 */
import { stdout } from "node:process";
import { featuresOf, MATCH_WEIGHTS } from "../../src/engine/matching/title_likeness.ts";
import {
  type LabelledPair,
  PAIRS_FILE,
  qualityAt,
  readPairs,
  sidesOf,
} from "../engine/matching/labelled_pairs.ts";
import { COLLECTION } from "../sample_data.ts";

const FEATURES = Object.entries(MATCH_WEIGHTS);

const PARTS = 5;
const STEPS = 4_000;
const L2 = 1e-4;
/** Share of equal products among real candidates; the labelled sets have more. */
const TRUE_SHARE = 0.16;

const pairs = readPairs(COLLECTION.path(PAIRS_FILE));
const { sides, vocabulary } = sidesOf(pairs);
const rows = sides.map(({ ours, theirs }) => featuresOf(ours, theirs, vocabulary));

const all = fit(pairs.map((_, at) => at));
say("all", pairs.map((_, at) => scoreOf(all, rows[at]!)), pairs);
const parts = partsOf(pairs);
const unseen: number[] = [];
for (let part = 0; part < PARTS; part += 1) {
  const weights = fit(pairs.map((_, at) => at).filter((at) => parts[at] !== part));
  pairs.forEach((_, at) => {
    if (parts[at] === part) unseen[at] = scoreOf(weights, rows[at]!);
  });
}
say("unseen", unseen, pairs);
for (const set of new Set(pairs.map((pair) => pair.set))) {
  const own = pairs.flatMap((pair, at) => pair.set === set ? [at] : []);
  say(`  ${set}`, own.map((at) => unseen[at]!), own.map((at) => pairs[at]!));
}
const [base = 0, ...weights] = all;
stdout.write(`const MATCH_BASE = ${round(base)};\n`);
FEATURES.forEach(([name], at) => stdout.write(`  ${name}: ${round(weights[at]!)},\n`));

function round(weight: number): number {
  return Math.round(weight * 100) / 100 + 0;
}

function say(name: string, scores: readonly number[], of: readonly LabelledPair[]): void {
  const told = [0.15, 0.31, 0.5].map((bound) => {
    const { precision, recall, f1 } = qualityAt(bound, scores, of);
    return `${bound}: P ${precision.toFixed(3)} R ${recall.toFixed(3)} F1 ${f1.toFixed(3)}`;
  });
  stdout.write(`${name.padEnd(20)} ${told.join("  ")}\n`);
}

function scoreOf([base = 0, ...weights]: readonly number[], row: readonly number[]): number {
  return 1 / (1 + Math.exp(-weights.reduce((sum, weight, at) => sum + weight * row[at]!, base)));
}

function fit(chosen: readonly number[]): number[] {
  const counts = new Map<string, number>();
  const keyOf = ({ set, isSame }: LabelledPair) => `${set} ${isSame}`;
  for (const at of chosen) counts.set(keyOf(pairs[at]!), (counts.get(keyOf(pairs[at]!)) ?? 0) + 1);
  const sets = counts.size / 2;
  const sampleWeights = chosen.map((at) => {
    const pair = pairs[at]!;
    return (pair.isSame ? TRUE_SHARE : 1 - TRUE_SHARE) / counts.get(keyOf(pair))! / sets;
  });
  const size = FEATURES.length + 1;
  const xs = chosen.map((at) => Float64Array.of(1, ...rows[at]!));
  const norm = (x: Float64Array) => x.reduce((sum, value) => sum + value * value, 0);
  const squares = xs.reduce((sum, x, at) => sum + sampleWeights[at]! * norm(x), 0);
  const step = 1 / (squares / 4 + L2);
  let weights = new Float64Array(size);
  let ahead = new Float64Array(size);
  let t = 1;
  const gradient = new Float64Array(size);
  for (let round = 0; round < STEPS; round += 1) {
    gradient.fill(0);
    for (let row = 0; row < xs.length; row += 1) {
      const x = xs[row]!;
      let logit = 0;
      for (let at = 0; at < size; at += 1) logit += ahead[at]! * x[at]!;
      const error = sampleWeights[row]! *
        (1 / (1 + Math.exp(-logit)) - (pairs[chosen[row]!]!.isSame ? 1 : 0));
      for (let at = 0; at < size; at += 1) gradient[at]! += error * x[at]!;
    }
    const next = new Float64Array(size);
    for (let at = 0; at < size; at += 1) {
      const moved = ahead[at]! - step * (gradient[at]! + (at === 0 ? 0 : L2 * ahead[at]!));
      const sign = at === 0 ? 0 : Math.sign(FEATURES[at - 1]![1]);
      next[at] = sign > 0 ? Math.max(0, moved) : sign < 0 ? Math.min(0, moved) : moved;
    }
    const nextT = (1 + Math.sqrt(1 + 4 * t * t)) / 2;
    ahead = next.map((value, at) => value + ((t - 1) / nextT) * (value - weights[at]!));
    weights = next;
    t = nextT;
  }
  return [...weights];
}

/** Assigns each pair to a fold of the cross-validation; pairs that share a title share a fold. */
function partsOf(of: readonly LabelledPair[]): number[] {
  const parent = new Map<string, string>();
  const root = (key: string): string => {
    let at = key;
    while (parent.has(at) && parent.get(at) !== at) at = parent.get(at)!;
    return at;
  };
  for (const { a, b } of of) parent.set(root(a.title), root(b.title));
  const roots = new Map<string, number>();
  return of.map(({ a }) => {
    const key = root(a.title);
    if (!roots.has(key)) roots.set(key, roots.size);
    return roots.get(key)! % PARTS;
  });
}
