import { transact } from "../platform/store/kv.ts";
import { parseWorkspaceName } from "./add_user.ts";
import { commandContext, type Tools } from "./anonymous.ts";
import { chooseWorkspace } from "./choose_workspace.ts";
import type { Context } from "../platform/store/context.ts";

/**
 * The context of a command in the workspace that it means, which is made when it is new
 * (docs/decisions/running.md).
 */
export async function provideWorkspace(tools: Tools, name: string | undefined): Promise<Context> {
  const named = parseWorkspaceName(name);
  const value = await transact(tools, async (write) => {
    return (await chooseWorkspace(tools, write, named)).id;
  });
  return commandContext(tools, value);
}
