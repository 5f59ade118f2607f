/** History of a workspace's VAT settings; past gross prices are computed with it. */
import type { Write } from "../platform/store/kv.ts";
import { defineTable } from "../platform/store/table.ts";
import type { Workspace } from "./workspace.ts";

/** How prices are meant. */
export type VatTerms = Readonly<Pick<Workspace, "pricesIncludeVat" | "vatRatePct">>;

/** From this time on the one, before it the other. */
export interface VatStep {
  readonly atMs: number;
  readonly from: VatTerms;
  readonly to: VatTerms;
}

export const vatSteps = defineTable<VatStep, "atMs">({
  prefix: "wvt",
  about: "how prices were meant before that time, and from it on; kept for ever, as own prices are",
  key: { atMs: "number" },
  keyOnly: ["atMs"],
});

/** Notes in the commit of a change of the settings what of them prices are meant by; nothing when that stays. */
export function noteVatTerms(write: Write, before: Workspace, after: Workspace, now: Date): void {
  const [from, to] = [termsOf(before), termsOf(after)];
  if (from.pricesIncludeVat === to.pricesIncludeVat && from.vatRatePct === to.vatRatePct) return;
  vatSteps.put(write, { workspaceId: after.id }, { atMs: now.getTime(), from, to });
}

function termsOf({ pricesIncludeVat, vatRatePct }: Workspace): VatTerms {
  return { pricesIncludeVat, vatRatePct };
}
