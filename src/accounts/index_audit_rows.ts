/** Audit rows of before are found by what they are about, as a step of a migration. */
import { type AuditPlace, indexAuditRows } from "./audit/audit_store.ts";
import type { Store, Write } from "../platform/store/kv.ts";
import { findWorkspaceBehind } from "./workspace_store.ts";

/** The row up to which everything is done. */
interface Place {
  readonly workspaceId: string;
  /** Null before the first one. */
  readonly after: AuditPlace | null;
}

/** Each takes up to seven rows of an index. */
const ROWS_PER_COMMIT = 100;

/**
 * The `advance` of the migration after which the audit log is found by product, by rule and by the
 * kinds of `audit_tags.ts`. Rows themselves stay.
 */
export async function indexAuditLog(
  store: Store,
  write: Write,
  place: unknown,
): Promise<Place | null> {
  const at = isPlace(place) ? place : await placeBehind(store, null);
  if (at === null) return null;
  const workspace = { store, workspaceId: at.workspaceId };
  const after = await indexAuditRows(write, workspace, at.after, ROWS_PER_COMMIT);
  return after === null ? await placeBehind(store, at.workspaceId) : { ...at, after };
}

async function placeBehind(store: Store, workspaceId: string | null): Promise<Place | null> {
  const found = await findWorkspaceBehind<{ readonly id: string }>(store, workspaceId);
  return found && { workspaceId: found.workspace.id, after: null };
}

function isPlace(place: unknown): place is Place {
  return typeof place === "object" && place !== null && "workspaceId" in place;
}
