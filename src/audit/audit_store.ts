/**
 * Keys: `au W at id` → row; `aux W dimension value at id` → empty, for the dimensions `type`
 * (resource type), `res` (type:id), `act` (action) and `who` (actor id).
 */
import { idBytes } from "../base/id.ts";
import type { Context } from "../platform/context.ts";
import type { Write } from "../platform/kv.ts";
import type { AuditEntry, AuditRow } from "./audit.ts";

const EMPTY = new Uint8Array();

/** Adds the row to the commit of the change that it records. */
export function addAuditRow(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "actor" | "requestId" | "now" | "newId">,
  entry: AuditEntry,
): void {
  const workspace = idBytes(ctx.workspaceId);
  const at = ctx.now();
  const id = ctx.newId();
  const row: AuditRow = {
    id,
    at: at.toISOString(),
    actor: ctx.actor,
    ...entry,
    requestId: ctx.requestId,
  };
  const { type } = entry.resource;
  const place = [at.getTime(), idBytes(id)];
  write.set(["au", workspace, ...place], row);
  const dimensions = [
    ["type", type],
    ["res", `${type}:${entry.resource.id}`],
    ["act", entry.action],
    ["who", ctx.actor.id],
  ];
  for (const [dimension, value] of dimensions) {
    write.set(["aux", workspace, dimension ?? "", value ?? "", ...place], EMPTY);
  }
}
