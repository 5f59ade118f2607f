/**
 * What a rule would do with every product of its scope, as a job over the whole catalogue
 * (docs/decisions/rules.md, Simulation). A step is up to 4,000 products: their outcomes, the sums and the
 * place are one commit.
 */
import { dateIn, daysBefore } from "../base/local_date.ts";
import { Failure } from "../base/failure.ts";
import { sha256Hex } from "../base/sha256.ts";
import { requireWorkspace } from "../identity/workspace_store.ts";
import type { Job, JobKind, StepResult, StepTools } from "../platform/jobs/job.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import { compileRule, compileRules, type JudgedRule } from "../pricing/compile_rule.ts";
import {
  EMPTY_SIMULATION,
  isSimulated,
  profitCents,
  type SimulatedProduct,
  simulateProduct,
  type SimulationQuestion,
  type SimulationTally,
  tallySimulated,
  withoutCooldowns,
} from "../pricing/simulation.ts";
import type { PriceFacts, Situation } from "../pricing/situation.ts";
import { listRules } from "../rules/rule_store.ts";
import { unitsInRange } from "../sales/read_sales.ts";
import { lacksHistory } from "./judge_subject.ts";
import { withFacts } from "./price_facts.ts";
import { streamProducts } from "./product_stream.ts";
import { findTerms, outcomeBytes, putOutcomes, type SimulatedTerms } from "./simulation_store.ts";
import { readSurroundings } from "./situation_reader.ts";

export const SIMULATION_KIND = "simulation";
const PRODUCTS_PER_STEP = 4_000;
/** Of outcomes in one commit; beside them is the record of the job. */
const BYTES_PER_STEP = 620_000;
const DAY_MS = 86_400_000;
/** Products whose history is read at once. */
const READS_AT_ONCE = 20;
const SALES_DAYS = 30;

export interface SimulationArgs {
  readonly ruleId: string | null;
  /** What the rule says, as `fingerprintOf` has it: a rule that says something else has moved. */
  readonly fingerprint: string;
  /** The other rules at the start: with others the simulation would be half the one and half the other. */
  readonly others: string;
  readonly asOfMs: number;
}

/** Net, over 30 days, in minor units of the currency of the workspace; the products are those that move. */
export interface EffectTally {
  readonly products: number;
  readonly before: number;
  readonly after: number;
}

export interface SimulationCursor {
  readonly after: string;
  readonly step: number;
  readonly tally: SimulationTally;
  readonly effect: EffectTally;
}

/** What a simulation that has succeeded answers. */
export interface SimulationEnd {
  readonly tally: SimulationTally;
  readonly effect: EffectTally;
  readonly hasStored: boolean;
}

export type SimulationJob = Job<SimulationArgs, SimulationCursor, Record<never, never>>;

/** The other rules that judge, as of the start: what is made later takes no part. */
export async function findOthers(
  workspace: WorkspaceStore,
  { ruleId, asOfMs }: Pick<SimulationArgs, "ruleId" | "asOfMs">,
): Promise<{ readonly rules: readonly JudgedRule[]; readonly mark: string }> {
  const found = await listRules(workspace);
  const rules = found.map(({ rule }) => rule).filter(({ id, enabled, createdAt }) =>
    enabled && id !== ruleId && Date.parse(createdAt) <= asOfMs
  );
  return { rules, mark: sha256Hex(JSON.stringify(rules.map(({ id, version }) => [id, version]))) };
}

/** Reads only, but for its own rows. */
export function createSimulationKind(perStep = PRODUCTS_PER_STEP): JobKind<SimulationJob> {
  return {
    kind: SIMULATION_KIND,
    slotsPerProcess: 1,
    slotsPerWorkspace: 1,
    isSerialPerWorkspace: false,
    step: (job, tools) => takeStep(job, tools, perStep),
  };
}

async function takeStep(
  { jobId, workspaceId, args, cursor, progress }: SimulationJob,
  tools: StepTools<SimulationJob>,
  perStep: number,
): Promise<StepResult<SimulationJob>> {
  const { question, hasStored } = await readQuestion(tools, jobId, args);
  const read = await readStretch(tools, question, cursor?.after ?? null, {
    nowMs: args.asOfMs,
    perStep,
  });
  const products = await judgeAll(tools, question, read.situations);
  let tally = cursor?.tally ?? EMPTY_SIMULATION;
  for (const product of products) tally = tallySimulated(tally, product);
  const effect = await addEffects(tools, cursor?.effect ?? NO_EFFECT, products, args.asOfMs);
  const step = cursor?.step ?? 0;
  putOutcomes(tools.write, workspaceId, jobId, step, products.map(({ outcome }) => outcome));
  const processed = progress.processed + read.count;
  if (read.after !== null) {
    return {
      cursor: { after: read.after, step: step + 1, tally, effect },
      progress: { total: Math.max(progress.total ?? 0, processed), processed },
    };
  }
  const result: SimulationEnd = { tally, effect, hasStored };
  return { progress: { processed, total: processed }, end: { status: "succeeded", result } };
}

async function readQuestion(
  workspace: WorkspaceStore,
  jobId: string,
  args: SimulationArgs,
): Promise<{ readonly question: SimulationQuestion; readonly hasStored: boolean }> {
  const terms = await findTerms(workspace, jobId);
  if (!terms) throw new Failure("not_found", "The simulation is no longer kept");
  const { rules: others, mark } = await findOthers(workspace, args);
  if (mark !== args.others) {
    throw new Failure("version_conflict", "Another rule has changed meanwhile: begin again");
  }
  return { question: questionOf(terms, others), hasStored: terms.stored !== null };
}

/** The rule judges whether it is switched on or not, and so does the stored one. */
function questionOf(
  { rule, stored }: SimulatedTerms,
  others: readonly JudgedRule[],
): SimulationQuestion {
  const on = (one: JudgedRule): JudgedRule => ({ ...one, enabled: true });
  return {
    rule: compileRule(rule),
    rules: compileRules([...others, on(rule)]),
    stored: stored && {
      rule: compileRule(stored),
      rules: compileRules([...others, on(stored)]),
    },
  };
}

interface ReadStretch {
  readonly situations: readonly SimulatedSituation[];
  /** Products that were looked at, of whatever scope. */
  readonly count: number;
  /** Null behind the last product. */
  readonly after: string | null;
}

interface SimulatedSituation {
  readonly situation: Situation;
  readonly pricedAtMs: number | null;
}

async function readStretch(
  workspace: WorkspaceStore,
  question: SimulationQuestion,
  after: string | null,
  { nowMs, perStep }: { readonly nowMs: number; readonly perStep: number },
): Promise<ReadStretch> {
  const surroundings = await readSurroundings(workspace);
  const moment = { nowMs, mode: "live" } as const;
  const situations: SimulatedSituation[] = [];
  let [count, bytes, last] = [0, 0, after];
  let isCut = false;
  const request = { surroundings, moment, wanted: null, after, isPatient: true };
  await streamProducts(workspace, request, ({ situation, document }) => {
    const size = isSimulated(question, situation) ? outcomeBytes(situation.product) : 0;
    isCut = count === perStep || bytes + size > BYTES_PER_STEP;
    if (isCut) return false;
    count++;
    bytes += size;
    last = situation.product.id;
    if (size > 0) {
      const { ourPriceUpdatedAt: at } = document;
      const pricedAtMs = at === null ? null : Date.parse(at);
      situations.push({ situation: withoutCooldowns(situation), pricedAtMs });
    }
    return true;
  });
  return { situations, count, after: isCut ? last : null };
}

/** In the order of the situations; the history is read of those alone that another answer hangs on. */
async function judgeAll(
  tools: StepTools<SimulationJob>,
  question: SimulationQuestion,
  situations: readonly SimulatedSituation[],
): Promise<SimulatedProduct[]> {
  const products = situations.map(({ situation }) => simulateProduct(question, situation));
  const lacking = [...products.keys()].filter((at) => {
    const product = products[at];
    return product && [product.own, ...product.others].some(lacksHistory);
  });
  for (let from = 0; from < lacking.length; from += READS_AT_ONCE) {
    await tools.beat();
    await Promise.all(
      lacking.slice(from, from + READS_AT_ONCE).map(async (at) => {
        const asked = situations[at];
        const first = products[at];
        if (!asked || !first) return;
        const situation = await withHistory(tools, asked, first);
        products[at] = simulateProduct(question, situation);
      }),
    );
  }
  return products;
}

/** A price that has stood for a day is that of a day ago; what is applied by itself asks more. */
async function withHistory(
  tools: StepTools<SimulationJob>,
  { situation, pricedAtMs }: SimulatedSituation,
  { own, others }: SimulatedProduct,
): Promise<Situation> {
  const asksAll = [own, ...others].some(({ held }) => held.includes("history_unread"));
  const isOld = pricedAtMs === null || pricedAtMs <= situation.nowMs - DAY_MS;
  if (asksAll || !isOld) return await withFacts(tools, situation);
  const price: PriceFacts = {
    dayAgoCents: situation.product.ourPriceCents,
    movesOfDay: 0,
    setByPersonAtMs: null,
  };
  return { ...situation, history: { ...situation.history, price } };
}

const NO_EFFECT: EffectTally = { products: 0, before: 0, after: 0 };

/** Of the products whose price would move, whose sales and margin are known. */
async function addEffects(
  tools: StepTools<SimulationJob>,
  effect: EffectTally,
  products: readonly SimulatedProduct[],
  asOfMs: number,
): Promise<EffectTally> {
  const { timeZone, currency } = await requireWorkspace(tools);
  const today = dateIn(new Date(asOfMs), timeZone);
  const moved = products.filter(({ outcome }) =>
    outcome.proposedCents !== null && outcome.currency === currency
  );
  const range = { from: daysBefore(today, SALES_DAYS - 1), to: today };
  const units = await unitsInRange(tools, moved.map(({ outcome }) => outcome.productId), range);
  let sum = effect;
  for (const { outcome, market } of moved) {
    const sold = units.get(outcome.productId);
    const { currentCents, proposedCents } = outcome;
    if (sold === undefined || currentCents === null || proposedCents === null) continue;
    const before = profitCents(market, currentCents, sold);
    const after = profitCents(market, proposedCents, sold);
    if (before === null || after === null) continue;
    sum = {
      products: sum.products + 1,
      before: sum.before + before,
      after: sum.after + after,
    };
  }
  return sum;
}
