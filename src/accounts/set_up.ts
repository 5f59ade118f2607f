/**
 * Creates users, API keys and workspaces from the command line, and helps people who cannot sign
 * in. The first owner is created with a link or from environment variables
 * (docs/decisions/identity.md). A command that names no workspace uses the oldest workspace.
 */
import { z } from "@hono/zod-openapi";
import { sha256 } from "../base/bytes.ts";
import { Failure, refuseFields } from "../base/failure.ts";
import { isPast } from "../base/time.ts";
import { Name } from "../engine/pricing/field.ts";
import { parseOrRefuse } from "../platform/http/http.ts";
import {
  type Anonymous,
  commandContext,
  type Context,
  contextFor,
  type Tools,
} from "../platform/store/context.ts";
import { transact, type Write } from "../platform/store/kv.ts";
import { defineStoreTable } from "../platform/store/table.ts";
import { addAuditRow } from "./audit/audit_store.ts";
import { resetFactors } from "./factors/change_factors.ts";
import { createKey, NewApiKey, type StoredApiKey } from "./keys/api_key.ts";
import {
  hashPassword,
  isToken,
  newToken,
  refuseEasyPassword,
  wordsOf,
} from "./passwords/password.ts";
import type { Role } from "./roles.ts";
import { beginSession, type Stranger } from "./sessions/sign_in.ts";
import {
  actorOf,
  addUserRows,
  claimFirstUser,
  Email,
  findUserByEmail,
  hasHadUsers,
  newUser,
  noteUser,
  requireFreeEmail,
  saveUserAnew,
  type StoredUser,
} from "./users/user.ts";
import {
  addWorkspace,
  listWorkspaces,
  noteVatTerms,
  readWorkspace,
  saveWorkspace,
  withSettings,
  type Workspace,
  WORKSPACE_DEFAULTS,
  WorkspaceSettings,
  workspacesVersion,
} from "./workspace.ts";

export interface AddedUser {
  readonly email: string;
  readonly role: Role;
  readonly password: string;
  readonly name?: string;
  readonly workspace?: string | undefined;
}

export async function addUser(tools: Tools, input: AddedUser): Promise<StoredUser> {
  const email = parseEmail(input.email);
  const workspaceName = parseWorkspaceName(input.workspace);
  refuseEasyPassword(input.password, { words: [email, workspaceName ?? ""] });
  const passwordHash = await hashPassword(input.password);
  return await transact(tools, async (write) => {
    await requireFreeEmail(tools.store, email);
    const workspace = await chooseWorkspace(tools, write, workspaceName);
    const ctx = commandContext(tools, workspace.id);
    const { name, role } = input;
    const known = { email, ...(name !== undefined && { name }), role, passwordHash };
    const user = newUser(ctx, workspace.id, known);
    addUserRows(write, user);
    if (!await hasHadUsers(tools.store)) claimFirstUser(write, user.id);
    noteUser(write, ctx, user, { action: "user.create", after: { email, role } });
    return user;
  });
}

export function parseEmail(text: string, path = "email"): string {
  const parsed = Email.safeParse(text);
  if (parsed.success) return parsed.data;
  throw refuseFields([{ path, message: `"${text}" is not an e-mail address` }]);
}

export async function setPassword(
  tools: Tools,
  { email: typed, password }: { email: string; password: string },
): Promise<StoredUser> {
  const email = parseEmail(typed);
  const { row: asked } = await requireByEmail(tools, email);
  refuseEasyPassword(password, { words: await wordsOf(tools.store, asked) });
  const passwordHash = await hashPassword(password);
  return await transact(tools, async (write) => {
    const found = await requireByEmail(tools, email);
    // `hasProvider: false` lets this user sign in with a password, even with `OIDC_ONLY`.
    const user = saveUserAnew(write, found, { passwordHash, hasProvider: false });
    noteUser(write, commandContext(tools, user.workspaceId), user, { action: "user.password" });
    return user;
  });
}

export async function resetFactorsOf(tools: Tools, typed: string): Promise<StoredUser> {
  const { row: user } = await requireByEmail(tools, parseEmail(typed));
  return await resetFactors(commandContext(tools, user.workspaceId), user.id);
}

async function requireByEmail({ store }: Tools, email: string) {
  const found = await findUserByEmail(store, email);
  if (!found) throw new Failure("not_found", `There is no user with the address "${email}"`);
  return found;
}

export interface AddedKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly workspace?: string;
  readonly expires?: string;
  readonly addresses?: readonly string[];
}

export async function addKey(
  tools: Tools,
  { workspace, expires: expiresAt, addresses: allowedAddresses, ...named }: AddedKey,
): Promise<{ key: StoredApiKey; text: string }> {
  const key = parseOrRefuse(NewApiKey, { ...named, expiresAt, allowedAddresses });
  return await createKey(await provideWorkspace(tools, workspace), key);
}

const UNNAMED = "Workspace";

/** If two calls create a workspace at the same time, the commit of one of them fails. */
export async function chooseWorkspace(
  tools: Tools,
  write: Write,
  name: string | undefined,
): Promise<Workspace> {
  const version = await workspacesVersion(tools.store);
  const found = await findNamed(tools, name);
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

async function findNamed({ store }: Tools, name: string | undefined) {
  const all = await listWorkspaces(store);
  return name === undefined ? all[0] : all.find((one) => one.name === name);
}

export async function findWorkspaceOf(tools: Tools, name: string | undefined): Promise<Context> {
  const found = await findNamed(tools, name);
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

const setUpLinks = defineStoreTable<
  { readonly hash: Uint8Array; readonly expiresAt: string },
  "hash"
>({
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

/** Returns a token for the set-up link, valid for 30 minutes; null if the store ever had a user. */
export async function issueSetupToken(tools: Tools): Promise<string | null> {
  if (await hasHadUsers(tools.store)) return null;
  const token = newToken();
  const expiresAt = new Date(tools.clock.now().getTime() + 30 * 60_000).toISOString();
  await transact(tools, (write) => {
    setUpLinks.put(write, tools, { hash: sha256(token), expiresAt });
  });
  return token;
}

/** Returns null without adding a user if the store ever had a user. */
export async function addFirstUser(
  tools: Tools,
  { email, password }: { email: string; password: string },
): Promise<StoredUser | null> {
  if (await hasHadUsers(tools.store)) return null;
  parseEmail(email, "ADMIN_EMAIL");
  refuseEasyPassword(password, { field: "ADMIN_PASSWORD", words: [email] });
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
  asker: Stranger,
  { token, workspace: name, email, password, ...settings }: SetUp,
): Promise<{ user: StoredUser; workspace: Workspace; token: string }> {
  await requireSetUp(asker, token);
  refuseEasyPassword(password, { words: [email, name] });
  const passwordHash = await asker.permit(async () => {
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
    return { user, workspace, token: beginSession(write, user, asker.clock.now(), asker) };
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
  const ctx = contextFor(asker, id, actorOf(user));
  addAuditRow(write, ctx, {
    action: "workspace.create",
    resource: { type: "workspace", id, label: workspace.name },
    after: settings,
  });
  const { email, role } = user;
  noteUser(write, ctx, user, { action: "user.create", after: { email, role } });
}
