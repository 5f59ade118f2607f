import { findWorkspace, listWorkspaces } from "../../accounts/workspace_store.ts";
import { findLastImport, importedAt } from "../../imports/jobs/read_imports.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import { transact } from "../../platform/store/kv.ts";
import { systemAlert } from "./alert_listener.ts";
import { findOverdueMark, saveOverdueMark } from "./alert_store.ts";
import { type AlertSetup, raiseAlert } from "./raise_alert.ts";

const HOUR_MS = 3_600_000;
const NO_IMPORT = "none";

/**
 * Raises one system alert in each workspace whose last successful import is longer ago than its
 * `importExpectedHours`, and no second one until another import has come
 * (docs/decisions/imports.md). May run in several processes, and as often as it likes. Answers how
 * many alerts it raised.
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
  const { store, clockwork, deps } = setup;
  const ctx = { store, workspaceId, now: () => clockwork.now(), newId: () => clockwork.newId() };
  return await transact(setup, async (write) => {
    const { mark, versionstamp } = await findOverdueMark(ctx);
    const workspace = await findWorkspace(store, workspaceId);
    const hours = workspace?.importExpectedHours ?? null;
    if (!workspace || hours === null) return false;
    const last = await findLastImport(ctx);
    const [lastId, lastAt] = [last?.jobId ?? NO_IMPORT, importedAt(last, workspace)];
    const ageMs = clockwork.now().getTime() - Date.parse(lastAt);
    if (ageMs < hours * HOUR_MS || lastId === mark) return false;
    saveOverdueMark(write, workspaceId, lastId, versionstamp);
    const body = `The last successful import was at ${lastAt}. One is expected every ${hours} h.`;
    const facts = { code: "import_overdue", hours, lastAt } as const;
    raiseAlert(write, ctx, deps, systemAlert(`No import for ${hours} hours`, body, facts));
    return true;
  });
}
