/**
 * Sign-in by the operator's provider (docs/decisions/identity.md). Issuer and subject identify a
 * person; an address that changes later does not.
 */
import { sha256, sha256Hex } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { roomLog } from "../../platform/log.ts";
import { type Actor, contextFor } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { defineStoreTable } from "../../platform/store/table.ts";
import type { Anonymous } from "../anonymous.ts";
import { changedFields } from "../audit/audit.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import type { Role } from "../roles.ts";
import { isPast, isToken, newToken } from "../secret.ts";
import {
  addUserRows,
  checkOwners,
  findUserByEmail,
  findUserById,
  foldEmail,
  type FoundUser,
  hasOtherOwner,
  newUser,
  personName,
  saveUser,
  type StoredUser,
} from "../users/user.ts";
import { listWorkspaces } from "../workspace_store.ts";
import type { ProvidedPerson, Provider } from "./provider.ts";
import { type Browser, removeSession } from "./session.ts";
import { beginSession } from "./sign_in.ts";

const log = roomLog("identity");

export const BEGUN_MS = 10 * MINUTE_MS;

export const begunSignIns = defineStoreTable<
  { readonly hash: Uint8Array; readonly expiresAt: string },
  "hash"
>({
  prefix: "opb",
  about: "a sign-in that has begun at the provider, by the SHA-256 of the browser's secret",
  key: { hash: "bytes" },
  keyOnly: ["hash"],
  expireInMs: 2 * BEGUN_MS,
});

export const providedIdentities = defineStoreTable<
  { readonly subject: string; readonly userId: string },
  "subject"
>({
  prefix: "opi",
  about: "the user whom the provider knows by issuer and subject, by their SHA-256",
  key: { subject: "hex" },
  keyOnly: ["subject"],
});

/** Begins a sign-in. Returns the secret for the browser's cookie, and the provider's address. */
export async function beginAtProvider(
  asker: Anonymous,
  provider: Provider,
): Promise<{ readonly secret: string; readonly url: string }> {
  const secret = newToken();
  const { href: url } = await provider.beginAt(secret);
  const expiresAt = new Date(asker.clock.now().getTime() + BEGUN_MS).toISOString();
  const row = { hash: sha256(secret), expiresAt };
  await transact(asker, (write) => begunSignIns.put(write, {}, row));
  return { secret, url };
}

interface ProviderAnswer {
  readonly secret: string | undefined;
  /** The query with which the provider has sent the browser back. */
  readonly query: string;
  readonly earlierSession: Uint8Array | null;
  readonly browser: Browser;
}

/**
 * Starts a session for the person of the provider's answer. Throws `forbidden` for an answer that
 * is wrong, used, too late or of another browser, and for a person without a role here.
 */
export async function signInByProvider(
  asker: Anonymous,
  provider: Provider,
  answer: ProviderAnswer,
): Promise<{ user: StoredUser; token: string }> {
  const { requestId } = asker;
  const { address } = answer.browser;
  try {
    const secret = await requireBegun(asker, answer.secret);
    const person = await provider.finish(secret, answer.query);
    const done = await transact(asker, async (write) => {
      const user = await userOf(asker, write, provider, person);
      if (answer.earlierSession) await removeSession(asker.store, write, answer.earlierSession);
      const start = { browser: answer.browser, isComplete: true };
      return { user, token: beginSession(write, user, asker.clock.now(), start) };
    });
    log.info("signed in by provider", { requestId, userId: done.user.id, address });
    return done;
  } catch (error) {
    if (error instanceof Failure) {
      log.warning("provider sign-in refused", { requestId, address, reason: error.message });
    }
    throw error;
  }
}

/** Ends the begun sign-in before its code is used, so that no answer is taken twice. */
async function requireBegun(asker: Anonymous, secret: string | undefined): Promise<string> {
  const { store, clock } = asker;
  if (secret !== undefined && isToken(secret)) {
    const key = { hash: sha256(secret) };
    const isBegun = await transact({ store }, async (write) => {
      const found = await begunSignIns.find({ store }, key);
      if (found) begunSignIns.remove(write, {}, found);
      return found !== null && !isPast(found.row.expiresAt, clock.now());
    });
    if (isBegun) return secret;
  }
  const message =
    "The sign-in was not begun in this browser, is over or took too long: begin again";
  throw new Failure("forbidden", message);
}

async function userOf(
  asker: Anonymous,
  write: Write,
  provider: Provider,
  person: ProvidedPerson,
): Promise<StoredUser> {
  const { store } = asker;
  if (provider.givesRoles && person.role === null) {
    throw new Failure("forbidden", "Nothing that the provider says of you gives a role here");
  }
  const subject = sha256Hex(`${person.issuer}\n${person.subject}`);
  const bound = await providedIdentities.find({ store }, { subject });
  const known = bound && await findUserById(store, bound.row.userId);
  if (known) return await updated(asker, write, known, person.role);
  const email = person.email === null ? null : foldEmail(person.email);
  if (email === null) {
    throw new Failure("forbidden", "The provider has not verified your e-mail address");
  }
  const found = await findUserByEmail(store, email);
  const user = found
    ? await updated(asker, write, found, person.role)
    : await created(asker, write, { ...person, email });
  providedIdentities.save(write, {}, bound, { subject, userId: user.id });
  return user;
}

const ACTOR: Actor = { type: "system", id: "provider", name: "Sign-in provider" };

async function created(
  asker: Anonymous,
  write: Write,
  { email, name, role }: ProvidedPerson & { readonly email: string },
): Promise<StoredUser> {
  const [workspace] = await listWorkspaces(asker.store);
  if (role === null || !workspace) {
    throw new Failure("forbidden", `Nobody has added "${email}" here: ask an owner`);
  }
  const known = { email, name, role, passwordHash: null };
  const user = { ...newUser(asker.clock, workspace.id, known), hasProvider: true };
  addUserRows(write, user);
  addAuditRow(write, contextFor(asker, workspace.id, ACTOR), {
    action: "user.create",
    resource: { type: "user", id: user.id, label: personName(user) },
    before: null,
    after: { email, role, hasProvider: true },
  });
  return user;
}

/** The user with the role of the provider. The last owner stays one. */
async function updated(
  asker: Anonymous,
  write: Write,
  { user, versionstamp }: FoundUser,
  role: Role | null,
): Promise<StoredUser> {
  let next = role ?? user.role;
  const workspace = { store: asker.store, workspaceId: user.workspaceId };
  if (user.role === "owner" && next !== "owner") {
    const owners = await hasOtherOwner(workspace, user.id);
    checkOwners(write, user.workspaceId, owners.versionstamp);
    if (!owners.isTrue) next = "owner";
  }
  if (next === user.role && user.hasProvider) return user;
  const after = { ...user, role: next, hasProvider: true };
  saveUser(write, after, versionstamp);
  const shown = ({ role, hasProvider = false }: StoredUser) => ({ role, hasProvider });
  addAuditRow(write, contextFor(asker, user.workspaceId, ACTOR), {
    action: "user.update",
    resource: { type: "user", id: user.id, label: personName(user) },
    ...changedFields(shown(user), shown(after)),
  });
  return after;
}
