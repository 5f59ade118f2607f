/** Compares the audit log with its seals (stored hashes, docs/operations.md#audit-log). */
import { type AuditVerdict, verifyAudit } from "../../accounts/audit/seal_audit.ts";
import { listWorkspaces } from "../../accounts/workspace_store.ts";
import { findWorkspaceOf } from "../../accounts/set_up.ts";
import { Failure } from "../../base/failure.ts";
import { withTools } from "./store_access.ts";
import { print, printError } from "./terminal.ts";

interface AuditVerifyOptions {
  readonly workspace?: string;
  readonly head?: string;
}

const SHOWN_MAX = 20;

/** Returns false if the log contradicts its seals, or lacks the seal with the hash `head`. */
export async function auditVerify({ workspace, head }: AuditVerifyOptions): Promise<boolean> {
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) {
    throw new Failure("validation_failed", "--head must be the 64 hex digits of a seal's hash");
  }
  return await withTools(async (tools) => {
    const chosen = workspace === undefined
      ? await listWorkspaces(tools.store)
      : [{ id: (await findWorkspaceOf(tools, workspace)).workspaceId, name: workspace }];
    let isSound = true;
    let hasHead = head === undefined;
    for (const { id, name } of chosen) {
      const verdict = await verifyAudit({ store: tools.store, workspaceId: id }, head ?? null);
      for (const finding of verdict.findings.slice(0, SHOWN_MAX)) print(`${name}: ${finding}`);
      print(`${name}: ${summaryOf(verdict)}`);
      if (verdict.expectedAt !== null) {
        print(`${name}: the chain contains this head as seal ${verdict.expectedAt}`);
        hasHead = true;
      }
      isSound &&= verdict.findings.length === 0;
    }
    if (!hasHead) printError("error: No seal has this head: seals were removed or made anew");
    return isSound && hasHead;
  });
}

function summaryOf({ findings, seals, head, sealed, unsealed, expired }: AuditVerdict): string {
  const parts = [
    `${seals} seals of ${sealed} rows`,
    ...expired > 0 ? [`${expired} rows deleted by age`] : [],
    `${unsealed} rows not sealed yet`,
    `${findings.length} disagreements`,
    head === null ? "no head" : `head ${head.hash}`,
  ];
  return parts.join(", ");
}
