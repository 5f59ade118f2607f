import { refuseFields } from "../base/failure.ts";
import { transact } from "../platform/store/kv.ts";
import { refusedFieldsOf } from "../platform/http/refused_fields.ts";
import { commandContext, type Tools } from "./anonymous.ts";
import { chooseWorkspace, parseWorkspaceName } from "./choose_workspace.ts";
import { NewApiKey, type StoredApiKey } from "./keys/api_key.ts";
import { mintInto, requireFuture } from "./keys/create_key.ts";

export interface AddedKey {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Without a name the oldest workspace; a name that is new makes one. */
  readonly workspaceName?: string | undefined;
  /** ISO time from which the key is refused; never without one. */
  readonly expiresAt?: string | undefined;
}

/** A key by command and its text, shown this once. Refuses an unknown scope with `validation_failed`. */
export async function addKey(
  tools: Tools,
  { name, scopes, workspaceName, expiresAt }: AddedKey,
): Promise<{ key: StoredApiKey; text: string }> {
  const parsed = NewApiKey.safeParse({ name, scopes, expiresAt });
  if (!parsed.success) throw refuseFields(parsed.error.issues.flatMap(refusedFieldsOf));
  requireFuture(parsed.data.expiresAt, tools.clockwork.now());
  const named = parseWorkspaceName(workspaceName);
  return await transact(tools, async (write) => {
    const workspace = await chooseWorkspace(tools, write, named);
    return mintInto(write, commandContext(tools, workspace.id), parsed.data);
  });
}
