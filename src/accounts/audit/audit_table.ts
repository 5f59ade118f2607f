/** The audit log as a table for downloads, read in parts to save memory. */

import { batchesOf } from "../../base/collections.ts";
import { columnHeadings } from "../../engine/wording/column_words.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { codeCell, storedCodeCell } from "../../engine/wording/code_words.ts";
import { type Cell, type OutgoingTable } from "../../platform/tables/cell.ts";
import type { AuditRow } from "./audit.ts";
import type { AuditFilter } from "./audit_query.ts";
import { type AuditSeal, findLastSeal } from "./audit_seal_store.ts";
import { walkAuditRows } from "./audit_store.ts";

const ROWS_PER_CHUNK = 200;
const COLUMNS = [
  "at",
  "actorType",
  "actor",
  "action",
  "resourceType",
  "resource",
  "before",
  "after",
  "currency",
  "reason",
  "requestId",
] as const;

/** Replaces the names of people by their current ones. */
type Naming = (rows: readonly AuditRow[]) => Promise<readonly AuditRow[]>;

/** All matching rows, newest first, and the newest seal of the log. */
export function auditTable(
  workspace: WorkspaceStore,
  filter: AuditFilter,
  named: Naming,
): OutgoingTable {
  return {
    name: "audit-log",
    columns: COLUMNS,
    headingsIn: (language) => columnHeadings(language, "audit-log", COLUMNS),
    batches: rowBatches(workspace, filter, named),
  };
}

async function* rowBatches(
  workspace: WorkspaceStore,
  filter: AuditFilter,
  named: Naming,
): AsyncGenerator<Cell[][]> {
  const seal = await findLastSeal(workspace);
  for await (const rows of batchesOf(walkAuditRows(workspace, filter), ROWS_PER_CHUNK)) {
    yield (await named(rows)).map(cellsOf);
  }
  if (seal !== null) yield [sealCells(seal)];
}

/** The newest seal when the file was begun; `kurant audit verify --head` checks it later. */
function sealCells({ at, number, hash }: AuditSeal): Cell[] {
  return [
    { at },
    codeCell("actors", "system"),
    "Kurant",
    { ...codeCell("auditDeeds", "seal"), plain: "audit.seal" },
    codeCell("audited", "audit"),
    String(number),
    "",
    JSON.stringify({ hash }),
    "",
    "",
    "",
  ];
}

/** Without the kind, which has its own column. Removing a mark is stored like setting one. */
function actionCell({ action, after }: AuditRow): Cell {
  const isUnmarked = action === "product.mark" && after?.isError === false;
  const deed = storedCodeCell(
    "auditDeeds",
    isUnmarked ? "unmark" : action.split(".").at(-1) ?? "",
  );
  return deed && { ...deed, plain: action };
}

function cellsOf(row: AuditRow): Cell[] {
  const { at, actor, resource, before, after, currency = "", reason = "" } = row;
  const side = (fields: AuditRow["before"]) => fields === null ? "" : JSON.stringify(fields);
  return [
    { at },
    codeCell("actors", actor.type),
    actor.name,
    actionCell(row),
    storedCodeCell("audited", resource.type),
    resource.label,
    side(before),
    side(after),
    currency,
    reason,
    row.requestId,
  ];
}
