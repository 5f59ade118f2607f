import type { Workspace } from "../../accounts/workspace.ts";
import { findWorkspace, listWorkspaces } from "../../accounts/workspace_store.ts";
import { HOUR_MS } from "../../base/time.ts";
import { findLastImport, importedAt } from "../../imports/jobs/import_document.ts";
import { missedTime } from "../../imports/state/import_source.ts";
import {
  findLastImportOf,
  findSource,
  listStoredSources,
  silentMarks,
} from "../../imports/state/source_store.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import { transact } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { systemAlert } from "./alert.ts";
import { type AlertSetup, raiseAlert } from "./raise_alert.ts";

/**
 * Raises a system alert for each import source from which no import has come by the expected time
 * (docs/decisions/imports.md, "Sources"). A source gets its next alert only after another
 * successful import. A paused source gets no alert. Several processes may call this repeatedly.
 * Returns the number of alerts.
 */
export async function raiseSilentSources(setup: AlertSetup): Promise<number> {
  let count = 0;
  await eachApart("silent sources", await listWorkspaces(setup.store), async (workspace) => {
    const { store } = setup;
    for (const source of await listStoredSources({ store, workspaceId: workspace.id })) {
      if (source.expected && await judgeSource(setup, workspace, source.id)) count++;
    }
  });
  return count;
}

async function judgeSource(
  { store, clock, deps }: AlertSetup,
  { id: workspaceId, timeZone }: Workspace,
  sourceId: string,
): Promise<boolean> {
  const ctx = { store, workspaceId, now: () => clock.now(), newId: () => clock.newId() };
  return await transact(ctx, async (write) => {
    const mark = await silentMarks.find(ctx, { sourceId });
    const source = (await findSource(ctx, sourceId))?.source;
    const last = await findLastImportOf(ctx, sourceId);
    const expectedAt = source && missedTime(source, last?.succeededAt ?? null, ctx.now(), timeZone);
    if (!source || !expectedAt) return false;
    // Save the last successful import, so that no second alert is raised before another import
    // succeeds.
    const countedAt = last?.succeededAt ?? source.createdAt ?? "";
    if (mark?.row.countedAt === countedAt) return false;
    silentMarks.save(write, ctx, mark, { sourceId, countedAt });
    const lastAt = last?.succeededAt ?? null;
    const facts = { sourceId, name: source.name, expectedAt, lastAt };
    raiseAlert(write, ctx, deps, systemAlert({ code: "source_silent", ...facts }));
    return true;
  });
}

const NO_IMPORT = "none";

export const overdueMarks = defineTable<{ readonly importId: string }>({
  prefix: "alo",
  about: "the last import for which people were told that the next one is overdue",
  key: {},
  value: "importId",
});

/**
 * Raises a system alert in each workspace whose last successful import is older than its
 * `importExpectedHours` (docs/decisions/imports.md). A workspace gets its next alert only after
 * another successful import. Several processes may call this repeatedly. Returns the number of
 * alerts.
 */
export async function raiseOverdueImports(setup: AlertSetup): Promise<number> {
  let count = 0;
  const expecting = (await listWorkspaces(setup.store))
    .filter(({ importExpectedHours }) => importExpectedHours !== null);
  await eachApart("overdue imports", expecting.map(({ id }) => id), async (workspaceId) => {
    if (await judgeWorkspace(setup, workspaceId)) count++;
  });
  return count;
}

async function judgeWorkspace(setup: AlertSetup, workspaceId: string): Promise<boolean> {
  const { store, clock, deps } = setup;
  const ctx = { store, workspaceId, now: () => clock.now(), newId: () => clock.newId() };
  return await transact(setup, async (write) => {
    const mark = await overdueMarks.find(ctx, {});
    const workspace = await findWorkspace(store, workspaceId);
    const hours = workspace?.importExpectedHours ?? null;
    if (!workspace || hours === null) return false;
    const last = await findLastImport(ctx);
    const [lastId, lastAt] = [last?.jobId ?? NO_IMPORT, importedAt(last, workspace)];
    const ageMs = clock.now().getTime() - Date.parse(lastAt);
    if (ageMs < hours * HOUR_MS || lastId === mark?.row.importId) return false;
    overdueMarks.save(write, ctx, mark, { importId: lastId });
    raiseAlert(write, ctx, deps, systemAlert({ code: "import_overdue", hours, lastAt }));
    return true;
  });
}
