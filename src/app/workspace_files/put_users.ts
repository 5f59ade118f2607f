import {
  addUserRows,
  claimFirstUser,
  findUserByEmail,
  findUserById,
  hasHadUsers,
} from "../../accounts/users/user_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import type { LineOf } from "./workspace_line.ts";

/**
 * One user at a time: they are few, and each has checks of its own. Without a password, as somebody
 * who is invited; an address that is in use in another workspace of the store is left out.
 */
export async function putUsers(
  write: Write,
  { store, workspaceId, newId }: Context,
  [line]: readonly LineOf<"user">[],
): Promise<number> {
  if (!line || await findUserByEmail(store, line.email)) return 1;
  const { email, name, role, createdAt, dailyMail } = line;
  const id = await findUserById(store, line.id) ? newId() : line.id;
  const isFirst = !await hasHadUsers(store);
  const user = {
    id,
    workspaceId,
    email,
    name,
    role,
    createdAt,
    passwordHash: null,
    sessionGeneration: 0,
    dailyMail,
  };
  addUserRows(write, user);
  if (isFirst) claimFirstUser(write, id);
  return 1;
}
