/** The history of a workspace's VAT settings. Past gross prices are computed with it. */
import type { Write } from "../platform/store/kv.ts";
import { defineTable } from "../platform/store/table.ts";
import type { Workspace } from "./workspace.ts";

/** Whether prices include VAT, and the rate. */
export type VatTerms = Readonly<Pick<Workspace, "pricesIncludeVat" | "vatRatePct">>;

/** A change of the settings at `atMs`. */
export interface VatStep {
  readonly atMs: number;
  readonly from: VatTerms;
  readonly to: VatTerms;
}

export const vatSteps = defineTable<VatStep, "atMs">({
  prefix: "wvt",
  about: "the VAT settings before and after a change; kept forever, like own prices",
  key: { atMs: "number" },
  keyOnly: ["atMs"],
});

/**
 * Adds a step to the commit of a change of the settings. Does nothing if the VAT settings stay the
 * same.
 */
export function noteVatTerms(write: Write, before: Workspace, after: Workspace, now: Date): void {
  const [from, to] = [termsOf(before), termsOf(after)];
  if (from.pricesIncludeVat === to.pricesIncludeVat && from.vatRatePct === to.vatRatePct) return;
  vatSteps.put(write, { workspaceId: after.id }, { atMs: now.getTime(), from, to });
}

function termsOf({ pricesIncludeVat, vatRatePct }: Workspace): VatTerms {
  return { pricesIncludeVat, vatRatePct };
}
