import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { Failure } from "../../base/failure.ts";
import { commandContext, type Tools } from "../../accounts/anonymous.ts";
import { newWorkspace } from "../../accounts/choose_workspace.ts";
import type { Workspace } from "../../accounts/workspace.ts";
import {
  addWorkspace,
  listWorkspaces,
  readWorkspace,
  saveWorkspace,
  workspacesVersion,
} from "../../accounts/workspace_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { putLines } from "./put_lines.ts";
import type { LineOf, LineType, WorkspaceLine } from "./workspace_line.ts";

/**
 * Creates a workspace from lines that `readLines` has validated. Their ids stay, because every key
 * contains the workspace. Until the last line, the workspace is named as incomplete and has default
 * settings. Throws `conflict` if another workspace has the name.
 */
export async function importWorkspace(
  tools: Tools,
  lines: AsyncIterable<WorkspaceLine>,
  named: string | undefined,
): Promise<Workspace> {
  let settings: LineOf<"workspace"> | null = null;
  let ctx: Context | null = null;
  for await (const batch of batchesOf(lines)) {
    const [first] = batch.lines;
    if (first?.type === "workspace") {
      settings = named === undefined ? first : { ...first, name: named };
      ctx = commandContext(tools, await begin(tools, settings.name));
    } else if (first?.type !== "end") {
      if (!ctx) throw new Error("The lines do not begin with their workspace");
      await putAll(ctx, batch);
    }
  }
  if (!ctx || !settings) throw new Error("There are no lines");
  return await end(ctx, settings);
}

async function begin(tools: Tools, name: string): Promise<string> {
  return await transact(tools, async (write) => {
    const version = await workspacesVersion(tools.store);
    await requireNameFree(tools, name);
    const workspace = newWorkspace(tools, `${[...name].slice(0, 180).join("")} (incomplete)`);
    addWorkspace(write, workspace, version);
    return workspace.id;
  });
}

async function requireNameFree({ store }: Tools, name: string): Promise<void> {
  const workspaces = await listWorkspaces(store);
  if (!workspaces.some((workspace) => workspace.name === name)) return;
  const message = `There is a workspace "${name}" already: choose another name by --name`;
  throw new Failure("conflict", message);
}

async function end(ctx: Context, line: LineOf<"workspace">): Promise<Workspace> {
  const { type: _, format: _format, exportedAt, id: from, ...settings } = line;
  return await transact(ctx, async (write) => {
    const found = await readWorkspace(ctx);
    const workspace = { ...settings, id: found.workspace.id };
    saveWorkspace(write, workspace, found.versionstamp);
    addAuditRow(write, ctx, {
      action: "workspace.import",
      resource: { type: "workspace", id: workspace.id, label: workspace.name },
      before: null,
      after: { from, exportedAt },
    });
    return workspace;
  });
}

interface Batch {
  readonly type: LineType;
  readonly lines: WorkspaceLine[];
}

/** Yields batches of consecutive lines of one type, as many as fill a few commits. */
async function* batchesOf(lines: AsyncIterable<WorkspaceLine>): AsyncGenerator<Batch> {
  let batch: Batch | null = null;
  for await (const line of lines) {
    if (batch && (batch.type !== line.type || batch.lines.length >= 300)) {
      yield batch;
      batch = null;
    }
    batch ??= { type: line.type, lines: [] };
    batch.lines.push(line);
  }
  if (batch) yield batch;
}

async function putAll(ctx: Context, { type, lines }: Batch): Promise<void> {
  for (let at = 0; at < lines.length;) {
    at += await transact(ctx, (write) => putLines(write, ctx, type, lines.slice(at)));
  }
}
