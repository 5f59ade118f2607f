/** A whole app on a store of its own, behind a real socket, with a settable clock and ready-made callers. */
import { type App, createApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { addKeyRows } from "../src/identity/keys/api_key_store.ts";
import { mintKey } from "../src/identity/keys/api_key.ts";
import { beginSession } from "../src/identity/sessions/begin_session.ts";
import { SESSION_COOKIE } from "../src/identity/sessions/session.ts";
import { addUserRows } from "../src/identity/users/user_store.ts";
import { WORKSPACE_DEFAULTS } from "../src/identity/workspace.ts";
import { addWorkspace, workspacesVersion } from "../src/identity/workspace_store.ts";
import type { Role } from "../src/platform/role.ts";
import { type Store, transact } from "../src/platform/store/kv.ts";
import { openStore, storeFile } from "../src/platform/store/open_store.ts";
import { PATIENCE_MS } from "./patience.ts";

/** Someone who calls the service; every verb answers the raw response, its body unread. */
export interface Caller {
  /** A text, bytes, a form and a stream go as they are, anything else as JSON. */
  send(method: string, path: string, body?: unknown, headers?: HeadersInit): Promise<Response>;
  get(path: string, headers?: HeadersInit): Promise<Response>;
  post(path: string, body?: unknown, headers?: HeadersInit): Promise<Response>;
  patch(path: string, body: unknown, headers?: HeadersInit): Promise<Response>;
  delete(path: string, headers?: HeadersInit): Promise<Response>;
}

/** Stands still unless it is moved. */
export interface TestClock {
  now(): Date;
  advance(ms: number): void;
}

export interface TestApp extends AsyncDisposable {
  readonly base: string;
  readonly store: Store;
  /** File of the store; empty when the test brought its own. */
  readonly storePath: string;
  readonly clock: TestClock;
  readonly app: App;
  readonly workspaceId: string;
  /** No credential at all. */
  readonly anyone: Caller;
  readonly owner: Caller;
  readonly manager: Caller;
  readonly viewer: Caller;
  /** `pr_session=…` of the owner, for a request that is made by hand. */
  readonly ownerCookie: string;
  readonly viewerCookie: string;
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
}

const START = Date.parse("2026-03-02T09:00:00.000Z");

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = options.store ? null : await Deno.makeTempDir({ prefix: "kurant-test-" });
  const store = options.store ?? await openStore({ kvUrl: null, dataDir: folder }, 5_000);
  let nowMs = START;
  const clock: TestClock = {
    now: () => new Date(nowMs),
    advance: (ms) => {
      nowMs += ms;
    },
  };
  const config = readConfig((name) => options.env?.[name]);
  const app = await createApp({
    store,
    config,
    now: clock.now,
    port: () => server.addr.port,
    importAnswerMs: PATIENCE_MS,
  });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request, info) => app.fetch(request, info),
  );
  const base = `http://127.0.0.1:${server.addr.port}`;
  const people = createPeople(store, app);
  const workspaceId = await people.newWorkspace("Test");
  const cookies: Record<Role, string> = {
    owner: await people.signedIn(workspaceId, "owner"),
    manager: await people.signedIn(workspaceId, "manager"),
    viewer: await people.signedIn(workspaceId, "viewer"),
  };
  const keyCaller = ({ text }: { text: string }) =>
    createCaller(base, { Authorization: `Bearer ${text}` });
  let strangers = 0;
  const newStranger = () => people.newWorkspace(`Stranger ${++strangers}`);
  return {
    base,
    store,
    storePath: folder === null ? "" : storeFile(folder).kvPath,
    clock,
    app,
    workspaceId,
    anyone: createCaller(base, {}),
    owner: createCaller(base, { Cookie: cookies.owner }),
    manager: createCaller(base, { Cookie: cookies.manager }),
    viewer: createCaller(base, { Cookie: cookies.viewer }),
    ownerCookie: cookies.owner,
    viewerCookie: cookies.viewer,
    newKey: (scopes) => people.newKey(workspaceId, scopes),
    key: async (scopes) => keyCaller(await people.newKey(workspaceId, scopes)),
    strangerOwner: async () => {
      const cookie = await people.signedIn(await newStranger(), "owner");
      return createCaller(base, { Cookie: cookie });
    },
    strangerKey: async (scopes) => keyCaller(await people.newKey(await newStranger(), scopes)),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await app.close();
      if (folder === null) return;
      store.kv.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Workspaces, users and keys straight through the stores: a password costs 80 ms of hashing each. */
function createPeople(store: Store, { clockwork }: App) {
  const { now, newId } = clockwork;
  return {
    async newWorkspace(name: string): Promise<string> {
      const id = newId();
      await transact({ store }, async (write) => {
        const createdAt = now().toISOString();
        const version = await workspacesVersion(store);
        addWorkspace(write, { id, name, ...WORKSPACE_DEFAULTS, createdAt }, version);
      });
      return id;
    },
    async signedIn(workspaceId: string, role: Role): Promise<string> {
      const id = newId();
      const user = {
        id,
        workspaceId,
        email: `${role}-${id}@shop.example`,
        role,
        passwordHash: "unusable",
        sessionGeneration: 0,
        createdAt: now().toISOString(),
      };
      const token = await transact({ store }, (write) => {
        addUserRows(write, user);
        return Promise.resolve(beginSession(write, user, now()));
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

/** Calls a server with the same headers each time. */
export function createCaller(base: string, credential: Record<string, string>): Caller {
  const send: Caller["send"] = (method, path, body, headers) => {
    const raw = rawBody(body);
    const all = new Headers({
      ...credential,
      ...(raw !== null ? {} : { "Content-Type": "application/json" }),
    });
    new Headers(headers).forEach((value, name) => all.set(name, value));
    const init = { method, headers: all, body: raw === null ? JSON.stringify(body) : raw.body };
    return fetch(base + path, { ...init, redirect: "manual" });
  };
  return {
    send,
    get: (path, headers) => send("GET", path, undefined, headers),
    post: (path, body, headers) => send("POST", path, body, headers),
    patch: (path, body, headers) => send("PATCH", path, body, headers),
    delete: (path, headers) => send("DELETE", path, undefined, headers),
  };
}

/** Null for what is sent as JSON. */
function rawBody(body: unknown): { body: BodyInit | undefined } | null {
  if (body === undefined || typeof body === "string" || body instanceof FormData) return { body };
  if (body instanceof ReadableStream) return { body };
  return body instanceof Uint8Array ? { body: new Uint8Array(body) } : null;
}
