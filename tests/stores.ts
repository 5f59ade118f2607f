/**
 * Opens each kind of store that the product supports: in memory, in a file, and behind a KV Connect
 * server. Tests with a KV Connect server are ignored if the program `denokv` is missing.
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

const MISSING_DENOKV = denokv === null ? "denokv is not installed" : null;

const STORE_KINDS: readonly {
  readonly kind: Store["kind"];
  readonly missing: string | null;
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

/** Returns `DENOKV_BIN`, or the path where `.ci/run` installs the server; null if it is missing. */
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

/** Also sets `DENO_KV_ACCESS_TOKEN` of this process, because `Deno.openKv` reads it. */
export async function startDenokv(): Promise<DenokvServer> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await temporaryFolder());
  const server = opening.use(await startDenokvOn(`${folder.path}/kv.sqlite`, freePort()));
  const opened = opening.move();
  return { ...server, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

export const withDenokv = testWith(startDenokv, MISSING_DENOKV);
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
  const isListening = () =>
    connectTo(`http://127.0.0.1:${port}`).then((one) => one.close()).then(() => true, () => false);
  await until(`a server listens on port ${port}`, isListening);
}
