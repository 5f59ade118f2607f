/**
 * Reads the inputs of decisions: some or all products with offers, rule states and open proposals.
 * To save time, a product's price history is read only for decisions that need it.
 */
import { DAY_MS } from "../../base/time.ts";
import type { PriceChange } from "../../catalogue/prices/price_rows.ts";
import {
  findDocuments,
  listDocuments,
  listPriceChanges,
  type StoredProduct,
} from "../../catalogue/products/product_store.ts";
import { parseProduct, parseProducts } from "../../catalogue/products/product.ts";
import {
  foldTexts,
  NO_HISTORY,
  type Offer,
  type PriceFacts,
  type Situation,
} from "../../engine/pricing/situation.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { listMatchesOfProduct } from "../../shops/matches/match_store.ts";
import {
  isAccepted,
  type PlacedObservation,
  type Position,
} from "../../shops/observations/observation.ts";
import { ofProduct, readOwned } from "../../shops/observations/read_observations.ts";
import { findReleased } from "../../shops/offers/failing_and_held_store.ts";
import { decodeOfferRows, findOffersOf, listOfferRows } from "../../shops/offers/offer_store.ts";
import { pricedProductOf, type Scene, situationIn } from "../proposals/priced_product.ts";
import type { StoredProposal } from "../proposals/proposal.ts";
import { findOpenProposals, listOpenRows } from "../proposals/proposal_store.ts";
import {
  decodeStates,
  findRuleStates,
  listRuleStates,
  NOTHING_KEPT,
  type RuleState,
  type Seen,
} from "./rule_state_store.ts";
import { fold } from "../../base/text.ts";
import { yieldToEventLoop } from "../../platform/event_loop.ts";

export interface Subject {
  readonly found: StoredProduct;
  readonly state: RuleState;
  readonly seen: Seen;
  readonly offersVersion: string | null;
  readonly open: StoredProposal | null;
  readonly situation: Situation;
}

export async function readSubjects(
  workspace: WorkspaceStore,
  productIds: readonly string[],
  scene: Scene,
): Promise<{ subjects: Subject[]; orphans: StoredProposal[] }> {
  const [documents, offers, states, open] = await Promise.all([
    findDocuments(workspace, productIds),
    findOffersOf(workspace, productIds),
    findRuleStates(workspace, productIds),
    findOpenProposals(workspace, productIds),
  ]);
  const offersOf = new Map(offers.map((row) => [row.productId, row]));
  const subjects = documents.map((document): Subject => {
    const product = parseProduct(document.bytes);
    const { state, seen } = states.get(document.id) ?? NOTHING_KEPT;
    const row = offersOf.get(document.id);
    const openProposal = open.get(document.id) ?? null;
    const history = { rules: state, price: null, openProposal };
    return {
      found: { ...document, product },
      state,
      seen,
      offersVersion: row?.versionstamp ?? null,
      open: openProposal,
      situation: situationIn(scene, pricedProductOf(product), row?.offers ?? [], history),
    };
  });
  const active = new Set(documents.map(({ id }) => id));
  const orphans = [...open.values()].filter(({ productId }) => !active.has(productId));
  return { subjects, orphans };
}

const CHANGES_AT_FIRST = 8;
const MOVES: readonly PriceChange["source"][] = ["rule", "proposal"];
const OBSERVATIONS_AT_ONCE = 400;
const READS_MAX = 50;

type Reader = WorkspaceStore & Pick<Context, "now">;

export async function withFacts(reader: Reader, situation: Situation): Promise<Situation> {
  const { product, history, nowMs } = situation;
  const [price, matches, released] = await Promise.all([
    readPriceFacts(reader, product, nowMs),
    listMatchesOfProduct(reader, product.id),
    findReleased(reader, product.id),
  ]);
  const changedAtMs = new Map(
    matches.filter(({ match }) => match.updatedAt !== match.createdAt)
      .map(({ match }) => [match.id, Date.parse(match.updatedAt)]),
  );
  const isReleased = ({ matchId, priceCents, currency }: Offer) =>
    released.some((row) =>
      row.matchId === matchId && row.priceCents === priceCents && row.currency === currency
    );
  const known = await withPasts(reader, situation, changedAtMs, price.setByPersonAtMs);
  const offers = known.map((offer) => ({
    ...offer,
    isReleased: offer.isReleased === true || isReleased(offer),
  }));
  return { ...situation, offers, history: { ...history, price } };
}

/**
 * Adds to each offer its previous price and the start of its current price (null if unknown). Stops
 * as soon as it is known whether this start is before `setAtMs`.
 */
async function withPasts(
  reader: Reader,
  { product, offers, nowMs }: Situation,
  changedAtMs: ReadonlyMap<string, number>,
  setAtMs: number | null,
): Promise<readonly Offer[]> {
  const observations: PlacedObservation[] = [];
  let known = offers;
  let open = offers;
  for (let reads = 0; reads < READS_MAX && open.length > 0; reads++) {
    const fromMs = reads === 0 ? 0 : Math.min(...open.map((offer) => offer.matchCreatedAtMs));
    const after: Position | null = observations.at(-1) ?? null;
    const stretch = { fromMs, toMs: nowMs, order: "desc", after } as const;
    const read = await readOwned(reader, ofProduct(product.id), stretch, OBSERVATIONS_AT_ONCE);
    observations.push(...read);
    const byMatch = Map.groupBy(observations, ({ observation }) => observation.matchId);
    const seenOf = ({ matchId }: Offer) => byMatch.get(matchId) ?? [];
    known = offers.map((offer) =>
      withPast(offer, seenOf(offer), changedAtMs.get(offer.matchId) ?? null)
    );
    open = read.length < OBSERVATIONS_AT_ONCE
      ? []
      : known.filter((offer) => isOpen(offer, seenOf(offer), setAtMs));
  }
  return known.map((offer) => open.includes(offer) ? { ...offer, priceSinceMs: null } : offer);
}

function isOpen(
  { observedAtMs, priceSinceMs }: Offer,
  seen: readonly PlacedObservation[],
  setAtMs: number | null,
): boolean {
  if (observedAtMs === null) return false;
  const oldest = seen.at(-1)?.observation.observedAtMs ?? observedAtMs;
  if (oldest === observedAtMs) return true;
  return setAtMs !== null && priceSinceMs === oldest && oldest > setAtMs;
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

/** `since` must be sorted from new to old. */
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
 * `observations` must be sorted by time, newest first. `changedAtMs` is when the link between offer
 * and product last changed, or null.
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

const ROWS = 1_000;
const AT_ONCE = 250;

type ReadRows<T> = (after: string | null, limit: number) => Promise<readonly T[]>;

class RowsBeside<T extends { readonly id: string }> {
  readonly #read: ReadRows<T>;
  #after: string | null;
  #rows: readonly T[] = [];
  #isEnd = false;

  constructor(read: ReadRows<T>, after: string | null) {
    this.#read = read;
    this.#after = after;
  }

  async upTo(last: string, ids: ReadonlySet<string>): Promise<T[]> {
    const taken: T[] = [];
    for (;;) {
      const behind = this.#rows.findIndex(({ id }) => id > last);
      const end = behind === -1 ? this.#rows.length : behind;
      taken.push(...this.#rows.slice(0, end).filter(({ id }) => ids.has(id)));
      this.#rows = this.#rows.slice(end);
      if (behind !== -1 || this.#isEnd) return taken;
      this.#rows = await this.#read(this.#after, ROWS);
      this.#after = this.#rows.at(-1)?.id ?? this.#after;
      this.#isEnd = this.#rows.length < ROWS;
    }
  }
}

interface BytesRow {
  readonly id: string;
  readonly bytes: Uint8Array;
}

const bytesOf = (rows: readonly BytesRow[]) => rows.map(({ bytes }) => bytes);

function createFold(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) =>
    known.size < 20_000 ? known.getOrInsertComputed(text, fold) : known.get(text) ?? fold(text);
}

interface StreamRequest extends Scene {
  readonly after?: string | null;
  readonly most?: number;
}

/** The products may be outdated, so a caller that writes must read the product again. */
export async function* streamProducts(workspace: WorkspaceStore, request: StreamRequest) {
  const readPage = pageReader(workspace, request);
  const foldOnce = createFold();
  let yielded = 0;
  for (let page = await readPage(); page !== null; page = await readPage()) {
    for (const document of page.documents) {
      const { id } = document;
      const product = pricedProductOf(document, foldTexts(document, foldOnce));
      const history = { ...NO_HISTORY, rules: page.states.get(id) ?? NOTHING_KEPT.state };
      const situation = situationIn(request, product, page.offers.get(id) ?? [], history);
      yield { situation, hasOpenProposal: page.open.has(id), document };
      if (++yielded % AT_ONCE === 0) await yieldToEventLoop();
    }
  }
}

function pageReader(workspace: WorkspaceStore, request: StreamRequest) {
  let { after = null, most: left = Infinity } = request;
  const first = after;
  const beside = <T extends { readonly id: string }>(
    list: (workspace: WorkspaceStore, ...page: Parameters<ReadRows<T>>) => Promise<readonly T[]>,
  ) => new RowsBeside<T>((...page) => list(workspace, ...page), first);
  const offers = beside(listOfferRows);
  const states = beside(listRuleStates);
  const open = beside(listOpenRows);
  return async () => {
    if (left <= 0) return null;
    const limit = Math.min(ROWS, left);
    const found = await listDocuments(workspace, after, limit);
    const last = found.at(-1)?.id ?? "";
    after = last;
    left = found.length < limit ? 0 : left - limit;
    const ids = new Set(found.map(({ id }) => id));
    const [offerRows, stateRows, openRows] = ids.size === 0 ? [[], [], []] : await Promise.all([
      offers.upTo(last, ids),
      states.upTo(last, ids),
      open.upTo(last, ids),
    ]);
    return {
      documents: parseProducts(bytesOf(found)),
      offers: decoded(offerRows, decodeOfferRows),
      states: decoded(stateRows, decodeStates),
      open: new Set(openRows.map(({ id }) => id)),
    };
  };
}

function decoded<V>(
  rows: readonly BytesRow[],
  decode: (values: readonly Uint8Array[]) => readonly V[],
): ReadonlyMap<string, V> {
  return new Map(decode(bytesOf(rows)).map((value, at) => [rows[at]?.id ?? "", value]));
}
