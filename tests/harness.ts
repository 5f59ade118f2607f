/**
 * Starts an app on its own store and a real socket, with a settable clock and signed-in callers.
 */

import { apiKeys, mintKey } from "../src/accounts/keys/api_key.ts";
import type { Role } from "../src/accounts/roles.ts";
import { SESSION_COOKIE } from "../src/accounts/sessions/session.ts";
import { beginSession } from "../src/accounts/sessions/sign_in.ts";
import { addUserRows, type StoredUser } from "../src/accounts/users/user.ts";
import {
  addWorkspace,
  type Workspace,
  WORKSPACE_DEFAULTS,
  workspacesVersion,
} from "../src/accounts/workspace.ts";
import { type App, createApp } from "../src/app/composition/app.ts";
import { createForeignReader, type ForeignReader } from "../src/app/composition/room_deps.ts";
import { readConfig } from "../src/app/composition/config.ts";
import { type Store, transact } from "../src/platform/store/kv.ts";
import { openStore, storeFile } from "../src/platform/store/open_store.ts";
import { callerWithKey, createCaller } from "./caller.ts";
import { closing } from "./closing_store.ts";
import { type LocalServer, serveHere } from "./local_server.ts";
import "./light_hashes.ts";
import { folderOfNewStore } from "./new_store.ts";
import { testWith } from "./opened.ts";
import { PATIENCE_MS } from "./patience.ts";

export type ServedApp = Awaited<ReturnType<typeof serveApp>>;

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

export interface TestAppOptions {
  readonly env?: Record<string, string>;
  /**
   * The app does not close a store that the test passes. By default, the store is a file in a
   * temporary folder, which is deleted when the app closes.
   */
  readonly store?: Store;
  /** By default, the clock moves only by `advance`; tests with other programs need a real clock. */
  readonly now?: () => Date;
  /** How often the app looks for queued work that no notification has announced. */
  readonly sweepMs?: number;
  /** True if the workspaces quarantine suspicious prices. */
  readonly holdsPrices?: boolean;
}

const START = Date.parse("2026-03-02T09:00:00.000Z");

/**
 * All apps share one sandbox, because starting its Worker takes more CPU time than starting an app.
 * The sandbox exists only during tests, because its Worker would keep the process alive.
 */
let reader: ForeignReader | null = null;
Deno.test.beforeAll(() => void (reader = createForeignReader()));
Deno.test.afterAll(() => reader?.[Symbol.dispose]());

let leftPorts: number[] | null = null;

/**
 * From now on, each app listens on the port of the app that closed last. The browser then treats
 * all apps of a test file as one site, and loads their scripts from its cache.
 */
export function keepPorts(): void {
  leftPorts ??= [];
}

export async function serveApp(options: TestAppOptions = {}) {
  await using opening = new AsyncDisposableStack();
  const folder = options.store ? null : opening.use(await folderOfNewStore());
  const store = options.store ??
    opening.use(closing(await openStore({ kvUrl: null, dataDir: folder?.path ?? null }, 5_000)));
  let nowMs = START;
  const clock = {
    now: options.now ?? (() => new Date(nowMs)),
    advance(ms: number) {
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
    ...(reader && { reader: { ...reader, [Symbol.dispose]: () => {} } }),
  });
  opening.defer(() => app.close());
  const server: LocalServer = serveHere(
    (request, info) => app.fetch(request, info),
    { port: leftPorts?.pop() },
  );
  opening.defer(() => void leftPorts?.push(server.port));
  opening.use(server);
  const opened = opening.move();
  return {
    base: server.url,
    store,
    storePath: folder === null ? "" : storeFile(folder.path).kvPath,
    clock,
    app,
    anyone: createCaller(server.url),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

export async function startTestApp(options: TestAppOptions = {}) {
  return await newWorkspaceOn(await serveApp(options), options);
}

export const withApp = testWith(() => startTestApp());

async function newWorkspaceOn(
  served: ServedApp,
  options: Pick<TestAppOptions, "holdsPrices"> = {},
) {
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
    /** Returns the cookie `pr_session=…` of a new user, who has no valid password. */
    newSession: (
      role: Role,
      person?: Partial<StoredUser>,
      start?: Parameters<typeof beginSession>[3],
    ) => people.signedIn(workspaceId, role, person, start),
    newCaller: async (role: Role) =>
      createCaller(base, { Cookie: await people.signedIn(workspaceId, role) }),
    newKey: (scopes: readonly string[]) => people.newKey(workspaceId, scopes),
    key: async (scopes: readonly string[]) => keyCaller(await people.newKey(workspaceId, scopes)),
    strangerOwner: async () => {
      const cookie = await people.signedIn(await newStranger(), "owner");
      return createCaller(base, { Cookie: cookie });
    },
    strangerKey: async (scopes: readonly string[]) =>
      keyCaller(await people.newKey(await newStranger(), scopes)),
  };
}

/** Writes workspaces, users and keys directly to the store, which is faster than requests. */
function createPeople(
  store: Store,
  { clock: appClock }: App,
  settings: Pick<Workspace, "quarantine">,
) {
  const { now, newId } = appClock;
  return {
    async newWorkspace(name: string): Promise<string> {
      const workspace = { id: newId(), name, createdAt: now().toISOString() };
      await transact({ store }, async (write) => {
        const version = await workspacesVersion(store);
        addWorkspace(write, { ...WORKSPACE_DEFAULTS, ...settings, ...workspace }, version);
      });
      return workspace.id;
    },
    async signedIn(
      workspaceId: string,
      role: Role,
      person: Partial<StoredUser> = {},
      // With this date, sensitive requests never demand a new proof of identity.
      start: Parameters<typeof beginSession>[3] = { provedAt: new Date(8.64e15) },
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
      const times = { createdAt: now().toISOString(), expiresAt: null };
      const key = { id, workspaceId, name: "test", prefix, scopes: [...scopes], ...times };
      await transact({ store }, (write) => apiKeys.save(write, {}, null, { ...key, hash }));
      return { id, text };
    },
  };
}
