/** Counts products per condition of an unsaved rule, and brakes and held prices for `/metrics`. */
import { listWorkspaces } from "../../accounts/workspace.ts";
import { fromKeys } from "../../base/collections.ts";
import { meanPct } from "../../base/fraction.ts";
import { dateIn } from "../../base/time.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { hasSales, recentUnitsOf } from "../../catalogue/sales/sales.ts";
import { type ReferenceOptions, selectReferences } from "../../engine/pricing/reference.ts";
import { addRival, type RivalCounts, simulationQuestion } from "../../engine/pricing/simulation.ts";
import {
  marginPct,
  type Market,
  type Situation,
  vatRateOf,
} from "../../engine/pricing/situation.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import { walkActiveHeld } from "../../shops/offers/failing_and_held_store.ts";
import { effectCents } from "../proposals/proposal.ts";
import { draftFields, listRules, requireDraft } from "../rule.ts";
import { askBesideOthers } from "./judge.ts";
import { streamProducts } from "./situation_reader.ts";
import { hasBrake } from "./brakes.ts";
import { brakes } from "./rule_state_store.ts";
import { type LiveSurroundings, readSurroundings } from "../proposals/priced_product.ts";
import { z } from "@hono/zod-openapi";

export const SAMPLE_MAX = 25;

const Count = z.int();

export const Conflicts = z.array(z.object({
  ruleId: z.string(),
  products: Count.describe("Products for which both rules have a price"),
  wins: Count.describe("Products whose price the other rule sets"),
  loses: Count.describe("Products whose price this rule sets, and the other one without it"),
  takesBack: Count
    .describe("Products on which this rule rests: the other one would change its price back"),
}));

export function conflictsOf(counts: RivalCounts): z.infer<typeof Conflicts> {
  return Object.entries(counts)
    .map(([ruleId, [products, wins, loses = 0, takesBack = 0]]) => (
      { ruleId, products, wins, loses, takesBack }
    ))
    .sort((a, b) => b.products - a.products || (a.ruleId < b.ruleId ? -1 : 1));
}

const JUDGED_MAX = 4_000;
const SCANNED_MAX = 20_000;

export const ClauseCountRequest = z.strictObject(
  draftFields("The stored rule that is edited; its stored ranks are used"),
).meta({ id: "ClauseCountRequest" });

export const ClauseCounts = z.object({
  scope: Count.describe("Active products of the scope"),
  withOffers: Count.describe("Products of the scope with an offer that counts"),
  withEnough: Count.describe("Products with such offers of at least `minCompetitors` competitors"),
  offers: Count.describe("Competitors' offers that count"),
  fires: Count.describe("Products for which the trigger fires"),
  moves: Count.describe("Products that get another price"),
  raises: Count.describe("Products whose price rises"),
  bound: Count.describe("Products whose new price a bound has changed"),
  asks: Count
    .describe("Products for which the rule has a price, even if a guard delays it"),
  margin: z.object({
    before: z.number().describe("Margin in percent, with current prices"),
    after: z.number().describe("Margin in percent, with the prices of the draft"),
  }).nullable().describe("Average margin of the products that get another price"),
  effect30d: z.object({
    cents: z.int().describe("In minor units; negative: less margin"),
    products: Count.describe("Products with known sales among `moves`"),
  }).nullable().describe(
    "Change of the net margin of 30 days by `moves` at equal sales, in the workspace's currency, " +
      "over the products with known sales; null without any",
  ),
  conflicts: Conflicts
    .describe("Other enabled rules that have prices for the same products"),
  sample: z.array(z.string()).describe(
    `At most ${SAMPLE_MAX} ids of products of the scope, for example for \`sampleProductIds\`: ` +
      "first products that get another price, then those for which the trigger fires, then those " +
      "with offers",
  ),
  isCut: z.boolean().describe(
    `True if counting ended early, after ${JUDGED_MAX} products of the scope or ` +
      `${SCANNED_MAX} of the catalogue: each count is then a lower bound`,
  ),
}).meta({ id: "ClauseCounts" });

export type ClauseCounts = z.infer<typeof ClauseCounts>;

export async function countClauses(
  ctx: Context,
  draft: z.output<typeof ClauseCountRequest>,
  { judgedMax, scannedMax } = { judgedMax: JUDGED_MAX, scannedMax: SCANNED_MAX },
): Promise<ClauseCounts> {
  const judged = await requireDraft(ctx, draft);
  const surroundings = await readSurroundings(ctx);
  const scene = { surroundings, nowMs: ctx.now().getTime(), mode: "preview" } as const;
  const question = simulationQuestion(judged, null, await listRules(ctx));
  const conflicts: RivalCounts = {};
  const sample = new Sample();
  const moved: Move[] = [];
  const counts = fromKeys(COUNTED, () => 0);
  let [scanned, isCut] = [0, false];
  for await (const { situation } of streamProducts(ctx, scene)) {
    const isIn = question.rule.scope.includes(situation.product);
    isCut = scanned === scannedMax || (isIn && counts.scope === judgedMax);
    if (isCut) break;
    scanned++;
    if (!isIn) continue;
    const answer = askBesideOthers(question, asOfNow(situation));
    const more = countsOf(question.rule.options, answer);
    for (const name of COUNTED) counts[name] += more[name];
    sample.add(situation.product.id, more);
    const { proposedCents } = answer.decision;
    if (proposedCents !== null) moved.push({ market: answer.market, proposedCents });
    for (const rival of answer.rivals) addRival(conflicts, rival);
  }
  return {
    ...counts,
    margin: marginOf(moved),
    effect30d: await effectOf(ctx, moved, surroundings),
    conflicts: conflictsOf(conflicts),
    sample: sample.ids(),
    isCut,
  };
}

interface Move {
  readonly market: Market;
  readonly proposedCents: number;
}

function marginOf(moved: readonly Move[]): ClauseCounts["margin"] {
  const known = moved.flatMap(({ market, proposedCents }) => {
    const before = marginPct(market, market.situation.product.ourPriceCents);
    const after = marginPct(market, proposedCents);
    return before === null || after === null ? [] : [{ before, after }];
  });
  const before = meanPct(known.map((one) => one.before));
  const after = meanPct(known.map((one) => one.after));
  return before === null || after === null ? null : { before, after };
}

async function effectOf(
  ctx: Context,
  moved: readonly Move[],
  { timeZone }: LiveSurroundings,
): Promise<ClauseCounts["effect30d"]> {
  if (!(await hasSales(ctx))) return null;
  const ids = moved.map(({ market }) => market.situation.product.id);
  const units = await recentUnitsOf(ctx, ids, dateIn(ctx.now(), timeZone));
  let [cents, products] = [0, 0];
  for (const { market: { situation }, proposedCents } of moved) {
    const { product: { id, ourPriceCents: currentCents, currency }, settings } = situation;
    const sold = units.get(id);
    if (sold === undefined || currentCents === null || currency !== settings.currency) continue;
    const terms = { ...settings, vatRatePct: vatRateOf(situation) };
    const effect = effectCents({ currentCents, proposedCents }, terms, sold);
    if (effect === null) continue;
    cents += effect;
    products++;
  }
  return products === 0 ? null : { cents, products };
}

class Sample {
  readonly #kinds = (["moves", "fires", "withOffers", "scope"] as const)
    .map((name) => ({ name, ids: new Array<string>() }));

  add(id: string, counts: Counts): void {
    const kind = this.#kinds.find(({ name }) => counts[name] > 0);
    if (kind && kind.ids.length < SAMPLE_MAX) kind.ids.push(id);
  }

  ids(): string[] {
    return this.#kinds.flatMap(({ ids }) => ids).slice(0, SAMPLE_MAX);
  }
}

const COUNTED = [
  "scope",
  "withOffers",
  "withEnough",
  "offers",
  "fires",
  "moves",
  "raises",
  "bound",
  "asks",
] as const;

type Counts = Record<(typeof COUNTED)[number], number>;

function asOfNow(situation: Situation): Situation {
  const price = {
    dayAgoCents: situation.product.ourPriceCents,
    movesOfDay: 0,
    setByPersonAtMs: null,
  };
  return { ...situation, history: { ...situation.history, price } };
}

function countsOf(
  options: ReferenceOptions,
  { market, decision, asks }: ReturnType<typeof askBesideOthers>,
): Counts {
  const { offers: { length: offers }, areEnough } = selectReferences(options, market);
  const { wouldFire, proposedCents, bindingGuard, notes } = decision;
  const moves = proposedCents !== null;
  const isBound = moves && bindingGuard !== null && notes.includes(bindingGuard);
  return {
    scope: 1,
    withOffers: Number(offers > 0),
    withEnough: Number(areEnough),
    offers,
    fires: Number(wouldFire),
    moves: Number(moves),
    raises: Number(moves && proposedCents > (market.situation.product.ourPriceCents ?? 0)),
    bound: Number(isBound),
    asks: Number(asks),
  };
}

const COUNTED_MAX = 10_000;

export async function countResting(store: Store, now: Date): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  for (const { id: workspaceId } of await listWorkspaces(store)) {
    const workspace = { store, workspaceId };
    const after = { untilMs: now.getTime() };
    const closed = await brakes.list(workspace, { after, limit: COUNTED_MAX });
    const braked = new Set((await listRules(workspace)).filter(hasBrake).map(({ id }) => id));
    const products = await findDocuments(workspace, closed.map(({ row }) => row.productId));
    const active = new Set(products.map(({ id }) => id));
    for (const { row: { ruleId, productId } } of closed) {
      if (braked.has(ruleId) && active.has(productId)) count("closed_brake");
    }
    const held = walkActiveHeld(workspace, () => true, null, COUNTED_MAX);
    for await (const { code } of held) count(code);
  }
  return counts;
}
