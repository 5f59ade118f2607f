import { Failure } from "../../base/failure.ts";
import { parseWorkspaceName } from "../../accounts/choose_workspace.ts";
import type { Tools } from "../../accounts/anonymous.ts";
import type { Workspace } from "../../accounts/workspace.ts";
import { listWorkspaces } from "../../accounts/workspace_store.ts";

/**
 * The workspace of that name, or without one the oldest. Refuses with `not_found`: a command that
 * only reads makes none, so that a misspelt name is no empty answer.
 */
export async function requireNamedWorkspace(
  { store }: Tools,
  text: string | undefined,
): Promise<Workspace> {
  const name = parseWorkspaceName(text);
  const workspaces = await listWorkspaces(store);
  const found = workspaces.find((workspace) => name === undefined || workspace.name === name);
  if (found) return found;
  const what = name === undefined ? "no workspace yet" : `no workspace "${name}"`;
  throw new Failure("not_found", `There is ${what}`);
}
