/**
 * The only place where rules are evaluated. Live evaluation, simulations, back-tests and counts
 * differ only in source, rules and sink.
 */
import { DAY_MS, msOrNull } from "../../base/time.ts";
import type { Product } from "../../catalogue/products/product.ts";
import {
  type BacktestCounters,
  BacktestFold,
  type BacktestQuestion,
  type PastProduct,
} from "../../engine/pricing/backtest.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import {
  decideIn,
  decideProduct,
  type Decision,
  type ProductDecisions,
  RulesOnProduct,
} from "../../engine/pricing/decide.ts";
import type { Market } from "../../engine/pricing/market.ts";
import {
  type Lack,
  type PlacedRule,
  type Rival,
  rivalsOf,
  type SimulatedProduct,
  simulateProduct,
  type SimulationQuestion,
  type Standing,
  standingOn,
  withoutCooldowns,
} from "../../engine/pricing/simulation.ts";
import type { PriceFacts, Situation } from "../../engine/pricing/situation.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { RulePage } from "../rule.ts";
import {
  type Moment,
  readPriceFacts,
  readSubjects,
  type Subject,
  type Surroundings,
  withFacts,
} from "./situation_reader.ts";
import { type StreamedProduct, streamProducts, type StreamRequest } from "./product_stream.ts";

const READS_AT_ONCE = 20;

type Reader = WorkspaceStore & Pick<Context, "now">;

export interface Judged {
  readonly situation: Situation;
  readonly document?: Pick<Product, "ourPriceUpdatedAt">;
}

/** Calls `visit` for each product until `visit` returns false. */
export type Products<P extends Judged> = (
  clock: Moment,
  visit: (product: P) => boolean,
) => Promise<void>;

interface Rules<Answer> {
  ask(situation: Situation): Answer;
  /** The history that was not read and could change the answer. */
  lacks(answer: Answer): Lack;
}

interface Sink<P extends Judged, Answer> {
  readonly history: Reader | null;
  /** False skips the product; "end" ends the pass. */
  admits?(product: P): boolean | "end";
  /** `at` is the number of products admitted before. Products that need history are taken last. */
  take(product: P, answer: Answer, at: number): void;
  beat?(): Promise<unknown>;
}

export async function judge<P extends Judged, Answer>(
  products: Products<P>,
  rules: Rules<Answer>,
  clock: Moment,
  sink: Sink<P, Answer>,
): Promise<void> {
  const { history } = sink;
  const lacking: { readonly product: P; readonly lack: Lack; readonly at: number }[] = [];
  let count = 0;
  await products(clock, (product) => {
    const isAdmitted = sink.admits?.(product) ?? true;
    if (isAdmitted !== true) return isAdmitted !== "end";
    const at = count++;
    const answer = rules.ask(product.situation);
    const lack = history === null ? "nothing" : rules.lacks(answer);
    if (lack === "nothing") sink.take(product, answer, at);
    else lacking.push({ product, lack, at });
    return true;
  });
  for (let from = 0; history !== null && from < lacking.length; from += READS_AT_ONCE) {
    await sink.beat?.();
    await Promise.all(
      lacking.slice(from, from + READS_AT_ONCE).map(async ({ product, lack, at }) => {
        sink.take(product, rules.ask(await withHistory(history, product, lack)), at);
      }),
    );
  }
}

export async function judgeOne<Answer>(
  reader: Reader,
  rules: Rules<Answer>,
  product: Judged,
): Promise<Answer> {
  const answer = rules.ask(product.situation);
  const lack = rules.lacks(answer);
  return lack === "nothing" ? answer : rules.ask(await withHistory(reader, product, lack));
}

export function named(
  workspace: WorkspaceStore,
  ids: readonly string[],
  surroundings: Surroundings,
): Products<Subject> {
  return async (clock, visit) => {
    const { subjects } = await readSubjects(workspace, ids, surroundings, clock);
    for (const subject of subjects) if (!visit(subject)) break;
  };
}

export function everyProduct(
  workspace: WorkspaceStore,
  request: Omit<StreamRequest, "moment">,
): Products<StreamedProduct> {
  return (moment, visit) => streamProducts(workspace, { ...request, moment }, visit);
}

/** Calls `end` with the counters after each product. */
export function everyMoment(
  pasts: readonly PastProduct[],
  question: BacktestQuestion,
  before: BacktestCounters,
  end: (counters: BacktestCounters) => Promise<unknown>,
): Products<Judged & { readonly fold: BacktestFold }> {
  return async (_, visit) => {
    let counters = before;
    for (const past of pasts) {
      const fold = new BacktestFold(counters, past, question);
      for (const situation of fold.situations()) visit({ situation, fold });
      counters = fold.counters;
      await end(counters);
    }
  };
}

/** Evaluates `rules` in order. If `asked` is null, the decisions of all rules are returned. */
export function allRules(
  rules: readonly CompiledRule[],
  asked: ReadonlySet<string> | null = null,
): Rules<ProductDecisions> {
  return {
    ask: (situation) => decideProduct(rules, situation, asked),
    lacks: ({ decisions }) => decisions.some(lacksHistory) ? "all" : "nothing",
  };
}

export function rulesOf({ all, compiled }: Pick<RulePage, "all" | "compiled">) {
  return allRules(all, all === compiled ? null : new Set(compiled.map(({ id }) => id)));
}

export function ruleAmong(
  { rule, all, place }: PlacedRule,
): Rules<{ readonly market: Market; readonly decision: Decision }> {
  return {
    ask: (situation) => {
      const asked = new RulesOnProduct(all, situation);
      const { market } = asked;
      return rule.scope.includes(situation.product)
        ? { market, decision: asked.decision(place, rule) }
        : { market, decision: decideIn(rule, market) };
    },
    lacks: ({ decision }) => lacksHistory(decision) ? "all" : "nothing",
  };
}

export interface BesideOthers {
  readonly market: Market;
  readonly decision: Decision;
  /** True if the rule would set a price, even if the price is blocked for now. */
  readonly asks: boolean;
  readonly rivals: readonly Rival[];
}

export function besideOthers(question: SimulationQuestion): Rules<BesideOthers> {
  const { rule, all, place } = question;
  return {
    ask: (situation) => {
      const asked = new RulesOnProduct(all, situation);
      const { market } = asked;
      const asks = asked.claimOf(place) !== null;
      return { market, decision: decideIn(rule, market), asks, rivals: rivalsOf(question, asked) };
    },
    lacks: ({ decision }) => lacksHistory(decision) ? "all" : "nothing",
  };
}

export function standingAmong(rules: readonly CompiledRule[]): Rules<Standing> {
  return { ask: (situation) => standingOn(rules, situation), lacks: ({ lacks }) => lacks };
}

/** Simulates a rule without cooldowns, and its effects on the decisions of the other rules. */
export function simulated(question: SimulationQuestion): Rules<SimulatedProduct> {
  return {
    ask: (situation) => simulateProduct(question, withoutCooldowns(situation)),
    lacks: ({ lacks }) => lacks,
  };
}

function lacksHistory({ held, blocked }: Pick<Decision, "held" | "blocked">): boolean {
  return held.includes("history_unread") || blocked.includes("day_unread");
}

/** True if no rule fires and no rule state changes. Open proposals are ignored. */
export function isIdle({ decisions, ranks }: ProductDecisions): boolean {
  const isNew = (decision: Decision) =>
    decision.fires || decision.outcome !== "rest" || lacksHistory(decision);
  return ranks.length === 0 && !decisions.some(isNew);
}

/** If today's price is at least a day old, the price history is not read. */
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
