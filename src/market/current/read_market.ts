/** Computes the market facts of products. */

import { readWorkspace } from "../../accounts/workspace_store.ts";
import { roundOf } from "../../base/fraction.ts";
import { isoOrNull } from "../../base/time.ts";
import type { MarketOffer } from "../../catalogue/prices/product_market.ts";
import { findLogEnd } from "../../catalogue/products/change_log_store.ts";
import { parseProducts, type Product } from "../../catalogue/products/product.ts";
import { documentPages, listDocuments } from "../../catalogue/products/product_store.ts";
import type { CompiledRule } from "../../engine/pricing/compile_rule.ts";
import { readMarket } from "../../engine/pricing/market.ts";
import {
  lacksShipping,
  marketFacts,
  marketReferences,
  marketUnits,
} from "../../engine/pricing/market_facts.ts";
import { DEFAULT_OPTIONS, leftOut } from "../../engine/pricing/reference.ts";
import type { Offer, PricingSettings, Situation } from "../../engine/pricing/situation.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { streamProducts } from "../../rules/evaluation/product_stream.ts";
import { type RuleCache, ruleTable } from "../../rules/rule.ts";
import { readSubjects } from "../../rules/evaluation/situation_reader.ts";
import { pricingSettingsOf, type Shops, shopsOf } from "../../rules/proposals/priced_product.ts";
import { competitors, readCompetitorSet } from "../../shops/competitor_store.ts";
import { changePct } from "../unit_cents.ts";
import type { MarketRow, RowProposal } from "../table/market_row.ts";
import type { MarketTable } from "../table/market_table.ts";

/** Data of the workspace on which the facts of all products depend. */
export interface MarketTerms extends Shops {
  readonly version: string;
  readonly settings: PricingSettings;
  /** Enabled rules with a price, in the order of evaluation. */
  readonly rules: readonly CompiledRule[];
}

/** Reads each version before its data, so that the data is never older than the version. */
export async function readTerms(
  workspace: WorkspaceStore,
  ruleCache: RuleCache,
): Promise<MarketTerms> {
  const [settings, competitors, rules] = await Promise.all([
    readWorkspace(workspace),
    readCompetitorSet(workspace),
    ruleCache.rulesOf(workspace),
  ]);
  return {
    version: versionOf(settings.versionstamp, competitors.version, rules.version),
    settings: pricingSettingsOf(settings.workspace),
    ...shopsOf(settings.workspace, competitors.byId),
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

/** Yields only active products. */
export async function* readRows(
  workspace: WorkspaceStore,
  ids: readonly string[],
  terms: MarketTerms,
  nowMs: number,
): AsyncGenerator<{ readonly asked: readonly string[]; readonly rows: readonly MarketRow[] }> {
  const slice = new TimeSlice();
  for (let at = 0; at < ids.length; at += BATCH) {
    const asked = ids.slice(at, at + BATCH);
    const moment = { nowMs, mode: "live" } as const;
    const { subjects } = await readSubjects(workspace, asked, terms, moment);
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
  for (let at = 0; at < ids.length; at += BATCH) {
    const moment = { nowMs, mode: "live" } as const;
    const batch = ids.slice(at, at + BATCH);
    const { subjects } = await readSubjects(workspace, batch, terms, moment);
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
    competitorId: offer.competitorId,
    competitor: offer.competitor,
    priceCents: offer.priceCents,
    unitCents: units.get(offer.matchId) ?? null,
    shippingCents: offer.shippingCents ?? null,
    lacksShipping: why === null && lacksShipping(market, offer),
    currency: offer.currency,
    packFactor: offer.packFactor,
    inStock: offer.inStock,
    observedAt: isoOrNull(offer.observedAtMs),
    counts: why === null,
    why,
  });
  return [
    ...offers.map(({ offer }) => toOffer(offer, null)),
    ...leftOut(DEFAULT_OPTIONS, market).map(({ offer, why }) => toOffer(offer, why)),
  ];
}

/**
 * `tickMs` is stored as the time of the last change of the products. Returns a position of the
 * change log; the table may lack later changes. Ends early once `isStopped` returns true.
 */
export async function fillTable(
  workspace: WorkspaceStore,
  table: MarketTable,
  terms: MarketTerms,
  nowMs: number,
  isStopped: () => boolean,
  tickMs = nowMs,
): Promise<string> {
  const position = await findLogEnd(workspace);
  const moment = { nowMs, mode: "live" } as const;
  const proposed: string[] = [];
  await streamProducts(
    workspace,
    { surroundings: terms, moment, wanted: null, isPatient: true },
    ({ situation, hasOpenProposal, document }) => {
      table.put(rowOf(situation, document, null, terms), tickMs);
      if (hasOpenProposal) proposed.push(situation.product.id);
      return !isStopped();
    },
  );
  for await (const { rows } of readRows(workspace, proposed, terms, nowMs)) {
    for (const row of rows) table.put(row, tickMs);
    if (isStopped()) break;
  }
  return position;
}

const PRODUCTS_PER_READ = 1_000;

/** Ends early like `fillTable`. */
export async function fillLabels(
  workspace: WorkspaceStore,
  table: MarketTable,
  isStopped: () => boolean,
): Promise<void> {
  const slice = new TimeSlice();
  for await (const documents of documentPages(workspace, listDocuments, PRODUCTS_PER_READ)) {
    if (isStopped()) return;
    const products = parseProducts(documents.map(({ bytes }) => bytes));
    for (const { id, sku, title } of products) table.addLabels(id, { sku, title });
    await slice.yield();
  }
}

interface Proposed {
  readonly id: string;
  readonly proposedCents: number;
}

export function rowOf(
  situation: Situation,
  { title, updatedAt }: Pick<Product, "title" | "updatedAt">,
  open: Proposed | null,
  { rules }: Pick<MarketTerms, "rules">,
): MarketRow {
  const { product } = situation;
  const { id, ourPriceCents, brand, category, tier, currency, folded } = product;
  const rule = rules.find(({ scope }) => scope.includes(product));
  return {
    id,
    ourCents: ourPriceCents || null,
    brand,
    category,
    tier,
    currency,
    folded,
    facts: marketFacts(situation),
    links: situation.offers,
    proposal: open && proposalOf(open, ourPriceCents),
    ruleId: rule?.id ?? null,
    labels: { sku: product.sku, title },
    updatedAtMs: Date.parse(updatedAt),
  };
}

function proposalOf({ id, proposedCents }: Proposed, ourCents: number | null): RowProposal {
  return { id, proposedCents, changePct: changePct(ourCents ?? 0, proposedCents) };
}
