/**
 * Keys (`W`: id of the workspace): `sm W jobId "rule" n` → part `n` of the simulated rule and of
 * the rule as stored; `sm W jobId "out" step n` → part `n` of the outcomes of one step of the job.
 * The values are JSON as bytes. Every night, simulations at least a day old are deleted.
 *
 * A simulation shows what a new or changed rule would do now with all products of its scope. A job
 * evaluates the products in steps and stores the outcomes and their sums, but changes no price.
 */
import { decoder, encoder, joinedBytes, PART_BYTES, partsOf, sha256Hex } from "../../base/bytes.ts";
import { cutBySize } from "../../base/collections.ts";
import { Failure } from "../../base/failure.ts";
import { utf8Bytes } from "../../base/text.ts";
import { dateIn } from "../../base/time.ts";
import { hasSales, recentUnitsOf } from "../../catalogue/sales/sales.ts";
import type { JudgedRule } from "../../engine/pricing/compile_rule.ts";
import {
  addProduct,
  centsOf,
  noSums,
  SimulatedOutcome,
  type SimulationQuestion,
  simulationQuestion,
  type SimulationSums,
  unitWorth,
} from "../../engine/pricing/simulation.ts";
import { type Market, vatRateOf } from "../../engine/pricing/situation.ts";
import type { Job, JobKind, StepResult, StepTools } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { idKey, removeInBatches } from "../../platform/store/rows.ts";
import { effectCents } from "../proposals/proposal.ts";
import { listRules } from "../rule.ts";
import { judge, simulated } from "./judge.ts";
import { streamProducts } from "./situation_reader.ts";
import { readSurroundings } from "../proposals/priced_product.ts";

const ROWS_PER_COMMIT = 200;

interface SimulatedTerms {
  readonly rule: JudgedRule;
  readonly stored: JudgedRule | null;
}

const ofJob = (workspaceId: string, jobId: string) => idKey("sm", workspaceId, jobId);

export function putTerms(write: Write, workspaceId: string, jobId: string, terms: SimulatedTerms) {
  for (const [n, bytes] of partsOf(encoder.encode(JSON.stringify(terms))).entries()) {
    write.set([...ofJob(workspaceId, jobId), "rule", n], bytes);
  }
}

async function findTerms({ store, workspaceId }: WorkspaceStore, jobId: string) {
  const prefix = [...ofJob(workspaceId, jobId), "rule"];
  const rows = await Array.fromAsync(store.kv.list<Uint8Array>({ prefix }));
  if (rows.length === 0) return null;
  const terms: SimulatedTerms = JSON.parse(
    decoder.decode(joinedBytes(rows.map((row) => row.value))),
  );
  return terms;
}

const FIELDS = SimulatedOutcome.keyof().options;

function outcomeBytes({ sku }: Pick<SimulatedOutcome, "sku">): number {
  return 180 + utf8Bytes(JSON.stringify(sku));
}

function putOutcomes(
  write: Write,
  workspaceId: string,
  jobId: string,
  step: number,
  outcomes: readonly SimulatedOutcome[],
): void {
  for (const [part, some] of cutBySize(outcomes, PART_BYTES, outcomeBytes).entries()) {
    const rows = some.map((one) => FIELDS.map((name) => one[name]));
    const key = [...ofJob(workspaceId, jobId), "out", step, part];
    write.set(key, encoder.encode(JSON.stringify(rows)));
  }
}

export async function listOutcomes({ store, workspaceId }: WorkspaceStore, jobId: string) {
  const prefix = [...ofJob(workspaceId, jobId), "out"];
  const outcomes: SimulatedOutcome[] = [];
  for await (const { value } of store.kv.list<Uint8Array>({ prefix }, { batchSize: 100 })) {
    const rows: unknown[][] = JSON.parse(decoder.decode(value));
    for (const row of rows) {
      outcomes.push(Object(Object.fromEntries(FIELDS.map((name, at) => [name, row[at] ?? null]))));
    }
  }
  return outcomes;
}

export async function removeSimulation(store: Store, { workspaceId, jobId }: Job): Promise<void> {
  const rows = store.kv.list({ prefix: ofJob(workspaceId, jobId) });
  await removeInBatches(store, rows, ROWS_PER_COMMIT, (write, { key }) => write.delete(key));
}

export const SIMULATION_KIND = "simulation";
const PRODUCTS_PER_STEP = 4_000;
/** Maximum size of a step's outcomes, which leaves room for the job's row in the same commit. */
const BYTES_PER_STEP = 620_000;

export interface SimulationArgs {
  readonly ruleId: string | null;
  readonly fingerprint: string;
  /** Hash of other enabled rules from before `asOfMs`; if it changes, the simulation fails. */
  readonly others: string;
  readonly asOfMs: number;
}

/** Net profit and revenue of 30 days, before and after the change of prices, in minor units. */
const NO_EFFECT = { products: 0, before: 0, after: 0, revenue: { before: 0, after: 0 } };

type EffectSums = typeof NO_EFFECT;

interface Sums {
  readonly tally: SimulationSums;
  readonly effect: EffectSums;
}

interface SimulationCursor extends Sums {
  readonly after: string;
  readonly step: number;
}

export interface SimulationEnd extends Sums {
  readonly hasStored: boolean;
}

export type SimulationJob = Job<SimulationArgs, SimulationCursor, Record<never, never>>;

export async function findOthers(
  workspace: WorkspaceStore,
  { ruleId, asOfMs }: Pick<SimulationArgs, "ruleId" | "asOfMs">,
): Promise<{ readonly rules: readonly JudgedRule[]; readonly mark: string }> {
  const rules = (await listRules(workspace)).filter(({ id, enabled, createdAt }) =>
    enabled && id !== ruleId && Date.parse(createdAt) <= asOfMs
  );
  return { rules, mark: sha256Hex(JSON.stringify(rules.map(({ id, version }) => [id, version]))) };
}

export function createSimulationKind(perStep = PRODUCTS_PER_STEP): JobKind<SimulationJob> {
  return { kind: SIMULATION_KIND, step: (job, tools) => takeStep(job, tools, perStep) };
}

async function takeStep(
  { jobId, workspaceId, args, cursor, progress }: SimulationJob,
  tools: StepTools<SimulationJob>,
  perStep: number,
): Promise<StepResult<SimulationJob>> {
  const question = await readQuestion(tools, jobId, args);
  const { tally, effect } = structuredClone({ tally: noSums(), effect: NO_EFFECT, ...cursor });
  const start = { after: cursor?.after ?? null, nowMs: args.asOfMs, perStep };
  const stretch = await judgeStretch(tools, question, start, tally);
  await addEffects(tools, effect, stretch, args.asOfMs);
  const step = cursor?.step ?? 0;
  putOutcomes(tools.write, workspaceId, jobId, step, stretch.outcomes);
  const { after } = stretch;
  const processed = progress.processed + stretch.count;
  if (after !== null) {
    return {
      cursor: { after, step: step + 1, tally, effect },
      progress: { total: Math.max(progress.total ?? 0, processed), processed },
    };
  }
  const result: SimulationEnd = { tally, effect, hasStored: question.stored !== null };
  return { progress: { processed, total: processed }, end: { status: "succeeded", result } };
}

async function readQuestion(workspace: WorkspaceStore, jobId: string, args: SimulationArgs) {
  const terms = await findTerms(workspace, jobId);
  if (!terms) throw new Failure("not_found", "The simulation is no longer kept");
  const { rules: others, mark } = await findOthers(workspace, args);
  if (mark !== args.others) {
    throw new Failure("version_conflict", "Another rule has changed meanwhile: begin again");
  }
  const { rule, stored } = terms;
  return simulationQuestion(rule, stored, others);
}

async function judgeStretch(
  tools: StepTools<SimulationJob>,
  question: SimulationQuestion,
  { after, nowMs, perStep }: {
    readonly after: string | null;
    readonly nowMs: number;
    readonly perStep: number;
  },
  tally: SimulationSums,
) {
  const surroundings = await readSurroundings(tools);
  const keepsMoves = await hasSales(tools);
  const outcomes: SimulatedOutcome[] = [];
  const moves: { readonly at: number; readonly market: Market }[] = [];
  let [count, bytes, last] = [0, 0, after];
  let isCut = false;
  const productsOfScope = async function* () {
    const request = { surroundings, nowMs, mode: "preview", after, most: perStep + 1 } as const;
    for await (const product of streamProducts(tools, request)) {
      const { situation } = product;
      const isAsked = question.rule.scope.includes(situation.product);
      const size = isAsked ? outcomeBytes(situation.product) : 0;
      isCut = count === perStep || bytes + size > BYTES_PER_STEP;
      if (isCut) return;
      count++;
      bytes += size;
      last = situation.product.id;
      if (isAsked) yield product;
    }
  };
  for await (const { answer, at } of judge(productsOfScope(), simulated(question), tools)) {
    addProduct(tally, answer);
    outcomes[at] = answer.outcome;
    if (keepsMoves && answer.outcome.proposedCents !== null) {
      moves.push({ at, market: answer.market });
    }
    await tools.beat();
  }
  const { timeZone } = surroundings;
  return { count, after: isCut ? last : null, outcomes, moves, timeZone };
}

async function addEffects(
  tools: StepTools<SimulationJob>,
  sums: EffectSums,
  { moves, outcomes, timeZone }: Awaited<ReturnType<typeof judgeStretch>>,
  asOfMs: number,
): Promise<void> {
  if (moves.length === 0) return;
  const ids = moves.map(({ market: { situation } }) => situation.product.id);
  const units = await recentUnitsOf(tools, ids, dateIn(new Date(asOfMs), timeZone));
  for (const { at, market } of moves) {
    const { situation: { product: { id, currency }, settings } } = market;
    const [sold, outcome] = [units.get(id), outcomes[at]];
    if (sold === undefined || !outcome) continue;
    const { currentCents, proposedCents } = outcome;
    if (currentCents === null || proposedCents === null) continue;
    const terms = { ...settings, vatRatePct: vatRateOf(market.situation) };
    const effect30dCents = effectCents({ currentCents, proposedCents }, terms, sold);
    outcomes[at] = { ...outcome, effect30dCents };
    if (currency !== settings.currency) continue;
    const [before, after] = [unitWorth(market, currentCents), unitWorth(market, proposedCents)];
    if (before === null || after === null) continue;
    sums.products++;
    sums.before += centsOf(before.profit, sold);
    sums.after += centsOf(after.profit, sold);
    sums.revenue.before += centsOf(before.revenue, sold);
    sums.revenue.after += centsOf(after.revenue, sold);
  }
}
