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

/** Raises an alert for each import source without an import by the expected time. */
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
    // Save the time of the last successful import, so that each missing import gets one alert.
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

/** Raises an alert in each workspace without a successful import for `importExpectedHours`. */
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
