/** Workspaces with their settings. */
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store, Write } from "../platform/store/kv.ts";
import { defineStoreTable, defineTable } from "../platform/store/table.ts";
import type { Workspace } from "./workspace.ts";

export const workspaces = defineStoreTable<Workspace, "id">({
  prefix: "ws",
  about: "a workspace; when a workspace is deleted, this row is deleted last",
  key: { id: "id" },
  valueHasKey: true,
  version: "wsg",
  codec: {
    /** Rows of earlier versions lack these fields. */
    decode: (row) => ({
      automationStop: null,
      budgetPerDay: null,
      quarantine: null,
      approval: null,
      ownShippingCents: null,
      compareDelivered: false,
      ownSellerNames: [],
      secondFactorRoles: [],
      ...Object(row),
    }),
  },
});

export async function findWorkspace(store: Store, workspaceId: string): Promise<Workspace | null> {
  return (await workspaces.find({ store }, { id: workspaceId }))?.row ?? null;
}

/** Throws an internal error if the workspace does not exist. */
export async function requireWorkspace(workspace: WorkspaceStore): Promise<Workspace> {
  return (await readWorkspace(workspace)).workspace;
}

export async function readWorkspace({ store, workspaceId }: WorkspaceStore) {
  const found = await workspaces.find({ store }, { id: workspaceId });
  if (!found) throw new Error(`The workspace ${workspaceId} is missing`);
  return { workspace: found.row, versionstamp: found.versionstamp };
}

export async function listWorkspaces(store: Store): Promise<Workspace[]> {
  return (await workspaces.list({ store })).map(({ row }) => row);
}

/** Call this before `listWorkspaces`. */
export async function workspacesVersion(store: Store): Promise<string | null> {
  return await workspaces.version({ store });
}

/** The commit fails if any workspace has changed since `allVersion` was read. */
export function addWorkspace(write: Write, workspace: Workspace, allVersion: string | null): void {
  workspaces.checkVersion(write, {}, allVersion);
  workspaces.save(write, {}, null, workspace);
}

export function saveWorkspace(write: Write, workspace: Workspace, versionstamp: string): void {
  workspaces.save(write, {}, { row: workspace, versionstamp }, workspace);
}

export function checkWorkspace(
  write: Write,
  workspaceId: string,
  versionstamp: string | null,
): void {
  write.check(workspaces.keyOf({}, { id: workspaceId }), versionstamp);
}

// Past prices depend on past VAT settings, so their history is stored.

export type VatTerms = Readonly<Pick<Workspace, "pricesIncludeVat" | "vatRatePct">>;

export interface VatStep {
  readonly atMs: number;
  readonly from: VatTerms;
  readonly to: VatTerms;
}

export const vatSteps = defineTable<VatStep, "atMs">({
  prefix: "wvt",
  about: "the VAT settings before and after a change; kept forever, like own prices",
  key: { atMs: "number" },
});

export function noteVatTerms(write: Write, before: Workspace, after: Workspace, now: Date): void {
  const [from, to] = [termsOf(before), termsOf(after)];
  if (from.pricesIncludeVat === to.pricesIncludeVat && from.vatRatePct === to.vatRatePct) return;
  vatSteps.put(write, { workspaceId: after.id }, { atMs: now.getTime(), from, to });
}

function termsOf({ pricesIncludeVat, vatRatePct }: Workspace): VatTerms {
  return { pricesIncludeVat, vatRatePct };
}
