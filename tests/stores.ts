/**
 * The stores that the product supports: in memory, in a file, and behind a KV Connect server. If
 * the program of the KV Connect server is missing, its tests are ignored.
 */
import type { Store } from "../src/platform/store/kv.ts";
import { openStore } from "../src/platform/store/open_store.ts";
import { closing } from "./closing_store.ts";
import { openMemoryStore } from "./memory_store.ts";
import { folderOfNewStore } from "./new_store.ts";
import { testWith } from "./opened.ts";
import { until } from "./patience.ts";
import { connectTo } from "./raw_http.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const BUSY_MS = 60_000;
const TOKEN = "token-of-the-tests";

const denokv = findDenokv();

/** Says why no KV Connect server can be started; null if one can. */
export const MISSING_DENOKV = denokv === null ? "denokv is not installed" : null;

/** `missing` says why tests with this kind of store cannot run on this machine. */
const STORE_KINDS: readonly {
  readonly kind: Store["kind"];
  readonly missing: string | null;
  /** The folder or server of the store is closed when `opened` is disposed of. */
  open(opened: AsyncDisposableStack): Promise<Store>;
}[] = [
  { kind: "memory", missing: null, open: openMemoryStore },
  { kind: "file", missing: null, open: openInFile },
  { kind: "remote", missing: MISSING_DENOKV, open: openRemote },
];

function testOnEveryStore(name: string, work: (store: Store) => Promise<void>): void {
  for (const { kind, missing, open } of STORE_KINDS) {
    testWith(() => new AsyncDisposableStack(), missing).test(
      `${name} (${kind})`,
      async (opened) => await work(opened.use(closing(await open(opened)))),
    );
  }
}

export const onEveryStore = { test: testOnEveryStore };

/** Returns `DENOKV_BIN` or the path of the built KV Connect server; null if there is none. */
function findDenokv(): string | null {
  const path = Deno.env.get("DENOKV_BIN") ??
    `${Deno.env.get("HOME") ?? ""}/.cache/kurant/denokv/bin/denokv`;
  try {
    return Deno.statSync(path).isFile ? path : null;
  } catch {
    return null;
  }
}

async function openInFile(opened: AsyncDisposableStack): Promise<Store> {
  const folder = opened.use(await folderOfNewStore());
  return await openStore({ kvUrl: null, dataDir: folder.path }, BUSY_MS);
}

async function openRemote(opened: AsyncDisposableStack): Promise<Store> {
  const server = opened.use(await startDenokv());
  return await openStore({ kvUrl: server.url, dataDir: null }, BUSY_MS);
}

export interface DenokvServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
}

/** Starts a KV Connect server on a new file, with its token in the environment of this process. */
export async function startDenokv(): Promise<DenokvServer> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await temporaryFolder());
  const server = opening.use(await startDenokvOn(`${folder.path}/kv.sqlite`, freePort()));
  const opened = opening.move();
  return { ...server, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Each test has a KV Connect server of its own. */
export const withDenokv = testWith(startDenokv, MISSING_DENOKV);
/** Each test has a folder, in which it starts KV Connect servers itself. */
export const inFolderWithDenokv = testWith(temporaryFolder, MISSING_DENOKV);

export function startDenokvOn(path: string, port: number): Promise<DenokvServer> {
  return startDenokvBy(["--sqlite-path", path, "serve", "--addr", `127.0.0.1:${port}`], port);
}

export async function startDenokvBy(args: string[], port: number): Promise<DenokvServer> {
  if (denokv === null) throw new Error("denokv is not installed");
  const child = new Deno.Command(denokv, {
    args,
    env: { DENO_KV_ACCESS_TOKEN: TOKEN },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TOKEN);
  await untilListening(port);
  return {
    url: `http://127.0.0.1:${port}`,
    token: TOKEN,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

export async function untilListening(port: number): Promise<void> {
  // A server refuses connections until it listens.
  const isListening = () =>
    connectTo(`http://127.0.0.1:${port}`).then((one) => one.close()).then(() => true, () => false);
  await until(`a server listens on port ${port}`, isListening);
}
