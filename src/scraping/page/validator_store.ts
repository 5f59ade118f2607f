/**
 * Keys: `sv W matchId` → with what the page of a match is asked for next time, and what it said when
 * it was sent in full: a 304 confirms exactly that.
 */
import { idBytes } from "../../base/id.ts";
import type { ExplicitExtractor } from "../../extraction/extraction_page.ts";
import type { ExtractedPrice } from "../../extraction/settle_price.ts";
import type { WorkspaceStore } from "../../platform/context.ts";
import type { Write } from "../../platform/kv.ts";
import type { Validators } from "./fetch_page.ts";

/** What a page said, and which question it answered: another URL or extractor is another question. */
export interface KnownPage {
  readonly matchUrl: string;
  readonly extractor: ExplicitExtractor | null;
  readonly validators: Validators;
  readonly found: ExtractedPrice;
}

/** A match that is not looked at for so long is asked in full again. */
const KEPT_MS = 90 * 86_400_000;

const rowKey = (workspaceId: string, matchId: string) => [
  "sv",
  idBytes(workspaceId),
  idBytes(matchId),
];

/** Null for another URL or another extractor than the ones that are asked with now. */
export async function findKnownPage(
  { store, workspaceId }: WorkspaceStore,
  matchId: string,
  question: Pick<KnownPage, "matchUrl" | "extractor">,
): Promise<KnownPage | null> {
  const { value } = await store.kv.get<KnownPage>(rowKey(workspaceId, matchId));
  if (value === null || value.matchUrl !== question.matchUrl) return null;
  const isSame = JSON.stringify(value.extractor) === JSON.stringify(question.extractor);
  return isSame ? value : null;
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
