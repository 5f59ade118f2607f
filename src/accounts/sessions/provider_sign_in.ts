/**
 * Signs people in, and proves their identity, with an OpenID Connect provider
 * (docs/decisions/identity.md). The issuer and the subject of the ID token identify a person. At a
 * person's first sign-in, Kurant finds the user by the e-mail address that the provider has
 * verified. A missing user is created if the provider assigns a role.
 */
import { sha256, sha256Hex } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import { isPast, MINUTE_MS } from "../../base/time.ts";
import { roomLog } from "../../platform/log.ts";
import { type Actor, type Anonymous, contextFor } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { defineStoreTable } from "../../platform/store/table.ts";
import { changedFields } from "../audit/audit.ts";
import { addAuditRow } from "../audit/audit_store.ts";
import type { Role } from "../roles.ts";
import { isToken, newToken } from "../passwords/password.ts";
import {
  actorOf,
  addUserRows,
  findUserByEmail,
  findUserById,
  foldEmail,
  type FoundUser,
  hasOtherOwner,
  newUser,
  noteUser,
  saveUser,
  type StoredUser,
} from "../users/user.ts";
import { listWorkspaces } from "../workspace.ts";
import type { ProvidedPerson, Provider } from "./provider.ts";
import type { SignedIn } from "./session.ts";
import { countRefusal } from "./login_throttle.ts";
import { renewSession } from "./prove.ts";
import { replaceSession, type Stranger } from "./sign_in.ts";

const log = roomLog("identity");

export const BEGUN_MS = 10 * MINUTE_MS;

interface Proving {
  readonly userId: string;
  readonly session: Uint8Array;
}

const begunSignIns = defineStoreTable<
  { readonly hash: Uint8Array; readonly expiresAt: string; readonly proving?: Proving },
  "hash"
>({
  prefix: "opb",
  about: "an unfinished sign-in with the provider; `hash` is the SHA-256 of the browser's secret",
  key: { hash: "bytes" },
  expireInMs: 2 * BEGUN_MS,
});

const providedIdentities = defineStoreTable<
  { readonly subject: string; readonly userId: string },
  "subject"
>({
  prefix: "opi",
  about: "the user who signs in with this identity at the provider: SHA-256 of issuer and subject",
  key: { subject: "hex" },
});

export async function beginAtProvider(
  asker: Anonymous,
  provider: Provider,
  proving: Proving | null,
): Promise<{ readonly secret: string; readonly url: string }> {
  const secret = newToken();
  const { href: url } = await provider.beginAt(secret, proving !== null);
  const expiresAt = new Date(asker.clock.now().getTime() + BEGUN_MS).toISOString();
  const row = { hash: sha256(secret), expiresAt, ...(proving && { proving }) };
  await transact(asker, (write) => begunSignIns.put(write, {}, row));
  return { secret, url };
}

/** Throws `forbidden` if the sign-in is refused, `unavailable` if the provider is down. */
export async function signInByProvider(
  asker: Stranger,
  provider: Provider,
  answer: { readonly secret: string | undefined; readonly query: string },
): Promise<SignedIn> {
  const { requestId, browser: { address } } = asker;
  try {
    const { secret, proving, atMs } = await requireBegun(asker, answer.secret);
    const seconds = Math.ceil((asker.clock.now().getTime() - atMs) / 1_000);
    const person = await provider.finish(secret, answer.query, proving ? seconds : null);
    const done = await transact(asker, async (write) => {
      if (proving) return await proveBy(asker, write, person, proving);
      const user = await userOf(asker, write, provider, person);
      return await replaceSession(write, asker, user, true);
    });
    log.info("signed in by provider", { requestId, userId: done.user.id, address });
    return done;
  } catch (error) {
    if (error instanceof Failure) {
      log.warning("provider sign-in refused", { requestId, address, reason: error.message });
      await noteRefusal(asker, provider, { address, reason: error.message });
    }
    throw error;
  }
}

/** Audits a limited number of refused sign-ins, so that strangers cannot fill the log. */
async function noteRefusal(
  asker: Anonymous,
  { setup: { label } }: Provider,
  { address, reason }: { readonly address: string; readonly reason: string },
): Promise<void> {
  const [workspace] = await listWorkspaces(asker.store);
  if (!workspace || !await countRefusal(asker, address)) return;
  await transact(asker, (write) => {
    addAuditRow(write, contextFor(asker, workspace.id, ACTOR), {
      action: "user.provider_fail",
      resource: { type: "user", id: "provider", label },
      after: { address, reason },
    });
  });
}

async function proveBy(
  asker: Stranger,
  write: Write,
  { issuer, subject }: ProvidedPerson,
  proving: Proving,
): Promise<SignedIn> {
  const key = { subject: subjectHash(issuer, subject) };
  const bound = await providedIdentities.find(asker, key);
  const found = await findUserById(asker.store, proving.userId);
  const isSame = bound?.row.userId === proving.userId &&
    asker.earlierSession?.toHex() === proving.session.toHex();
  if (!isSame || !found) {
    throw new Failure(
      "forbidden",
      "You signed in at the provider with another account. Use your own",
    );
  }
  const { row: user } = found;
  const ctx = contextFor(asker, user.workspaceId, actorOf(user));
  noteUser(write, ctx, user, { action: "user.factor_use", after: { factor: "provider" } });
  return { user, token: await renewSession(write, ctx, proving.session, false) };
}

/** Returns and deletes the sign-in that the browser began, so that nobody completes it twice. */
async function requireBegun(asker: Anonymous, secret: string | undefined) {
  const { store, clock } = asker;
  if (secret !== undefined && isToken(secret)) {
    const key = { hash: sha256(secret) };
    const found = await transact({ store }, async (write) => {
      const begun = await begunSignIns.find({ store }, key);
      if (begun) begunSignIns.remove(write, {}, begun);
      return begun;
    });
    if (found && !isPast(found.row.expiresAt, clock.now())) {
      return { ...found.row, secret, atMs: Date.parse(found.row.expiresAt) - BEGUN_MS };
    }
  }
  const message =
    "The sign-in was not started in this browser, has ended or took too long: start again";
  throw new Failure("forbidden", message);
}

async function userOf(
  asker: Anonymous,
  write: Write,
  provider: Provider,
  person: ProvidedPerson,
): Promise<StoredUser> {
  const { store } = asker;
  if (provider.setup.roles !== null && person.role === null) {
    throw new Failure("forbidden", "Your account at the provider has no role here: ask an owner");
  }
  const subject = subjectHash(person.issuer, person.subject);
  const bound = await providedIdentities.find({ store }, { subject });
  const known = bound && await findUserById(store, bound.row.userId);
  if (known) return await updated(asker, write, known, person.role);
  const email = person.email === null ? null : foldEmail(person.email);
  if (email === null) {
    throw new Failure("forbidden", "Verify your e-mail address at the provider first");
  }
  const found = await findUserByEmail(store, email);
  const user = found
    ? await updated(asker, write, found, person.role)
    : await created(asker, write, { ...person, email });
  providedIdentities.save(write, {}, bound, { subject, userId: user.id });
  return user;
}

const subjectHash = (issuer: string, subject: string) => sha256Hex(`${issuer}\n${subject}`);

const ACTOR: Actor = { type: "system", id: "provider", name: "Sign-in provider" };

async function created(
  asker: Anonymous,
  write: Write,
  { email, name, role }: ProvidedPerson & { readonly email: string },
): Promise<StoredUser> {
  const [workspace] = await listWorkspaces(asker.store);
  if (role === null || !workspace) {
    throw new Failure("forbidden", `"${email}" has no account here: ask an owner to add it`);
  }
  const known = { email, name, role, passwordHash: null };
  const user = { ...newUser(asker.clock, workspace.id, known), hasProvider: true };
  addUserRows(write, user);
  noteUser(write, contextFor(asker, workspace.id, ACTOR), user, {
    action: "user.create",
    after: { email, role, hasProvider: true },
  });
  return user;
}

async function updated(
  asker: Anonymous,
  write: Write,
  found: FoundUser,
  role: Role | null,
): Promise<StoredUser> {
  const { row: user } = found;
  let next = role ?? user.role;
  const { workspaceId } = user;
  if (user.role === "owner" && next !== "owner") {
    const workspace = { store: asker.store, workspaceId };
    if (!await hasOtherOwner(write, workspace, user.id)) next = "owner";
  }
  if (next === user.role && user.hasProvider) return user;
  const after = saveUser(write, found, { role: next, hasProvider: true });
  const auditedOf = ({ role, hasProvider = false }: StoredUser) => ({ role, hasProvider });
  noteUser(write, contextFor(asker, workspaceId, ACTOR), user, {
    action: "user.update",
    ...changedFields(auditedOf(user), auditedOf(after)),
  });
  return after;
}
