import { addKey } from "../identity/add_key.ts";
import { withTools } from "./store_access.ts";
import { print } from "./terminal.ts";

export interface KeyAddOptions {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly workspace?: string;
  readonly expires?: string;
}

/** `key add`: prints the key and nothing else, so that a script can take it as it is. */
export async function keyAdd(options: KeyAddOptions): Promise<void> {
  const { name, scopes, workspace: workspaceName, expires: expiresAt } = options;
  const { text } = await withTools((tools) =>
    addKey(tools, { name, scopes, workspaceName, expiresAt })
  );
  print(text);
}
