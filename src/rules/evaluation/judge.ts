/**
 * Applies rules to products, in live evaluations, simulations, back-tests and counts. Reads a
 * product's price history only if a rule's answer depends on it.
 */
import { batchesOf } from "../../base/collections.ts";
import { dateIn, DAY_MS, msOrNull } from "../../base/time.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { recentUnitsOf } from "../../catalogue/sales/sales.ts";
import type { PriceFacts, Situation } from "../../engine/pricing/situation.ts";
import { type CompiledRule, compileRules } from "../../engine/pricing/compile_rule.ts";
import {
  decideIn,
  decideProduct,
  type Decision,
  type ProductDecisions,
  RulesOnProduct,
} from "../../engine/pricing/decide.ts";
import { marketFacts } from "../../engine/pricing/market_facts.ts";
import {
  type Lack,
  type PlacedRule,
  rivalsOf,
  type SimulatedProduct,
  simulateProduct,
  type SimulationQuestion,
  type Standing,
  standingOn,
} from "../../engine/pricing/simulation.ts";
import type { Trace } from "../../engine/pricing/trace.ts";
import { wireReason } from "../../engine/wording/reason_text.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import {
  marketPositionOf,
  pricedProductOf,
  readSurroundings,
  type Scene,
} from "../proposals/priced_product.ts";
import { opened, rejectionIn, type StoredProposal } from "../proposals/proposal.ts";
import { listProposals } from "../proposals/proposal_store.ts";
import { listRules, type RulePage } from "../rule.ts";
import { readPriceFacts, readSubjects, type Subject, withFacts } from "./situation_reader.ts";

const READS_AT_ONCE = 20;
const NAMED_AT_ONCE = 500;

type Reader = WorkspaceStore & Pick<Context, "now">;

export interface Judged {
  readonly situation: Situation;
  readonly document?: Pick<Product, "ourPriceUpdatedAt">;
}

interface Lacking {
  /** The history that the answer still needs; `nothing` if the answer is final. */
  readonly lacks: Lack;
}

type Ask<Answer extends Lacking> = (situation: Situation) => Answer;

/**
 * Yields an answer for each product, in another order: products that need their price history come
 * later. `at` is the index in `products`.
 */
export async function* judge<P extends Judged, Answer extends Lacking>(
  products: AsyncIterable<P>,
  ask: Ask<Answer>,
  reader: Reader,
): AsyncGenerator<{ readonly product: P; readonly answer: Answer; readonly at: number }> {
  let lacking: { readonly product: P; readonly lack: Lack; readonly at: number }[] = [];
  const askLacking = () => {
    const asked = lacking;
    lacking = [];
    return Promise.all(asked.map(async ({ product, lack, at }) => {
      return { product, answer: ask(await withHistory(reader, product, lack)), at };
    }));
  };
  let count = 0;
  for await (const product of products) {
    const at = count++;
    const answer = ask(product.situation);
    const { lacks: lack } = answer;
    if (lack === "nothing") yield { product, answer, at };
    else if (lacking.push({ product, lack, at }) === READS_AT_ONCE) yield* await askLacking();
  }
  yield* await askLacking();
}

export async function judgeOne<Answer extends Lacking>(
  reader: Reader,
  ask: Ask<Answer>,
  product: Judged,
): Promise<Answer> {
  const answer = ask(product.situation);
  const { lacks } = answer;
  return lacks === "nothing" ? answer : ask(await withHistory(reader, product, lacks));
}

export async function* named(
  workspace: WorkspaceStore,
  ids: readonly string[],
  scene: Scene,
): AsyncGenerator<Subject> {
  for await (const some of batchesOf(ids, NAMED_AT_ONCE)) {
    yield* (await readSubjects(workspace, some, scene)).subjects;
  }
}

/** Only rules whose ids are in `asked` decide; if `asked` is null, all rules decide. */
export function allRules(
  rules: readonly CompiledRule[],
  asked: ReadonlySet<string> | null = null,
): Ask<ProductDecisions & Lacking> {
  return (situation) => {
    const decided = decideProduct(rules, situation, asked);
    return { ...decided, lacks: lackOf(...decided.decisions) };
  };
}

export function rulesOf({ all, compiled }: Pick<RulePage, "all" | "compiled">) {
  return allRules(all, all === compiled ? null : new Set(compiled.map(({ id }) => id)));
}

export function ruleAmong({ rule, all, place }: PlacedRule) {
  return (situation: Situation) => {
    const asked = new RulesOnProduct(all, situation);
    const { market } = asked;
    const decision = rule.scope.includes(situation.product)
      ? asked.decision(place, rule)
      : decideIn(rule, market);
    return { market, decision, lacks: lackOf(decision) };
  };
}

export function askBesideOthers(question: SimulationQuestion, situation: Situation) {
  const { rule, all, place } = question;
  const asked = new RulesOnProduct(all, situation);
  const { market } = asked;
  const asks = asked.claimOf(place) !== null;
  return { market, decision: decideIn(rule, market), asks, rivals: rivalsOf(question, asked) };
}

export function standingAmong(rules: readonly CompiledRule[]): Ask<Standing> {
  return (situation) => standingOn(rules, situation);
}

export function simulated(question: SimulationQuestion): Ask<SimulatedProduct> {
  return (situation) => simulateProduct(question, situation);
}

function lackOf(...decisions: readonly Decision[]): Lack {
  const isOpen = decisions.some(({ held, blocked }) =>
    held.includes("history_unread") || blocked.includes("day_unread")
  );
  return isOpen ? "all" : "nothing";
}

/** True if no rule would do anything for the product. Ignores the product's open proposal. */
export function isIdle({ decisions, ranks, lacks }: ProductDecisions & Lacking): boolean {
  const isNew = (decision: Decision) =>
    decision.fires || decision.outcome !== "rest" || decision.proposedCents !== null;
  return ranks.length === 0 && lacks === "nothing" && !decisions.some(isNew);
}

async function withHistory(reader: Reader, { situation, document }: Judged, lack: Lack) {
  if (lack === "all") return await withFacts(reader, situation);
  const { product, nowMs, history } = situation;
  const pricedAtMs = document ? msOrNull(document.ourPriceUpdatedAt) : nowMs;
  const isOld = pricedAtMs === null || pricedAtMs <= nowMs - DAY_MS;
  const price: PriceFacts = isOld
    ? { dayAgoCents: product.ourPriceCents, movesOfDay: 0, setByPersonAtMs: null }
    : await readPriceFacts(reader, product, nowMs);
  return { ...situation, history: { ...history, price } };
}

interface Priced {
  readonly product: Product;
  readonly situation: Situation;
  readonly ruleName: string;
  readonly cents: number;
  readonly timeZone: string;
  readonly rejectedBefore: Awaited<ReturnType<typeof findRejection>>;
}

/**
 * Returns the last rejection of a price that the rule proposed. Returns null if a price was applied
 * later, or if the newest proposal comes from another rule or has another currency.
 */
export async function findRejection(ctx: Context, ruleId: string, { id, currency }: Product) {
  const [last] = await listProposals(ctx, { by: "product", id }, null, 1, "desc");
  return last?.ruleId === ruleId && last.currency === currency ? rejectionIn(last) : null;
}

export async function proposalOf(
  ctx: Context,
  { ruleId, reason }: Decision,
  { product, situation, ruleName, cents, timeZone, rejectedBefore }: Priced,
): Promise<StoredProposal> {
  const now = ctx.now();
  const { id: productId, sku, title: productTitle, ourPriceCents, currency } = product;
  const units = await recentUnitsOf(ctx, [productId], dateIn(now, timeZone));
  return {
    ...opened(ctx.newId(), now),
    ...{ ruleId, ruleName, productId, sku, productTitle, currency, rejectedBefore },
    currentCents: ourPriceCents ?? 0,
    proposedCents: cents,
    reason: wireReason(reason),
    units30d: units.get(productId) ?? null,
    marketThen: marketPositionOf(marketFacts(situation)),
  };
}

interface AskedAgain {
  readonly proposal: StoredProposal | null;
  readonly trace: Trace | null;
  readonly closedBy: string | null;
}

export async function askAgain(
  ctx: Context,
  previous: StoredProposal,
  product: Product,
): Promise<AskedAgain> {
  const { ruleId } = previous;
  const all = await listRules(ctx);
  const rule = all.find(({ id }) => id === ruleId);
  if (!rule) return closed("rule_deleted");
  if (!rule.enabled) return closed("rule_off");
  const surroundings = await readSurroundings(ctx);
  const scene = { surroundings, nowMs: ctx.now().getTime() };
  const read = await readSubjects(ctx, [product.id], scene);
  const [subject] = read.subjects;
  if (!subject) return closed("product_deleted");
  const situation = {
    ...subject.situation,
    product: pricedProductOf(product),
    history: { ...subject.situation.history, openProposal: previous },
  };
  const compiled = compileRules(all);
  const asked = compiled.filter(({ id, isScheduledOnly }) => !isScheduledOnly || id === ruleId);
  const rules = rulesOf({ all: compiled, compiled: asked });
  const { decisions } = await judgeOne(ctx, rules, { situation });
  const own = decisions.find((decision) => decision.ruleId === ruleId);
  const cents = own?.proposedCents ?? null;
  if (!own || cents === null) return closed(own?.blocked[0] ?? "no_longer_fires");
  const { timeZone } = surroundings;
  const rejectedBefore = await findRejection(ctx, ruleId, product);
  const priced = { product, situation, ruleName: rule.name, cents, timeZone, rejectedBefore };
  const proposal = { ...await proposalOf(ctx, own, priced), reopenedFrom: previous.id };
  return { proposal, trace: own.trace(), closedBy: null };
}

function closed(closedBy: string): AskedAgain {
  return { proposal: null, trace: null, closedBy };
}
