import { addAuditRow } from "./audit/audit_store.ts";
import { Failure, refuseFields } from "../base/failure.ts";
import type { Context } from "../platform/store/context.ts";
import { transact, type Write } from "../platform/store/kv.ts";
import { commandContext, type Tools } from "./anonymous.ts";
import { Name } from "../engine/pricing/field.ts";
import { type Workspace, WORKSPACE_DEFAULTS } from "./workspace.ts";
import { addWorkspace, listWorkspaces, workspacesVersion } from "./workspace_store.ts";

const UNNAMED = "Workspace";

/** Creates a missing workspace. The commit fails if another command does so first. */
export async function chooseWorkspace(
  tools: Tools,
  write: Write,
  name: string | undefined,
): Promise<Workspace> {
  const version = await workspacesVersion(tools.store);
  const workspaces = await listWorkspaces(tools.store);
  const found = name === undefined
    ? workspaces[0]
    : workspaces.find((workspace) => workspace.name === name);
  if (found) return found;
  const workspace = newWorkspace(tools, name ?? UNNAMED);
  addWorkspace(write, workspace, version);
  addAuditRow(write, commandContext(tools, workspace.id), {
    action: "workspace.create",
    resource: { type: "workspace", id: workspace.id, label: workspace.name },
    after: { name: workspace.name },
  });
  return workspace;
}

/** The oldest workspace with the name or, without a name, the oldest of all. Throws `not_found`. */
export async function findWorkspaceOf(tools: Tools, name: string | undefined): Promise<Context> {
  const workspaces = await listWorkspaces(tools.store);
  const found = name === undefined ? workspaces[0] : workspaces.find((one) => one.name === name);
  if (found) return commandContext(tools, found.id);
  throw new Failure(
    "not_found",
    name === undefined ? "There is no workspace yet" : `There is no workspace "${name}"`,
  );
}

export function newWorkspace({ clock }: Tools, name: string): Workspace {
  const createdAt = clock.now().toISOString();
  return { id: clock.newId(), name, ...WORKSPACE_DEFAULTS, createdAt };
}

/** Throws `validation_failed` for the field `workspace`. */
export function parseWorkspaceName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const parsed = Name.safeParse(text);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message ?? "Is not a name";
  throw refuseFields([{ path: "workspace", message }]);
}

export async function provideWorkspace(tools: Tools, name: string | undefined): Promise<Context> {
  const named = parseWorkspaceName(name);
  const { id } = await transact(tools, (write) => chooseWorkspace(tools, write, named));
  return commandContext(tools, id);
}
