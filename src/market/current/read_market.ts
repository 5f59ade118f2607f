/** Fills a market table with the market data of all products, and applies later changes to it. */
import { readWorkspace } from "../../accounts/workspace.ts";
import { batchesOf, pick } from "../../base/collections.ts";
import { roundOf } from "../../base/fraction.ts";
import { isoOrNull } from "../../base/time.ts";
import type { MarketOffer } from "../../catalogue/prices/product_market.ts";
import { findLogEnd } from "../../catalogue/products/change_log_store.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import {
  lacksShipping,
  marketFacts,
  marketReferences,
  marketUnits,
} from "../../engine/pricing/market_facts.ts";
import { DEFAULT_OPTIONS, leftOut } from "../../engine/pricing/reference.ts";
import { type Offer, readMarket, type Situation } from "../../engine/pricing/situation.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { readSurroundings, type Surroundings } from "../../rules/proposals/priced_product.ts";
import { readSubjects, streamProducts } from "../../rules/evaluation/situation_reader.ts";
import { type RuleCache, ruleTable } from "../../rules/rule.ts";
import { competitors } from "../../shops/competitor_store.ts";
import type { MarketRow, MarketTable, RowProposal } from "../table/market_table.ts";
import { changePct } from "../unit_cents.ts";

export interface MarketTerms extends Surroundings {
  readonly version: string;
  /** Enabled rules that set a price, in the order of evaluation. */
  readonly rules: readonly CompiledRule[];
}

/** As long as `version` is current, the other returned fields are current too. */
export async function readTerms(workspace: WorkspaceStore, ruleCache: RuleCache) {
  const [surroundings, rules] = await Promise.all([
    readSurroundings(workspace),
    ruleCache.rulesOf(workspace),
  ]);
  const { settingsVersion, competitorsVersion, ...terms } = surroundings;
  return {
    ...terms,
    version: versionOf(settingsVersion, competitorsVersion, rules.version),
    rules: rules.compiled.filter(({ price }) => price !== null),
  };
}

export async function findTermsVersion(workspace: WorkspaceStore): Promise<string> {
  const [{ versionstamp }, shops, rules] = await Promise.all([
    readWorkspace(workspace),
    competitors.version(workspace),
    ruleTable.version(workspace),
  ]);
  return versionOf(versionstamp, shops, rules);
}

function versionOf(...stamps: readonly (string | null)[]): string {
  return stamps.map((stamp) => stamp ?? "").join(" ");
}

const BATCH = 200;

export async function* readRows(
  workspace: WorkspaceStore,
  ids: readonly string[],
  terms: MarketTerms,
  nowMs: number,
): AsyncGenerator<{ readonly asked: readonly string[]; readonly rows: readonly MarketRow[] }> {
  const slice = new TimeSlice();
  for await (const asked of batchesOf(ids, BATCH)) {
    const { subjects } = await readSubjects(workspace, asked, { surroundings: terms, nowMs });
    const rows = subjects.map(({ situation, open, found }) =>
      rowOf(situation, found.product, open, terms)
    );
    yield { asked, rows };
    await slice.yield();
  }
}

export async function readOffers(
  workspace: WorkspaceStore,
  ids: readonly string[],
  terms: MarketTerms,
  nowMs: number,
): Promise<Map<string, MarketOffer[]>> {
  const found = new Map<string, MarketOffer[]>();
  for await (const batch of batchesOf(ids, BATCH)) {
    const { subjects } = await readSubjects(workspace, batch, { surroundings: terms, nowMs });
    for (const { situation } of subjects) found.set(situation.product.id, offersOf(situation));
  }
  return found;
}

function offersOf(situation: Situation): MarketOffer[] {
  const market = readMarket(situation);
  const { offers } = marketReferences(market);
  const priced = marketUnits(market.priced, market);
  const units = new Map(priced.map(({ offer, unit }) => [offer.matchId, roundOf(unit)]));
  const toOffer = (offer: Offer, why: string | null): MarketOffer => ({
    competitorProductId: offer.matchId,
    ...pick(offer, ["competitorId", "competitor", "priceCents"]),
    unitCents: units.get(offer.matchId) ?? null,
    shippingCents: offer.shippingCents ?? null,
    lacksShipping: why === null && lacksShipping(market, offer),
    ...pick(offer, ["currency", "packFactor", "inStock"]),
    observedAt: isoOrNull(offer.observedAtMs),
    counts: why === null,
    why,
  });
  return [
    ...offers.map(({ offer }) => toOffer(offer, null)),
    ...leftOut(DEFAULT_OPTIONS, market).map(({ offer, why }) => toOffer(offer, why)),
  ];
}

/** Returns the position in the change log up to which the table contains all changes. */
export async function fillTable(
  workspace: WorkspaceStore,
  table: MarketTable,
  terms: MarketTerms,
  nowMs: number,
  isStopped: () => boolean,
): Promise<string> {
  const position = await findLogEnd(workspace);
  const proposed: string[] = [];
  const products = streamProducts(workspace, { surroundings: terms, nowMs });
  for await (const { situation, hasOpenProposal, document } of products) {
    table.put(rowOf(situation, document, null, terms), nowMs);
    if (hasOpenProposal) proposed.push(situation.product.id);
    if (isStopped()) break;
  }
  for await (const { rows } of readRows(workspace, proposed, terms, nowMs)) {
    for (const row of rows) table.put(row, nowMs);
    if (isStopped()) break;
  }
  return position;
}

export function rowOf(
  situation: Situation,
  { title }: Pick<Product, "title">,
  open: Omit<RowProposal, "changePct"> | null,
  { rules }: Pick<MarketTerms, "rules">,
): MarketRow {
  const { product } = situation;
  const changeOf = (cents: number) => changePct(product.ourPriceCents ?? 0, cents);
  return {
    product,
    title,
    facts: marketFacts(situation),
    links: situation.offers,
    proposal: open &&
      { id: open.id, proposedCents: open.proposedCents, changePct: changeOf(open.proposedCents) },
    ruleId: rules.find(({ scope }) => scope.includes(product))?.id ?? null,
  };
}

export type Reader = WorkspaceStore & Pick<ClockAndIds, "now">;

export interface Loaded {
  readonly table: MarketTable;
  readonly terms: MarketTerms;
  position: string;
  /** Time at which the table next changes without an event: a price expires, for example. */
  nextDueMs: number;
  asOfMs: number;
  /** Time when the table was loaded. Earlier changes and deletions are unknown. */
  readonly knownSinceMs: number;
  isBehind: boolean;
}

export function tickOf({ asOfMs }: Pick<Loaded, "asOfMs">, nowMs: number): number {
  return Math.max(nowMs, asOfMs + 1);
}

interface Changes {
  readonly ids: ReadonlySet<string>;
  readonly position: string;
  readonly nextDueMs: number;
}

/** Sets `loaded.position` last, so that an interrupted call is repeated completely. */
export async function apply(
  workspace: Reader,
  loaded: Loaded,
  { ids, position, nextDueMs }: Changes,
  nowMs: number,
): Promise<void> {
  const { table, terms } = loaded;
  const tickMs = tickOf(loaded, nowMs);
  let [isMoved, dueMs] = [false, nextDueMs];
  for await (const { asked, rows } of readRows(workspace, [...ids], terms, nowMs)) {
    const active = new Set<string>();
    for (const row of rows) {
      active.add(row.product.id);
      isMoved = table.put(row, tickMs) || isMoved;
      dueMs = Math.min(dueMs, row.facts.changesAtMs ?? Infinity);
    }
    for (const id of asked) {
      if (!active.has(id)) isMoved = table.remove(id, tickMs) || isMoved;
    }
  }
  loaded.nextDueMs = dueMs;
  loaded.position = position;
  loaded.asOfMs = isMoved ? tickMs : Math.max(loaded.asOfMs, nowMs);
}
