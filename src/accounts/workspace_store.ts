/**
 * Stores workspaces with their present settings and their former VAT settings, and runs work in all
 * workspaces.
 */
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Store, Write } from "../platform/store/kv.ts";
import { defineStoreTable, defineTable } from "../platform/store/table.ts";
import type { Workspace } from "./workspace.ts";
import { eachApart } from "../platform/jobs/work_loop.ts";
import type { MigrationStep } from "../platform/store/layout_store.ts";

type FirstField =
  | "id"
  | "name"
  | "currency"
  | "timeZone"
  | "locale"
  | "pricesIncludeVat"
  | "vatRatePct"
  | "autoApply"
  | "importHold"
  | "importHoldUnconfirmed"
  | "importExpectedHours"
  | "createdAt";

type EarlierWorkspace = Pick<Workspace, FirstField> & Partial<Omit<Workspace, FirstField>>;

export const workspaces = defineStoreTable<Workspace, "id">({
  prefix: "ws",
  about: "a workspace; when a workspace is deleted, this row is deleted last",
  key: { id: "id" },
  valueHasKey: true,
  version: "wsg",
  codec: {
    /** Rows that an earlier version of Kurant wrote lack these fields. */
    decode: (row: EarlierWorkspace): Workspace => ({
      automationStop: null,
      budgetPerDay: null,
      quarantine: null,
      approval: null,
      ownShippingCents: null,
      compareDelivered: false,
      ownSellerNames: [],
      secondFactorRoles: [],
      ...row,
    }),
  },
});

export async function findWorkspace(store: Store, workspaceId: string): Promise<Workspace | null> {
  return (await workspaces.find({ store }, { id: workspaceId }))?.row ?? null;
}

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

/** Read this version before `listWorkspaces`, and pass it to `addWorkspace`. */
export async function workspacesVersion(store: Store): Promise<string | null> {
  return await workspaces.version({ store });
}

/** The commit fails if a workspace has changed since `allVersion` was read. */
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

export async function eachWorkspace(
  store: Store,
  name: string,
  work: (workspace: WorkspaceStore) => Promise<void>,
): Promise<void> {
  const ids = (await listWorkspaces(store)).map(({ id }) => id);
  await eachApart(name, ids, (workspaceId) => work({ store, workspaceId }));
}

export async function countInWorkspaces(
  store: Store,
  name: string,
  work: (workspace: WorkspaceStore) => Promise<number>,
): Promise<number> {
  let count = 0;
  await eachWorkspace(store, name, async (workspace) => {
    count += await work(workspace);
  });
  return count;
}

interface Place {
  readonly workspaceId: string;
  readonly after: string | null;
}

/**
 * Calls `rewrite` in each workspace until `rewrite` returns null. Each call continues after the key
 * `after`, which the previous call returned.
 */
export function inEachWorkspace(
  rewrite: (
    write: Write,
    workspace: WorkspaceStore,
    after: string | null,
  ) => Promise<string | null>,
): MigrationStep["advance"] {
  const placeBehind = async (store: Store, workspaceId: string | null): Promise<Place | null> => {
    const after = workspaceId === null ? null : { id: workspaceId };
    const [found] = await workspaces.list({ store }, { after, limit: 1 });
    return found ? { workspaceId: found.row.id, after: null } : null;
  };
  return async (store, write, place): Promise<Place | null> => {
    const at = isPlace(place) ? place : await placeBehind(store, null);
    if (at === null) return null;
    const { workspaceId } = at;
    const after = await rewrite(write, { store, workspaceId }, at.after);
    return after === null ? await placeBehind(store, workspaceId) : { workspaceId, after };
  };
}

function isPlace(place: unknown): place is Place {
  return typeof place === "object" && place !== null && "workspaceId" in place;
}
