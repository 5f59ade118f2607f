/**
 * Keys: `wvt W at` → how a workspace said its prices before that time and from it on, where its side of
 * VAT or its rate changed. Kept for ever, as own prices are: gross prices of the past go by it.
 */
import { idBytes } from "../base/id.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import type { Workspace } from "./workspace.ts";

/** How prices are meant. */
export type VatTerms = Readonly<Pick<Workspace, "pricesIncludeVat" | "vatRatePct">>;

/** From this time on the one, before it the other. */
export interface VatStep {
  readonly atMs: number;
  readonly from: VatTerms;
  readonly to: VatTerms;
}

const stepsOf = (workspaceId: string) => ["wvt", idBytes(workspaceId)];

/** Notes in the commit of a change of the settings what of them prices are meant by; nothing when that stays. */
export function noteVatTerms(
  write: Write,
  before: Workspace,
  after: Workspace,
  now: Date,
): void {
  const [from, to] = [termsOf(before), termsOf(after)];
  if (from.pricesIncludeVat === to.pricesIncludeVat && from.vatRatePct === to.vatRatePct) return;
  putVatStep(write, after.id, { atMs: now.getTime(), from, to });
}

function termsOf({ pricesIncludeVat, vatRatePct }: Workspace): VatTerms {
  return { pricesIncludeVat, vatRatePct };
}

/** Adds a step that there was before, in another store. */
export function putVatStep(write: Write, workspaceId: string, { atMs, from, to }: VatStep): void {
  write.set([...stepsOf(workspaceId), atMs], { from, to });
}

/** Oldest first. */
export async function listVatSteps({ store, workspaceId }: WorkspaceStore): Promise<VatStep[]> {
  const rows = store.kv.list<Omit<VatStep, "atMs">>({ prefix: stepsOf(workspaceId) });
  return await Array.fromAsync(rows, ({ key, value }) => ({ atMs: Number(key[2]), ...value }));
}
