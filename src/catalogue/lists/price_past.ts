/** The own prices of a product one by one, as the lowest price of 30 days looks at them. */
import { vatSteps } from "../../accounts/vat_terms.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { exportsSince, type HasTold } from "../prices/finished_export_store.ts";
import type { ToldPrice } from "../prices/lowest_price.ts";
import { type PriceHistoryEntry, type PriceMark, withMarks } from "../prices/price_mark.ts";
import { listPriceMarks } from "../prices/price_mark_store.ts";
import { listTermsSteps } from "../prices/price_terms_store.ts";
import { VatTimeline } from "../prices/vat_timeline.ts";
import { listPriceChanges } from "../products/price_changes.ts";

const CHANGES_PER_READ = 500;

/** A price, and whether customers may have seen it. */
export interface PricedMoment {
  readonly change: ToldPrice & { readonly mark: PriceMark | null };
  /** Marked as never shown, and no export told it: it did not happen for customers. */
  readonly isLeftOut: boolean;
}

/** A price of a product's own history. */
export interface PastPrice extends PricedMoment {
  readonly change: PriceHistoryEntry;
  readonly wasExported: boolean;
}

/** Those before a time, the newest first; `wasExported` of all, or only where somebody has marked some. */
export async function* pricesBefore(
  workspace: WorkspaceStore,
  productId: string,
  beforeMs: number,
  vat: VatTimeline,
  { asksForExports = false }: { readonly asksForExports?: boolean } = {},
): AsyncGenerator<PastPrice> {
  const marks = await listPriceMarks(workspace, productId, { fromMs: 0, beforeMs: Infinity });
  let hasTold: HasTold | null = null;
  let endedMs: number | null = null;
  for (let end = Infinity;;) {
    const stretch = { fromMs: 0, beforeMs: end };
    const changes = await listPriceChanges(workspace, productId, stretch, CHANGES_PER_READ);
    const oldest = changes.at(-1);
    if (oldest && (asksForExports || marks.size > 0)) {
      hasTold = await exportsSince(workspace, Date.parse(oldest.at));
    }
    for (const change of withMarks(changes, marks, vat)) {
      const atMs = Date.parse(change.at);
      if (atMs < beforeMs) {
        const wasExported = hasTold?.(change, endedMs ?? Infinity) ?? false;
        const isLeftOut = change.mark?.neverShown === true && !wasExported;
        yield { change, isLeftOut, wasExported };
      }
      endedMs = atMs;
    }
    if (!oldest || changes.length < CHANGES_PER_READ) return;
    end = Date.parse(oldest.at);
  }
}

/** By which VAT a product's prices were meant at any time. */
export async function readVat(
  workspace: WorkspaceStore,
  { id, vatRatePct: ownPct }: { readonly id: string; readonly vatRatePct: number | null },
): Promise<VatTimeline> {
  const terms = await requireWorkspace(workspace);
  const [ownSteps, termsSteps] = await Promise.all([
    listTermsSteps(workspace, id),
    Array.fromAsync(vatSteps.walk(workspace), ({ row }) => row),
  ]);
  return new VatTimeline({ ownPct, ownSteps, terms, termsSteps });
}
