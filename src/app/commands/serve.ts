/** Runs the server: locks and opens the store, listens for requests, and stops after a signal. */
import type { Tools } from "../../platform/store/context.ts";
import { addFirstUser, issueSetupToken } from "../../accounts/set_up.ts";
import { Failure } from "../../base/failure.ts";
import { watchStalls, withTimeout } from "../../platform/event_loop.ts";
import { roomLog, startLogging } from "../../platform/log.ts";
import type { MinuteCron } from "../../platform/jobs/work_loop.ts";
import { readyStoreFile } from "../../platform/store/file_layout.ts";
import { openStore, storeFile } from "../../platform/store/open_store.ts";
import { sealingKey } from "../../platform/store/secret_store.ts";
import { lockStore, type StoreLock } from "../../platform/store/store_file.ts";
import { type App, createApp } from "../composition/app.ts";
import { type Config, passStoreToken, readConfig, urlOf } from "../composition/config.ts";
import { findSecretTroubles } from "../composition/tables.ts";
import { startSchedule } from "../composition/schedule.ts";
import { sweepParts } from "./part_file.ts";
import { migrationOf, storeLocation } from "./store_access.ts";
import { print, writeLog } from "./terminal.ts";
import { setTimeout as pause } from "node:timers/promises";

export type HttpServer = Pick<Deno.HttpServer<Deno.NetAddr>, "addr" | "finished" | "shutdown">;

interface ListenerPatience {
  readonly pauseMs: number;
  readonly giveUpMs: number;
}

const PATIENCE: ListenerPatience = { pauseMs: 100, giveUpMs: 30_000 };

export class Listener {
  readonly addr: Deno.NetAddr;
  /** Resolves if the server ends unexpectedly and cannot listen again within `giveUpMs`. */
  readonly gone: Promise<Failure>;
  readonly #gone = Promise.withResolvers<Failure>();
  readonly #serve: (port: number) => HttpServer;
  readonly #patience: ListenerPatience;
  #server: HttpServer;
  #isStopping = false;

  constructor(
    serve: (port: number) => HttpServer,
    port: number,
    patience: ListenerPatience = PATIENCE,
  ) {
    const first = serve(port);
    this.#serve = serve;
    this.#patience = patience;
    this.addr = first.addr;
    this.gone = this.#gone.promise;
    this.#server = first;
    this.#follow(first);
  }

  async shutdown(): Promise<void> {
    this.#isStopping = true;
    await this.#server.shutdown();
  }

  #follow(server: HttpServer): void {
    server.finished.then(
      () => this.#listenAgain(server, null),
      (error: unknown) => this.#listenAgain(server, error),
    );
  }

  /** Shuts down the ended server to free its file descriptors; its running requests continue. */
  async #listenAgain(ended: HttpServer, error: unknown): Promise<void> {
    if (this.#isStopping) return;
    log.warning("the listener ended and starts again", { error });
    ended.shutdown().catch((cause: unknown) => {
      log.warning("the ended listener did not shut down cleanly", { error: cause });
    });
    const giveUpAt = performance.now() + this.#patience.giveUpMs;
    for (let last = error; !this.#isStopping;) {
      try {
        this.#server = this.#serve(this.addr.port);
        return this.#follow(this.#server);
      } catch (cause) {
        last = cause;
      }
      if (performance.now() > giveUpAt) return this.#gone.resolve(nobodyListens(this.addr, last));
      await pause(this.#patience.pauseMs);
    }
  }
}

function nobodyListens({ hostname, port }: Deno.NetAddr, cause: unknown): Failure {
  const message = `The server can no longer listen on port ${port} of ${hostname}`;
  return new Failure("unavailable", message, undefined, { cause });
}

const BUSY_MS = 5_000;

const log = roomLog("serve");

/** Throws `unavailable` if another process has locked the store. */
export async function serve(cron: MinuteCron): Promise<void> {
  const config = readConfig();
  passStoreToken(config);
  startLogging({ level: config.LOG_LEVEL, format: config.LOG_FORMAT, write: writeLog });
  logStrayErrors();
  // Signals are handled before the address is printed, because a script may stop the server as soon
  // as it reads the address.
  using stop = awaitSignal();
  const location = storeLocation(config);
  using lock = location.dataDir === null ? null : await lockFolder(location.dataDir);
  if (location.dataDir !== null) await layOut(storeFile(location.dataDir).kvPath);
  const store = await openStore(location, BUSY_MS, migrationOf(location));
  try {
    let port = config.PORT;
    const app = await createApp({ store, config, now: () => new Date(), port: () => port });
    const tools = { store, clock: app.clock };
    await addConfiguredUser(tools, config);
    using _stalls = watchStalls();
    const schedule = startSchedule({
      store,
      clock: app.clock,
      delayMs: config.SCRAPE_DOMAIN_DELAY_MS,
      cron,
      staysWhileDue: config.DENO_DEPLOYMENT_ID !== null,
    });
    try {
      const listener = listen(app, config);
      port = listener.addr.port;
      const url = urlOf(config, listener.addr);
      lock?.describe(url);
      const where = location.kvUrl ?? location.dataDir ?? "platform";
      log.info("listening", { url, store: where, pid: Deno.pid });
      sayWhere(url);
      // Stopping must not wait for `greet`, which hangs while the store is unreachable.
      const greeting = greet(tools, url).then(() => new Promise<never>(() => {}));
      const reason = await Promise.race([stop.came, listener.gone, greeting]);
      const isAsked = !(reason instanceof Failure);
      log.info("stopping", isAsked ? { signal: reason } : { error: reason });
      void schedule.stop();
      await drain(app, listener);
      if (!isAsked) throw reason;
    } finally {
      const closed = Promise.all([schedule.stop(), app.close()]);
      await within(12_000, closed, "some work did not end in time");
    }
    log.info("stopped");
  } finally {
    store.kv.close();
  }
}

/** Does not throw if standard output is a closed pipe or a full disk. */
function sayWhere(url: string): void {
  try {
    print(`Kurant listens on ${url}`);
  } catch (error) {
    log.warning("the address could not be printed", { error });
  }
}

/** The set-up link is secret, so it is printed but not logged (docs/decisions/identity.md). */
async function greet(tools: Tools, url: string): Promise<void> {
  const token = await issueSetupToken(tools);
  if (token !== null) {
    print(`There is no user yet. Set up Kurant within 30 minutes at ${url}/setup#token=${token}`);
  }
  if (sealingKey(tools.store) === null) {
    log.warning(
      "the key of the store's credentials is in the store too: set SECRET_KEY to one " +
        "of your own (kurant secret new)",
    );
  }
  for await (const trouble of findSecretTroubles(tools.store)) log.error(trouble);
}

async function lockFolder(dataDir: string): Promise<StoreLock> {
  await Deno.mkdir(dataDir, { recursive: true });
  const lock = lockStore(storeFile(dataDir).lockPath);
  await sweepParts(dataDir);
  return lock;
}

/** The caller must have locked the store. */
async function layOut(kvPath: string): Promise<void> {
  for (const { level, text } of await readyStoreFile(kvPath, BUSY_MS)) log[level](text);
}

export function listen(app: App, { HOST: hostname, PORT: port }: Config): Listener {
  const handler = (request: Request, info: Deno.ServeHandlerInfo<Deno.NetAddr>) =>
    app.fetch(request, info);
  const serve = (port: number) => Deno.serve({ hostname, port, onListen: () => {} }, handler);
  try {
    return new Listener(serve, port);
  } catch (cause) {
    const why = cause instanceof Deno.errors.AddrInUse
      ? "is in use: choose another PORT"
      : `cannot be used (${cause instanceof Error ? cause.message : cause}): see HOST and PORT`;
    throw new Failure("unavailable", `Port ${port} of ${hostname} ${why}`, undefined, { cause });
  }
}

/** From 3 s after the first signal on, a second signal ends the process at once. */
export function awaitSignal(): Disposable & { readonly came: Promise<Deno.Signal> } {
  const { promise: came, resolve } = Promise.withResolvers<Deno.Signal>();
  let hasCome = false;
  const listeners = (["SIGTERM", "SIGINT"] as const).map((signal) => {
    const listener = () => {
      if (hasCome) return;
      hasCome = true;
      // Signals within 3 s count as one: a signal to the whole process group may reach the server
      // twice.
      Deno.unrefTimer(setTimeout(leave, 3_000));
      resolve(signal);
    };
    Deno.addSignalListener(signal, listener);
    return [signal, listener] as const;
  });
  const leave = () => {
    for (const [signal, listener] of listeners) Deno.removeSignalListener(signal, listener);
  };
  // After a signal, the timer removes the listeners; otherwise, disposal does.
  return { came, [Symbol.dispose]: () => hasCome || leave() };
}

export async function drain(app: App, listener: Listener): Promise<void> {
  const emptied = app.drain().then(() => listener.shutdown());
  // `drain` takes up to 10 s and closing the app 12 s, so service managers must wait over 22 s.
  await within(10_000, emptied, "requests were cut off");
}

async function within(delayMs: number, work: Promise<unknown>, otherwise: string): Promise<void> {
  if (!await withTimeout(delayMs, work)) log.warning(otherwise, { afterMs: delayMs });
}

/** Unhandled rejections are defects, but must not end the server. */
function logStrayErrors(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    const error = event.reason instanceof Error ? event.reason : String(event.reason);
    log.error("unhandled rejection", { error });
  });
}

async function addConfiguredUser(tools: Tools, config: Config): Promise<void> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
  if (email === null || password === null) return;
  const user = await addFirstUser(tools, { email, password });
  if (user) log.info("first user added", { userId: user.id });
}
