/** Creates the first owner, by a link or from the environment (docs/decisions/identity.md). */

import { isPast } from "../base/time.ts";
import { sha256 } from "../base/bytes.ts";
import { Failure } from "../base/failure.ts";
import { contextFor } from "../platform/store/context.ts";
import { transact, type Write } from "../platform/store/kv.ts";
import { defineStoreTable } from "../platform/store/table.ts";
import { addUser, newWorkspace } from "./account_commands.ts";
import type { Anonymous, Tools } from "./anonymous.ts";
import { addAuditRow } from "./audit/audit_store.ts";
import { hashPassword, type PasswordPermit, refuseEasyPassword } from "./passwords/password.ts";
import { isToken, newToken } from "./secret.ts";
import { beginSession } from "./sessions/sign_in.ts";
import {
  addUserRows,
  claimFirstUser,
  Email,
  hasHadUsers,
  newUser,
  type StoredUser,
} from "./users/user.ts";
import {
  addWorkspace,
  listWorkspaces,
  noteVatTerms,
  readWorkspace,
  saveWorkspace,
  workspacesVersion,
} from "./workspace_store.ts";
import { Name } from "../engine/pricing/field.ts";
import { withSettings, type Workspace, WorkspaceSettings } from "./workspace.ts";
import { z } from "@hono/zod-openapi";

interface SetUpLink {
  readonly hash: Uint8Array;
  readonly expiresAt: string;
}

export const setUpLinks = defineStoreTable<SetUpLink, "hash">({
  prefix: "sul",
  about: "the expiry of a set-up link; no link is valid after the first user exists",
  key: { hash: "bytes" },
  expireInMs: 3_600_000,
});

export const SetUp = WorkspaceSettings.pick({
  currency: true,
  timeZone: true,
  locale: true,
  pricesIncludeVat: true,
  vatRatePct: true,
  importHold: true,
}).extend({ token: z.string(), workspace: Name, email: Email, password: z.string() }).meta({
  id: "SetUp",
});

export type SetUp = z.infer<typeof SetUp>;

/** Returns a token for the set-up, valid for 30 minutes; null if the store has ever had a user. */
export async function issueSetupToken(tools: Tools): Promise<string | null> {
  if (await hasHadUsers(tools.store)) return null;
  const token = newToken();
  const expiresAt = new Date(tools.clock.now().getTime() + 30 * 60_000).toISOString();
  await transact(tools, (write) => {
    setUpLinks.put(write, tools, { hash: sha256(token), expiresAt });
  });
  return token;
}

/** Returns null if the store has ever had a user. */
export async function addFirstUser(
  tools: Tools,
  { email, password }: { email: string; password: string },
): Promise<StoredUser | null> {
  if (await hasHadUsers(tools.store)) return null;
  try {
    return await addUser(tools, { email, password, role: "owner" });
  } catch (error) {
    // Another process may have added the first user at the same time.
    const isTaken = error instanceof Failure && error.code === "conflict";
    if (isTaken && await hasHadUsers(tools.store)) return null;
    throw error;
  }
}

export async function setUp(
  asker: Anonymous,
  { token, workspace: name, email, password, ...settings }: SetUp,
  permit: PasswordPermit,
): Promise<{ user: StoredUser; workspace: Workspace; token: string }> {
  await requireSetUp(asker, token);
  refuseEasyPassword(password, { field: "password", words: [email, name] });
  const passwordHash = await permit(async () => {
    await requireSetUp(asker, token);
    return await hashPassword(password);
  });
  return await transact(asker, async (write) => {
    await requireSetUp(asker, token);
    const workspace = await saveFirstWorkspace(asker, write, { ...settings, name });
    const user = newUser(asker.clock, workspace.id, { email, role: "owner", passwordHash });
    claimFirstUser(write, user.id);
    addUserRows(write, user);
    setUpLinks.drop(write, asker, { hash: sha256(token) });
    noteSetUp(write, asker, user, workspace);
    return { user, workspace, token: beginSession(write, user, asker.clock.now()) };
  });
}

async function requireSetUp({ store, clock }: Anonymous, token: string): Promise<void> {
  if (await hasHadUsers(store)) {
    throw new Failure("conflict", "The service is set up already: sign in, or ask an owner");
  }
  const link = isToken(token) ? await setUpLinks.find({ store }, { hash: sha256(token) }) : null;
  if (link && !isPast(link.row.expiresAt, clock.now())) return;
  throw new Failure(
    "forbidden",
    "The set-up link is unknown or expired: start the service again for a new one",
  );
}

async function saveFirstWorkspace(
  asker: Anonymous,
  write: Write,
  settings: WorkspaceSettings & { name: string },
): Promise<Workspace> {
  const version = await workspacesVersion(asker.store);
  const [oldest] = await listWorkspaces(asker.store);
  if (!oldest) {
    const added = withSettings(newWorkspace(asker, settings.name), settings);
    addWorkspace(write, added, version);
    return added;
  }
  const found = await readWorkspace({ store: asker.store, workspaceId: oldest.id });
  const taken = { ...withSettings(found.workspace, settings), importHoldUnconfirmed: false };
  saveWorkspace(write, taken, found.versionstamp);
  noteVatTerms(write, found.workspace, taken, asker.clock.now());
  return taken;
}

function noteSetUp(write: Write, asker: Anonymous, user: StoredUser, workspace: Workspace): void {
  const { id, createdAt: _, ...settings } = workspace;
  const ctx = contextFor(asker, id, { type: "user", id: user.id, name: user.email });
  addAuditRow(write, ctx, {
    action: "workspace.create",
    resource: { type: "workspace", id, label: workspace.name },
    after: settings,
  });
  addAuditRow(write, ctx, {
    action: "user.create",
    resource: { type: "user", id: user.id, label: user.email },
    after: { email: user.email, role: user.role },
  });
}
