import { listWorkspaces, requireWorkspace } from "../../accounts/workspace_store.ts";
import { transact } from "../../platform/store/kv.ts";
import type { roomLog } from "../../platform/log.ts";
import { findHoldMark, saveHoldMark } from "./alert_store.ts";
import { systemAlert } from "./alert_listener.ts";
import { type AlertSetup, raiseAlert } from "./raise_alert.ts";

interface HoldSetup extends AlertSetup {
  readonly log: ReturnType<typeof roomLog>;
}

/**
 * Tells owners and managers of each workspace once that an upgrade has switched the hold of imports
 * on, by an alert with a mail and a line in the log. May run in several processes, and as often as
 * it likes. Answers how many workspaces it told.
 */
export async function announceHolds(setup: HoldSetup): Promise<number> {
  let count = 0;
  for (const { id } of await listWorkspaces(setup.store)) {
    if (await announceHold(setup, id)) count++;
  }
  return count;
}

async function announceHold(setup: HoldSetup, workspaceId: string): Promise<boolean> {
  const { store, clockwork, deps, log } = setup;
  const ctx = { store, workspaceId, now: () => clockwork.now(), newId: () => clockwork.newId() };
  const hold = await transact(setup, async (write) => {
    const { importHold, importHoldUnconfirmed } = await requireWorkspace(ctx);
    if (importHold === null || !importHoldUnconfirmed) return null;
    if (await findHoldMark(ctx) !== null) return null;
    saveHoldMark(write, workspaceId);
    const body = `An import is held now when more than ${importHold.sharePct} % of its products ` +
      `move their price or cost by more than ${importHold.movePct} %, or change their currency. A ` +
      'night job may be held for the first time: it ends with "price_guard".';
    const facts = { code: "hold_switched_on", ...importHold } as const;
    raiseAlert(write, ctx, deps, systemAlert("Suspicious imports are held now", body, facts));
    return importHold;
  });
  if (hold === null) return false;
  log.warning("the hold of imports is on now, where nobody had ever set it: a job may be held", {
    workspace: workspaceId,
    ...hold,
  });
  return true;
}
