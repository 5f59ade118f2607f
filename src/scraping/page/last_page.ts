/**
 * The last page of a match. A page without a certain price is stored with everything that a person
 * needs to choose a price; it stays after the match has a certain price again. The price and the
 * validators of a complete response are stored, so that a 304 confirms exactly that price.
 */
import { HIGH_CONFIDENCE } from "../../base/codes.ts";
import { Failure } from "../../base/failure.ts";
import type { ExplicitExtractor } from "../../engine/extraction/page/extraction_page.ts";
import type { PageStatus } from "../../engine/extraction/page_status.ts";
import type { WantedProduct } from "../../engine/extraction/page_product.ts";
import type { ExtractedPrice } from "../../engine/extraction/reconcile_readings.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { defineTable } from "../../platform/store/table.ts";
import { requireMatch } from "../../shops/matches/product_links.ts";
import type { Validators } from "./fetch_page.ts";
import type { UnsurePage } from "./page_statement.ts";

const KEPT_MS = 90 * 86_400_000;

export const unsurePages = defineTable<UnsurePage, "competitorProductId">({
  prefix: "sw",
  about: "the last page of a match without a price or with an uncertain one; expires after 90 days",
  key: { competitorProductId: "id" },
  expireInMs: KEPT_MS,
});

/** Throws `not_found` if the match is unknown or its last page had a certain price. */
export async function readUnsurePage(
  workspace: WorkspaceStore,
  matchId: string,
): Promise<UnsurePage> {
  const { links } = await requireMatch(workspace, matchId);
  const offer = links.offers.offers.find((one) => one.matchId === matchId);
  const isSure = offer?.status === "ok" && (offer.confidence ?? 0) >= HIGH_CONFIDENCE;
  const found = isSure ? null : await unsurePages.find(workspace, { competitorProductId: matchId });
  if (!found) throw new Failure("not_found", "The last page of this link is not unsure");
  return found.row;
}

/**
 * Everything that determines how a page is read. With another URL, extractor, name or number, a
 * stored result is not valid.
 */
export interface PageQuestion {
  readonly matchUrl: string;
  readonly extractor: ExplicitExtractor | null;
  readonly product: Required<WantedProduct> | null;
  /** The shop's recipe as a short text; absent or null for none. */
  readonly recipe?: string | null;
}

interface KnownPage extends PageQuestion {
  readonly matchId: string;
  readonly validators: Validators;
  readonly found: ExtractedPrice;
  /** Absent in older rows. */
  readonly pageStatus?: PageStatus;
}

export const knownPages = defineTable<KnownPage, "matchId">({
  prefix: "sv",
  about:
    "the last result of a match's page, and validators for its next request; expires after 90 days",
  key: { matchId: "id" },
  keyOnly: ["matchId"],
  expireInMs: KEPT_MS,
});

/** Returns null if the stored result belongs to another question. */
export async function findKnownPage(
  workspace: WorkspaceStore,
  matchId: string,
  question: PageQuestion,
): Promise<KnownPage | null> {
  const { row = null } = await knownPages.find(workspace, { matchId }) ?? {};
  return row && textOf(row) === textOf(question) ? row : null;
}

function textOf({ matchUrl, extractor, product, recipe = null }: PageQuestion): string {
  const wanted = product && [product.sku, product.ean, product.mpn, product.title, product.shopSku];
  return JSON.stringify([matchUrl, extractor, wanted, recipe]);
}
