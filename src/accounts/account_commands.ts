/**
 * Adds users, API keys and workspaces for `kurant` commands, and helps people who cannot sign in. A
 * command that names no workspace uses the oldest workspace.
 */
import { Failure, refuseFields } from "../base/failure.ts";
import { parseOrRefuse } from "../platform/http/http.ts";
import { transact, type Write } from "../platform/store/kv.ts";
import { commandContext, type Tools } from "./anonymous.ts";
import { addAuditRow } from "./audit/audit_store.ts";
import { resetFactors } from "./factors/change_factors.ts";
import { mintInto, NewApiKey, requireFuture, type StoredApiKey } from "./keys/api_key.ts";
import { hashNewPassword, wordsOf } from "./passwords/password.ts";
import type { Role } from "./roles.ts";
import {
  addUserRows,
  claimFirstUser,
  Email,
  findUserByEmail,
  hasHadUsers,
  newUser,
  requireFreeEmail,
  saveUser,
  type StoredUser,
} from "./users/user.ts";
import type { Context } from "../platform/store/context.ts";
import { Name } from "../engine/pricing/field.ts";
import { type Workspace, WORKSPACE_DEFAULTS } from "./workspace.ts";
import { addWorkspace, listWorkspaces, workspacesVersion } from "./workspace_store.ts";

interface AddedUser {
  readonly email: string;
  readonly role: Role;
  readonly password: string;
  readonly name?: string;
  readonly workspaceName?: string | undefined;
}

export async function addUser(tools: Tools, input: AddedUser): Promise<StoredUser> {
  const email = parseEmail(input.email);
  const workspaceName = parseWorkspaceName(input.workspaceName);
  const passwordHash = await hashNewPassword(input.password, {
    field: "password",
    words: [email, ...(workspaceName === undefined ? [] : [workspaceName])],
  });
  return await transact(tools, async (write) => {
    await requireFreeEmail(tools.store, email);
    const workspace = await chooseWorkspace(tools, write, workspaceName);
    const ctx = commandContext(tools, workspace.id);
    const { name, role } = input;
    const known = { email, ...(name !== undefined && { name }), role, passwordHash };
    const user = newUser(ctx, workspace.id, known);
    addUserRows(write, user);
    if (!await hasHadUsers(tools.store)) claimFirstUser(write, user.id);
    addAuditRow(write, ctx, {
      action: "user.create",
      resource: { type: "user", id: user.id, label: email },
      after: { email, role: user.role },
    });
    return user;
  });
}

export function parseEmail(text: string): string {
  const parsed = Email.safeParse(text);
  if (parsed.success) return parsed.data;
  throw refuseFields([{ path: "email", message: `"${text}" is not an e-mail address` }]);
}

export async function setPassword(
  tools: Tools,
  { email: typed, password }: { email: string; password: string },
): Promise<StoredUser> {
  const email = parseEmail(typed);
  const { user: asked } = await requireByEmail(tools, email);
  const passwordHash = await hashNewPassword(password, {
    field: "password",
    words: await wordsOf(tools.store, asked),
  });
  return await transact(tools, async (write) => {
    const { user, versionstamp } = await requireByEmail(tools, email);
    // Let the person sign in without the OpenID Connect provider, which may be down.
    const free = { passwordHash, hasProvider: false };
    const changed = { ...user, ...free, sessionGeneration: user.sessionGeneration + 1 };
    saveUser(write, changed, versionstamp);
    addAuditRow(write, commandContext(tools, user.workspaceId), {
      action: "user.password",
      resource: { type: "user", id: user.id, label: email },
    });
    return changed;
  });
}

export async function resetFactorsOf(tools: Tools, typed: string): Promise<StoredUser> {
  const { user } = await requireByEmail(tools, parseEmail(typed));
  return await resetFactors(commandContext(tools, user.workspaceId), user.id);
}

async function requireByEmail({ store }: Tools, email: string) {
  const found = await findUserByEmail(store, email);
  if (!found) throw new Failure("not_found", `There is no user with the address "${email}"`);
  return found;
}

interface AddedKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly workspaceName?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly allowedAddresses?: readonly string[] | undefined;
}

export async function addKey(
  tools: Tools,
  { name, scopes, workspaceName, expiresAt, allowedAddresses }: AddedKey,
): Promise<{ key: StoredApiKey; text: string }> {
  const key = parseOrRefuse(NewApiKey, { name, scopes, expiresAt, allowedAddresses });
  requireFuture(key.expiresAt, tools.clock.now());
  const named = parseWorkspaceName(workspaceName);
  return await transact(tools, async (write) => {
    const workspace = await chooseWorkspace(tools, write, named);
    return mintInto(write, commandContext(tools, workspace.id), key);
  });
}

const UNNAMED = "Workspace";

/** If `chooseWorkspace` adds a workspace, the commit fails if any workspace changes meanwhile. */
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
