/** The service as a process: one lock, one store, one listener, until it is told to stop. */
import { type App, createApp } from "../app.ts";
import { Failure } from "../base/failure.ts";
import { type Config, passStoreToken, readConfig } from "../config.ts";
import { roomLog, startLogging } from "../platform/log.ts";
import { openStore, storeFile } from "../platform/open_store.ts";
import { lockStore, type StoreLock } from "../platform/store_lock.ts";
import { startSchedule } from "../schedule.ts";
import { addConfiguredUser, offerSetUp, requireWholeFirstUser } from "./first_user.ts";
import { storeLocation } from "./store_access.ts";
import { print, writeLog } from "./terminal.ts";

/** A server waits shorter for a busy file than a tool does: its callers wait with it. */
const BUSY_MS = 5_000;
/** Requests in flight get this long after a signal (decisions §11). */
const DRAIN_MS = 10_000;

const log = roomLog("serve");

/** Resolves after a graceful stop. Refuses with `unavailable` while another server holds the store. */
export async function serve(): Promise<void> {
  const config = readConfig();
  requireWholeFirstUser(config);
  passStoreToken(config);
  await startLogging({ level: config.LOG_LEVEL, format: config.LOG_FORMAT, write: writeLog });
  logStrayErrors();
  const location = storeLocation(config);
  using lock = location.dataDir === null ? null : await lockFolder(location.dataDir);
  const store = await openStore(location, BUSY_MS);
  try {
    const app = await createApp({ store, config, now: () => new Date() });
    const tools = { store, clockwork: app.clockwork };
    await addConfiguredUser(tools, config);
    // Before anyone can know that the server is there: who stops it early stops it as gracefully.
    using stop = awaitSignal();
    const server = listen(app, config);
    const url = urlOf(config, server.addr);
    lock?.describe({ pid: Deno.pid, startedAt: new Date().toISOString(), url });
    const where = location.kvUrl ?? location.dataDir ?? "platform";
    log.info("listening", { url, store: where, pid: Deno.pid });
    print(`Kurant listens on ${url}`);
    void app.warm();
    await offerSetUp(tools, url);
    const schedule = startSchedule({
      store,
      clockwork: app.clockwork,
      delayMs: config.SCRAPE_DOMAIN_DELAY_MS,
    });
    const signal = await stop.came;
    log.info("stopping", { signal });
    await Promise.all([drain(app, server), schedule.stop()]);
    await app.close();
    log.info("stopped");
  } finally {
    store.kv.close();
  }
}

async function lockFolder(dataDir: string): Promise<StoreLock> {
  await Deno.mkdir(dataDir, { recursive: true });
  return lockStore(storeFile(dataDir).lockPath);
}

export function listen(
  app: App,
  { HOST: hostname, PORT: port }: Config,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    const handler = (request: Request, info: Deno.ServeHandlerInfo<Deno.NetAddr>) =>
      app.fetch(request, info);
    return Deno.serve({ hostname, port, onListen: () => {} }, handler);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.AddrInUse)) throw cause;
    const message = `Port ${port} of ${hostname} is in use: choose another PORT`;
    throw new Failure("unavailable", message, undefined, { cause });
  }
}

/** What a person can click on: a wildcard address is no address to go to. */
export function urlOf({ PUBLIC_URL, HOST }: Config, { port }: Deno.NetAddr): string {
  if (PUBLIC_URL !== null) return PUBLIC_URL;
  if (HOST === "0.0.0.0" || HOST === "::") return `http://localhost:${port}`;
  return `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${port}`;
}

/** The first signal asks, a second one finds no listener and ends the process at once. */
export function awaitSignal(): Disposable & { readonly came: Promise<Deno.Signal> } {
  const { promise: came, resolve } = Promise.withResolvers<Deno.Signal>();
  const listeners = (["SIGTERM", "SIGINT"] as const).map((signal) => {
    const listener = () => {
      leave();
      resolve(signal);
    };
    Deno.addSignalListener(signal, listener);
    return [signal, listener] as const;
  });
  const leave = () => {
    for (const [signal, listener] of listeners) Deno.removeSignalListener(signal, listener);
  };
  return { came, [Symbol.dispose]: leave };
}

/** Takes no more requests and waits for those in flight, but not for one that never ends. */
export async function drain(app: App, server: Deno.HttpServer): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log.warning("requests were cut off", { afterMs: DRAIN_MS });
      resolve();
    }, DRAIN_MS);
  });
  const emptied = app.drain().then(() => server.shutdown());
  await Promise.race([emptied, patience]);
  clearTimeout(timer);
}

/** A rejection that nobody awaits is a defect, but no reason to drop everyone else's requests. */
function logStrayErrors(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    const error = event.reason instanceof Error ? event.reason : String(event.reason);
    log.error("unhandled rejection", { error });
  });
}
