/**
 * Keys: `sv W matchId` → with what the page of a match is asked for next time, and what it said when
 * it was sent in full: a 304 confirms exactly that.
 */
import { idBytes } from "../../base/id.ts";
import type { ExplicitExtractor } from "../../engine/extraction/page/extraction_page.ts";
import type { PageStatus } from "../../engine/extraction/page_status.ts";
import type { WantedProduct } from "../../engine/extraction/page_product.ts";
import type { ExtractedPrice } from "../../engine/extraction/reconcile_readings.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { Validators } from "./fetch_page.ts";

/** The question to a page: another URL, extractor, name or number is another question. */
export interface PageQuestion {
  readonly matchUrl: string;
  readonly extractor: ExplicitExtractor | null;
  readonly product: Required<WantedProduct> | null;
  /** The shop's recipe as a short text; absent and `null` for none. */
  readonly recipe?: string | null;
}

/** The facts of a page, and the question that they answer. */
export interface KnownPage extends PageQuestion {
  readonly validators: Validators;
  readonly found: ExtractedPrice;
  /** Absent in older rows. */
  readonly pageStatus?: PageStatus;
}

/** A match that is not looked at for so long is asked in full again. */
const KEPT_MS = 90 * 86_400_000;

const rowKey = (workspaceId: string, matchId: string) => [
  "sv",
  idBytes(workspaceId),
  idBytes(matchId),
];

/** Null when it answered another question than the one that is asked now. */
export async function findKnownPage(
  { store, workspaceId }: WorkspaceStore,
  matchId: string,
  question: PageQuestion,
): Promise<KnownPage | null> {
  const { value } = await store.kv.get<KnownPage>(rowKey(workspaceId, matchId));
  return value && textOf(value) === textOf(question) ? value : null;
}

function textOf({ matchUrl, extractor, product, recipe = null }: PageQuestion): string {
  const wanted = product &&
    [product.sku, product.ean, product.mpn, product.title];
  return JSON.stringify([matchUrl, extractor, wanted, recipe]);
}

/** Null forgets what was known. */
export function saveKnownPage(
  write: Write,
  workspaceId: string,
  matchId: string,
  page: KnownPage | null,
): void {
  const key = rowKey(workspaceId, matchId);
  if (page) write.set(key, page, KEPT_MS);
  else write.delete(key);
}
