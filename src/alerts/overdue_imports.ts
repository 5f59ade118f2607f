import { findWorkspace, listWorkspaces } from "../identity/workspace_store.ts";
import type { Workspace } from "../identity/workspace.ts";
import { IMPORT_KIND, type ImportJob } from "../imports/state/import_job.ts";
import type { Clockwork } from "../platform/store/context.ts";
import { listJobs } from "../platform/jobs/job_store.ts";
import { eachApart } from "../platform/jobs/each_apart.ts";
import { type Store, transact } from "../platform/store/kv.ts";
import { systemAlert } from "./alert_listener.ts";
import { findOverdueMark, saveOverdueMark } from "./alert_store.ts";
import { type AlertDeps, raiseAlert } from "./raise_alert.ts";

interface OverdueSetup {
  readonly store: Store;
  readonly clockwork: Clockwork;
  readonly deps: AlertDeps;
}

const HOUR_MS = 3_600_000;
const NO_IMPORT = "none";

/**
 * Raises one system alert in each workspace whose last successful import is longer ago than its
 * `importExpectedHours`, and no second one until another import has come
 * (docs/decisions/imports.md). May run in several processes, and as often as it likes. Answers how
 * many alerts it raised.
 */
export async function raiseOverdueImports(setup: OverdueSetup): Promise<number> {
  let count = 0;
  const expecting = (await listWorkspaces(setup.store))
    .filter(({ importExpectedHours }) => importExpectedHours !== null);
  await eachApart("overdue imports", expecting.map(({ id }) => id), async (workspaceId) => {
    if (await judgeWorkspace(setup, workspaceId)) count++;
  });
  return count;
}

async function judgeWorkspace(setup: OverdueSetup, workspaceId: string): Promise<boolean> {
  const { store, clockwork, deps } = setup;
  const ctx = { store, workspaceId, now: () => clockwork.now(), newId: () => clockwork.newId() };
  return await transact(setup, async (write) => {
    const { mark, versionstamp } = await findOverdueMark(ctx);
    const workspace = await findWorkspace(store, workspaceId);
    const hours = workspace?.importExpectedHours ?? null;
    if (!workspace || hours === null) return false;
    const last = await lastImport(store, workspace);
    const ageMs = clockwork.now().getTime() - Date.parse(last.at);
    if (ageMs < hours * HOUR_MS || last.id === mark) return false;
    saveOverdueMark(write, workspaceId, last.id, versionstamp);
    const body = `The last successful import was at ${last.at}. One is expected every ${hours} h.`;
    const facts = { code: "import_overdue", hours, lastAt: last.at } as const;
    raiseAlert(write, ctx, deps, systemAlert(`No import for ${hours} hours`, body, facts));
    return true;
  });
}

/** The newest import that succeeded for real; else the workspace counts from its beginning. */
async function lastImport(
  store: Store,
  { id: workspaceId, createdAt }: Workspace,
): Promise<{ id: string; at: string }> {
  let afterId: string | null = null;
  for (;;) {
    const page: { jobs: ImportJob[]; nextId: string | null } = await listJobs<ImportJob>(
      { store, workspaceId },
      { kind: IMPORT_KIND, limit: 50, afterId, order: "newest" },
    );
    const found = page.jobs.find(({ status, args }) => status === "succeeded" && !args.isDryRun);
    if (found) return { id: found.jobId, at: found.finishedAt ?? found.createdAt };
    if (page.nextId === null) return { id: NO_IMPORT, at: createdAt };
    afterId = page.nextId;
  }
}
