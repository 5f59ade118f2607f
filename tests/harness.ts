/** A whole app on a store of its own, behind a real socket, with a settable clock and ready-made callers. */

import { addKeyRows, mintKey } from "../src/accounts/keys/api_key.ts";
import type { Role } from "../src/accounts/roles.ts";
import { SESSION_COOKIE, type SessionStart } from "../src/accounts/sessions/session.ts";
import { beginSession } from "../src/accounts/sessions/sign_in.ts";
import { addUserRows, type StoredUser } from "../src/accounts/users/user.ts";
import { type Workspace, WORKSPACE_DEFAULTS } from "../src/accounts/workspace.ts";
import { addWorkspace, workspacesVersion } from "../src/accounts/workspace_store.ts";
import { type App, createApp } from "../src/app/composition/app.ts";
import { readConfig } from "../src/app/composition/config.ts";
import { type Store, transact } from "../src/platform/store/kv.ts";
import { openStore, storeFile } from "../src/platform/store/open_store.ts";
import { type Caller, callerWithKey, createCaller } from "./caller.ts";
import { type LocalServer, serveHere } from "./local_server.ts";
import { folderOfNewStore } from "./new_store.ts";
import { testWith } from "./opened.ts";
import { PATIENCE_MS } from "./patience.ts";

/** Stands still unless it is moved. */
export interface TestClock {
  now(): Date;
  advance(ms: number): void;
}

/** An app behind a real socket, without people. */
export interface ServedApp extends AsyncDisposable {
  readonly base: string;
  readonly store: Store;
  /** File of the store; empty when the test brought its own. */
  readonly storePath: string;
  readonly clock: TestClock;
  readonly app: App;
  /** No credential at all. */
  readonly anyone: Caller;
}

export interface TestApp extends ServedApp {
  readonly workspaceId: string;
  readonly owner: Caller;
  readonly manager: Caller;
  readonly viewer: Caller;
  /** `pr_session=…` of the owner, for a request that is made by hand. */
  readonly ownerCookie: string;
  readonly viewerCookie: string;
  /** `pr_session=…` of somebody new with the role, who never had to type a password. */
  newSession(role: Role, person?: Partial<StoredUser>, start?: SessionStart): Promise<string>;
  /** Calls with a new bearer key of the workspace. */
  key(scopes: readonly string[]): Promise<Caller>;
  newKey(scopes: readonly string[]): Promise<{ id: string; text: string }>;
  /** The owner of another, new workspace on the same store. */
  strangerOwner(): Promise<Caller>;
  /** A key of another, new workspace on the same store. */
  strangerKey(scopes: readonly string[]): Promise<Caller>;
}

export interface TestAppOptions {
  /** Environment of the app: `{ RATE_LIMIT_PER_MINUTE: "5" }`. */
  readonly env?: Record<string, string>;
  /** Left open at the end; without one, a file in a temporary folder that goes with the app. */
  readonly store?: Store;
  /** For what talks to programs whose clock goes on; otherwise a clock that stands still. */
  readonly now?: () => Date;
  /** How long news, products to judge, deliveries and mails wait when nobody tells of them. */
  readonly sweepMs?: number;
  /** True for workspaces that hold prices that look wrong: tests move them as they like. */
  readonly holdsPrices?: boolean;
}

const START = Date.parse("2026-03-02T09:00:00.000Z");

/** Ports of apps that are closed, once `keepPorts` was called. */
let leftPorts: number[] | null = null;

/**
 * From now on an app listens where the last one did that is closed. To a browser all apps of a file are
 * one place then, whose scripts it has read before.
 */
export function keepPorts(): void {
  leftPorts ??= [];
}

/** An app on an empty store, as it stands after the very first start, or on the store that is given. */
export async function serveApp(options: TestAppOptions = {}): Promise<ServedApp> {
  const folder = options.store ? null : await folderOfNewStore();
  const store = options.store ??
    await openStore({ kvUrl: null, dataDir: folder?.path ?? null }, 5_000);
  let nowMs = START;
  const clock: TestClock = {
    now: options.now ?? (() => new Date(nowMs)),
    advance: (ms) => {
      nowMs += ms;
    },
  };
  const app = await createApp({
    store,
    config: readConfig((name) => options.env?.[name]),
    now: clock.now,
    port: () => server.port,
    importAnswerMs: PATIENCE_MS,
    sweepMs: options.sweepMs,
  });
  const server: LocalServer = serveHere(
    (request, info) => app.fetch(request, info),
    { port: leftPorts?.pop() },
  );
  return {
    base: server.url,
    store,
    storePath: folder === null ? "" : storeFile(folder.path).kvPath,
    clock,
    app,
    anyone: createCaller(server.url),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      leftPorts?.push(server.port);
      await app.close();
      if (folder === null) return;
      store.kv.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** An app with a workspace whose owner, manager and viewer are signed in. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  return await newWorkspaceOn(await serveApp(options), options);
}

/** Tests that each have such an app of their own. */
export const withApp = testWith(() => startTestApp());

/** A new workspace of an app that is there, whose owner, manager and viewer are signed in. */
export async function newWorkspaceOn(
  served: ServedApp,
  options: Pick<TestAppOptions, "holdsPrices"> = {},
): Promise<TestApp> {
  const { base, store, app } = served;
  const people = createPeople(store, app, { quarantine: options.holdsPrices ? {} : null });
  const workspaceId = await people.newWorkspace("Test");
  const cookies: Record<Role, string> = {
    owner: await people.signedIn(workspaceId, "owner"),
    manager: await people.signedIn(workspaceId, "manager"),
    viewer: await people.signedIn(workspaceId, "viewer"),
  };
  const keyCaller = ({ text }: { text: string }) => callerWithKey(base, text);
  let strangers = 0;
  const newStranger = () => people.newWorkspace(`Stranger ${++strangers}`);
  return {
    ...served,
    workspaceId,
    owner: createCaller(base, { Cookie: cookies.owner }),
    manager: createCaller(base, { Cookie: cookies.manager }),
    viewer: createCaller(base, { Cookie: cookies.viewer }),
    ownerCookie: cookies.owner,
    viewerCookie: cookies.viewer,
    newSession: (...asked) => people.signedIn(workspaceId, ...asked),
    newKey: (scopes) => people.newKey(workspaceId, scopes),
    key: async (scopes) => keyCaller(await people.newKey(workspaceId, scopes)),
    strangerOwner: async () => {
      const cookie = await people.signedIn(await newStranger(), "owner");
      return createCaller(base, { Cookie: cookie });
    },
    strangerKey: async (scopes) => keyCaller(await people.newKey(await newStranger(), scopes)),
  };
}

/** Workspaces, users and keys straight through the stores: a password costs 80 ms of hashing each. */
function createPeople(
  store: Store,
  { clock: clockwork }: App,
  settings: Pick<Workspace, "quarantine">,
) {
  const { now, newId } = clockwork;
  return {
    async newWorkspace(name: string): Promise<string> {
      const id = newId();
      await transact({ store }, async (write) => {
        const createdAt = now().toISOString();
        const version = await workspacesVersion(store);
        addWorkspace(write, { id, name, ...WORKSPACE_DEFAULTS, ...settings, createdAt }, version);
      });
      return id;
    },
    async signedIn(
      workspaceId: string,
      role: Role,
      person: Partial<StoredUser> = {},
      // A proof of the future counts however far the clock is moved.
      start: SessionStart = { provedAt: new Date(8.64e15) },
    ): Promise<string> {
      const id = newId();
      const user = {
        id,
        workspaceId,
        email: `${role}-${id}@shop.example`,
        role,
        passwordHash: "unusable",
        sessionGeneration: 0,
        createdAt: now().toISOString(),
        ...person,
      };
      const token = await transact({ store }, (write) => {
        addUserRows(write, user);
        return Promise.resolve(beginSession(write, user, now(), start));
      });
      return `${SESSION_COOKIE}=${token}`;
    },
    async newKey(workspaceId: string, scopes: readonly string[]) {
      const { text, hash, prefix } = mintKey();
      const id = newId();
      await transact({ store }, (write) => {
        const key = { id, workspaceId, name: "test", prefix, scopes: [...scopes] };
        const createdAt = now().toISOString();
        addKeyRows(write, hash, { ...key, expiresAt: null, createdAt });
        return Promise.resolve();
      });
      return { id, text };
    },
  };
}
