/**
 * Applies rules to products, in live evaluations, simulations, back-tests and counts. The price
 * history of a product is read only if the answer of a rule depends on it.
 */
import { DAY_MS, msOrNull } from "../../base/time.ts";
import type { Product } from "../../catalogue/products/product.ts";
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

const READS_AT_ONCE = 20;
const NAMED_AT_ONCE = 500;

type Reader = WorkspaceStore & Pick<Context, "now">;

export interface Judged {
  readonly situation: Situation;
  readonly document?: Pick<Product, "ourPriceUpdatedAt">;
}

interface Rules<Answer> {
  ask(situation: Situation): Answer;
  /** Returns which unread part of the price history could change the answer. */
  lacks(answer: Answer): Lack;
}

/** `at` is the position in `products`. A product that needs its price history is yielded later. */
export async function* judge<P extends Judged, Answer>(
  products: AsyncIterable<P>,
  rules: Rules<Answer>,
  reader: Reader,
): AsyncGenerator<{ readonly product: P; readonly answer: Answer; readonly at: number }> {
  let lacking: { readonly product: P; readonly lack: Lack; readonly at: number }[] = [];
  const askLacking = () => {
    const asked = lacking;
    lacking = [];
    return Promise.all(asked.map(async ({ product, lack, at }) => {
      return { product, answer: rules.ask(await withHistory(reader, product, lack)), at };
    }));
  };
  let count = 0;
  for await (const product of products) {
    const at = count++;
    const answer = rules.ask(product.situation);
    const lack = rules.lacks(answer);
    if (lack === "nothing") yield { product, answer, at };
    else if (lacking.push({ product, lack, at }) === READS_AT_ONCE) yield* await askLacking();
  }
  yield* await askLacking();
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

export async function* named(
  workspace: WorkspaceStore,
  ids: readonly string[],
  surroundings: Surroundings,
  moment: Moment,
): AsyncGenerator<Subject> {
  for (let at = 0; at < ids.length; at += NAMED_AT_ONCE) {
    const some = ids.slice(at, at + NAMED_AT_ONCE);
    yield* (await readSubjects(workspace, some, surroundings, moment)).subjects;
  }
}

/** `asked` contains the ids of the rules that decide; null stands for all rules. */
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

export function askBesideOthers(question: SimulationQuestion, situation: Situation): BesideOthers {
  const { rule, all, place } = question;
  const asked = new RulesOnProduct(all, situation);
  const { market } = asked;
  const asks = asked.claimOf(place) !== null;
  return { market, decision: decideIn(rule, market), asks, rivals: rivalsOf(question, asked) };
}

export function standingAmong(rules: readonly CompiledRule[]): Rules<Standing> {
  return { ask: (situation) => standingOn(rules, situation), lacks: ({ lacks }) => lacks };
}

export function simulated(question: SimulationQuestion): Rules<SimulatedProduct> {
  return {
    ask: (situation) => simulateProduct(question, situation),
    lacks: ({ lacks }) => lacks,
  };
}

function lacksHistory({ held, blocked }: Pick<Decision, "held" | "blocked">): boolean {
  return held.includes("history_unread") || blocked.includes("day_unread");
}

/** True if no rule fires and no rule state changes. Open proposals do not matter. */
export function isIdle({ decisions, ranks }: ProductDecisions): boolean {
  const isNew = (decision: Decision) =>
    decision.fires || decision.outcome !== "rest" || lacksHistory(decision);
  return ranks.length === 0 && !decisions.some(isNew);
}

/** If today's price is at least a day old, the prices of the last day need not be read. */
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
