/**
 * Reads the inputs of decisions: products with offers and rule states, and the number of prices
 * that rules have set today. The price history of a product is read only for decisions that need
 * the history, to save time.
 */
import { dateIn, DAY_MS } from "../../base/time.ts";
import type { PriceChange } from "../../catalogue/prices/price_rows.ts";
import {
  findDocuments,
  listPriceChanges,
  type StoredProduct,
} from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import type { Mode, Offer, PriceFacts, Situation, Spent } from "../../engine/pricing/situation.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { listMatchesOfProduct } from "../../shops/matches/match_store.ts";
import {
  isAccepted,
  type PlacedObservation,
  type Position,
} from "../../shops/observations/observation.ts";
import { readProduct } from "../../shops/observations/read_observations.ts";
import { findReleased } from "../../shops/offers/failing_and_held_store.ts";
import { findOffersOf } from "../../shops/offers/offer_store.ts";
import {
  type LiveSurroundings,
  pricedProductOf,
  pricingOffersOf,
  type Surroundings,
} from "../proposals/priced_product.ts";
import type { StoredProposal } from "../proposals/proposal.ts";
import { findOpenProposals } from "../proposals/proposal_store.ts";
import {
  findKeptStates,
  NO_STATE,
  NOTHING_SEEN,
  type RuleState,
  type Seen,
} from "./rule_state_store.ts";

export interface Subject {
  readonly found: StoredProduct;
  readonly state: RuleState;
  readonly seen: Seen;
  readonly offersVersion: string | null;
  readonly open: StoredProposal | null;
  readonly situation: Situation;
}

/** The inputs that the decisions on all products share; `mode` is `live` if absent. */
export interface Scene {
  readonly surroundings: Surroundings;
  readonly nowMs: number;
  readonly mode?: Mode;
}

export async function readSubjects(
  workspace: WorkspaceStore,
  productIds: readonly string[],
  { surroundings, nowMs, mode = "live" }: Scene,
): Promise<{ subjects: Subject[]; orphans: StoredProposal[] }> {
  const [documents, offers, states, open] = await Promise.all([
    findDocuments(workspace, productIds),
    findOffersOf(workspace, productIds),
    findKeptStates(workspace, productIds),
    findOpenProposals(workspace, productIds),
  ]);
  const offersOf = new Map(offers.map((row) => [row.productId, row]));
  const subjects = documents.map((document): Subject => {
    const product = parseProduct(document.bytes);
    const { state, seen } = states.get(document.id) ?? { state: NO_STATE, seen: NOTHING_SEEN };
    const row = offersOf.get(document.id);
    const proposal = open.get(document.id) ?? null;
    return {
      found: { ...document, product },
      state,
      seen,
      offersVersion: row?.versionstamp ?? null,
      open: proposal,
      situation: {
        product: pricedProductOf(product),
        ...pricingOffersOf(row?.offers ?? [], surroundings),
        history: { rules: state, price: null, openProposal: proposal },
        settings: surroundings.settings,
        nowMs,
        mode,
      },
    };
  });
  const active = new Set(documents.map(({ id }) => id));
  const orphans = [...open.values()].filter(({ productId }) => !active.has(productId));
  return { subjects, orphans };
}

/** `date` is a day in the workspace's time zone, such as `2026-11-21`. */
interface SpentDay extends Spent {
  readonly date: string;
}

export const spentDays = defineTable<SpentDay, "date">({
  prefix: "bd",
  about: "how many prices rules have set automatically on that day in the workspace's time zone; " +
    "counted while a budget is set, in the commits that set the prices",
  key: { date: "text" },
  keep: {
    what: "counts of automatic prices per day, for budgets",
    days: 7,
    isOld: ({ date }, before) => date < before.toISOString().slice(0, 10),
    isInOrder: true,
  },
});

export class DayBudget {
  readonly #budgeted: ReadonlySet<string>;
  readonly #found: Found<SpentDay> | null;
  spent: SpentDay;

  constructor(date: string, budgeted: ReadonlySet<string>, found: Found<SpentDay> | null) {
    this.#budgeted = budgeted;
    this.#found = found;
    this.spent = found?.row ?? { date, all: 0, rules: {} };
  }

  note(ruleId: string): void {
    const { date, all, rules } = this.spent;
    const ofRule = this.#budgeted.has(ruleId) ? { [ruleId]: (rules[ruleId] ?? 0) + 1 } : {};
    this.spent = { date, all: all + 1, rules: { ...rules, ...ofRule } };
  }

  /** The commit fails if another commit has changed the counts of automatic prices. */
  save(write: Write, workspaceId: string): void {
    if (this.spent.all > (this.#found?.row.all ?? 0)) {
      spentDays.save(write, { workspaceId }, this.#found, this.spent);
    }
  }
}

export async function readBudget(
  workspace: WorkspaceStore & Pick<Context, "now">,
  rules: readonly CompiledRule[],
  { settings, timeZone }: LiveSurroundings,
): Promise<DayBudget | null> {
  const budgeted = new Set(
    rules.filter(({ budgetPerDay }) => budgetPerDay !== null).map(({ id }) => id),
  );
  if (budgeted.size === 0 && settings.budgetPerDay === null) return null;
  const date = dateIn(workspace.now(), timeZone);
  return new DayBudget(date, budgeted, await spentDays.find(workspace, { date }));
}

const CHANGES_AT_FIRST = 8;
const MOVES: readonly PriceChange["source"][] = ["rule", "proposal"];
const OBSERVATIONS_MAX = 400;
const OLDER_AT_ONCE = 1_000;

type Reader = WorkspaceStore & Pick<Context, "now">;

export async function withFacts(reader: Reader, situation: Situation): Promise<Situation> {
  const { product, offers, history, nowMs } = situation;
  const stretch = { fromMs: 0, toMs: nowMs, order: "desc", after: null } as const;
  const [price, observations, matches, released] = await Promise.all([
    readPriceFacts(reader, product, nowMs),
    readProduct(reader, product.id, stretch, OBSERVATIONS_MAX),
    listMatchesOfProduct(reader, product.id),
    findReleased(reader, product.id),
  ]);
  const older = observations.length < OBSERVATIONS_MAX
    ? []
    : await readOlder(reader, situation, observations, observations.at(-1) ?? null);
  const byMatch = Map.groupBy(
    [...observations, ...older],
    ({ observation }) => observation.matchId,
  );
  const observationsOf = ({ matchId }: Offer) => byMatch.get(matchId) ?? [];
  const changedAtMs = new Map(
    matches.filter(({ match }) => match.updatedAt !== match.createdAt)
      .map(({ match }) => [match.id, Date.parse(match.updatedAt)]),
  );
  const isReleased = ({ matchId, priceCents, currency }: Offer) =>
    released.some((row) =>
      row.matchId === matchId && row.priceCents === priceCents && row.currency === currency
    );
  const known = offers.map((offer) => ({
    ...withPast(offer, observationsOf(offer), changedAtMs.get(offer.matchId) ?? null),
    isReleased: isReleased(offer),
  }));
  const setAtMs = price.setByPersonAtMs;
  const whole = { ...situation, offers: known, history: { ...history, price } };
  if (observations.length < OBSERVATIONS_MAX || setAtMs === null) return whole;
  // True if the offer may have had its current price already when a person set our price.
  const isOpen = (offer: Offer) =>
    (offer.priceSinceMs ?? -Infinity) > setAtMs &&
    observationsOf(offer).every((seen) => isSamePrice(seen, offer));
  const open = new Set(known.filter(isOpen).map(({ matchId }) => matchId));
  return {
    ...whole,
    offers: await reachBack(reader, product.id, { offers: known, open, setAtMs }),
  };
}

async function readOlder(
  reader: Reader,
  { product, offers, nowMs }: Situation,
  observations: readonly PlacedObservation[],
  last: Position | null,
): Promise<PlacedObservation[]> {
  const isBefore = (offer: Offer) => ({ observation }: PlacedObservation) =>
    observation.matchId === offer.matchId && observation.observedAtMs !== offer.observedAtMs;
  const lacking = new Map(
    offers.filter((offer) => offer.observedAtMs !== null && !observations.some(isBefore(offer)))
      .map((offer) => [offer.matchId, offer]),
  );
  const fromMs = Math.min(...[...lacking.values()].map(({ matchCreatedAtMs }) => matchCreatedAtMs));
  const found: PlacedObservation[] = [];
  let after = last;
  for (let page = 0; page < 20 && lacking.size > 0 && after !== null; page++) {
    const stretch = { fromMs, toMs: nowMs, order: "desc", after } as const;
    const read: PlacedObservation[] = await readProduct(reader, product.id, stretch, OLDER_AT_ONCE);
    for (const seen of read) {
      const offer = lacking.get(seen.observation.matchId);
      if (!offer || !isBefore(offer)(seen)) continue;
      found.push(seen);
      lacking.delete(offer.matchId);
    }
    after = read.length < OLDER_AT_ONCE ? null : read.at(-1) ?? null;
  }
  return found;
}

async function reachBack(
  reader: Reader,
  productId: string,
  { offers, open, setAtMs }: {
    readonly offers: readonly Offer[];
    readonly open: ReadonlySet<string>;
    readonly setAtMs: number;
  },
): Promise<readonly Offer[]> {
  if (open.size === 0) return offers;
  const stretch = { fromMs: 0, toMs: setAtMs, order: "desc", after: null } as const;
  const observations = await readProduct(reader, productId, stretch, OBSERVATIONS_MAX);
  const isWhole = observations.length < OBSERVATIONS_MAX;
  return offers.map((offer) => {
    if (!open.has(offer.matchId)) return offer;
    const seen = observations.find(({ observation }) => observation.matchId === offer.matchId);
    if (!seen) {
      const isYounger = isWhole || offer.matchCreatedAtMs > setAtMs;
      return isYounger ? offer : { ...offer, priceSinceMs: null };
    }
    const sinceMs = seen.observation.observedAtMs;
    return isSamePrice(seen, offer) ? { ...offer, priceSinceMs: sinceMs } : offer;
  });
}

function isSamePrice(
  { observation }: Pick<PlacedObservation, "observation">,
  { priceCents, currency }: Offer,
): boolean {
  return observation.priceCents === priceCents && observation.currency === currency;
}

export async function readPriceFacts(
  workspace: WorkspaceStore,
  { id, currency }: Situation["product"],
  nowMs: number,
): Promise<PriceFacts> {
  const dayAgoMs = nowMs - DAY_MS;
  const { since, before } = await readDay(workspace, id, dayAgoMs);
  const newest = since[0] ?? before;
  const isByPerson = newest !== undefined &&
    ["api", "proposal", "rollback"].includes(newest.source);
  const moves = since.filter(({ source }) => MOVES.includes(source));
  return {
    dayAgoCents: before?.currency === currency
      ? before.toCents
      : firstPriceOf(since, before, currency),
    movesOfDay: moves.length,
    moveTimesMs: moves.map(({ at }) => Date.parse(at)),
    setByPersonAtMs: isByPerson ? Date.parse(newest.at) : null,
  };
}

async function readDay(workspace: WorkspaceStore, productId: string, dayAgoMs: number) {
  const all = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
  const newest = await listPriceChanges(workspace, productId, all, CHANGES_AT_FIRST);
  const old = newest.findIndex(({ at }) => Date.parse(at) <= dayAgoMs);
  if (old !== -1) return { since: newest.slice(0, old), before: newest[old] };
  if (newest.length < CHANGES_AT_FIRST) return { since: newest, before: undefined };
  const [since, [before]] = await Promise.all([
    listPriceChanges(workspace, productId, { ...all, fromMs: dayAgoMs + 1 }, 1_000),
    listPriceChanges(workspace, productId, { ...all, beforeMs: dayAgoMs + 1 }, 1),
  ]);
  return { since, before };
}

/** `since` must be sorted by time, newest change first. */
function firstPriceOf(
  since: readonly PriceChange[],
  before: PriceChange | undefined,
  currency: string,
): number | null {
  const foreign = since.findIndex((change) => change.currency !== currency);
  const first = (foreign === -1 ? since : since.slice(0, foreign)).at(-1);
  const isStart = foreign === -1 && before === undefined;
  return (isStart ? first?.fromCents : null) ?? first?.toCents ?? null;
}

/**
 * `observations` must be sorted by time, newest first. `changedAtMs` is the time of the link's last
 * change; null if the link was never changed.
 */
function withPast(
  offer: Offer,
  observations: readonly PlacedObservation[],
  changedAtMs: number | null,
): Offer {
  const seen = observations.map(({ observation }) => observation)
    .filter((observation) => isAccepted(observation, offer));
  const others = seen.filter(({ observedAtMs }) => observedAtMs !== offer.observedAtMs);
  const previous = others[0];
  let sinceMs = offer.observedAtMs;
  for (const { priceCents, currency, observedAtMs } of others) {
    if (priceCents !== offer.priceCents || currency !== offer.currency) break;
    sinceMs = observedAtMs;
  }
  return {
    ...offer,
    isChangedSince: changedAtMs !== null && previous !== undefined &&
      previous.observedAtMs <= changedAtMs,
    previousPriceCents: previous?.currency === offer.currency ? previous?.priceCents ?? null : null,
    priceSinceMs: sinceMs,
  };
}
