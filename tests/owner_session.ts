/** Creates an owner and sessions without a password, because hashing a password takes 0.2 s. */

import { chooseWorkspace } from "../src/accounts/set_up.ts";
import { SESSION_COOKIE } from "../src/accounts/sessions/session.ts";
import { beginSession } from "../src/accounts/sessions/sign_in.ts";
import {
  addUserRows,
  claimFirstUser,
  findUserByEmail,
  hasHadUsers,
} from "../src/accounts/users/user.ts";
import { createClock } from "../src/platform/store/context.ts";
import { type Store, transact } from "../src/platform/store/kv.ts";

const EMAIL = "owner@shop.example";

/**
 * Returns the cookie `pr_session=…` of the owner `EMAIL`. Creates the owner if he does not exist,
 * and in an empty store also the workspace.
 */
export async function newOwnerSession(store: Store): Promise<string> {
  const tools = { store, clock: await createClock(store, () => new Date()) };
  const { now, newId } = tools.clock;
  const token = await transact(tools, async (write) => {
    const found = await findUserByEmail(store, EMAIL);
    if (found) return beginSession(write, found.row, now());
    const workspace = await chooseWorkspace(tools, write, undefined);
    const user = {
      id: newId(),
      workspaceId: workspace.id,
      email: EMAIL,
      role: "owner",
      passwordHash: "unusable",
      sessionGeneration: 0,
      createdAt: now().toISOString(),
    } as const;
    addUserRows(write, user);
    if (!await hasHadUsers(store)) claimFirstUser(write, user.id);
    return beginSession(write, user, now());
  });
  return `${SESSION_COOKIE}=${token}`;
}
