/**
 * Keeps a server listening: the engine's listener ends silently without a free file descriptor
 * (Deno 2.9.6).
 */
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../base/failure.ts";
import { roomLog } from "../../platform/log.ts";

const log = roomLog("serve");

/** The engine's server of one listening socket. */
export type HttpServer = Pick<Deno.HttpServer<Deno.NetAddr>, "addr" | "finished" | "shutdown">;

interface ListenerPatience {
  /** Time between two attempts to listen again. */
  readonly restMs: number;
  /** Time without success after which listening is given up. */
  readonly giveUpMs: number;
}

const PATIENCE: ListenerPatience = { restMs: 100, giveUpMs: 30_000 };

export class Listener {
  readonly addr: Deno.NetAddr;
  /** Resolves when listening has failed for good; never after `shutdown`. */
  readonly gone: Promise<Failure>;
  readonly #serve: (port: number) => HttpServer;
  readonly #patience: ListenerPatience;
  #server: HttpServer;
  #isStopping = false;
  #tellGone: (failure: Failure) => void = () => {};

  /** Listens again on the same port whenever it ends. Throws errors of the first call. */
  constructor(
    serve: (port: number) => HttpServer,
    port: number,
    patience: ListenerPatience = PATIENCE,
  ) {
    const first = serve(port);
    this.#serve = serve;
    this.#patience = patience;
    this.addr = first.addr;
    this.gone = new Promise((resolve) => this.#tellGone = resolve);
    this.#server = first;
    this.#follow(first);
  }

  /** Accepts no more connections and waits for running requests. */
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

  /** Idle connections are closed, which frees descriptors; running requests are finished. */
  async #listenAgain(ended: HttpServer, error: unknown): Promise<void> {
    if (this.#isStopping) return;
    log.warning("the listener ended and begins anew", { error });
    ended.shutdown().catch((cause: unknown) => log.warning("it left badly", { error: cause }));
    const giveUpAt = performance.now() + this.#patience.giveUpMs;
    for (let last = error; !this.#isStopping;) {
      try {
        this.#server = this.#serve(this.addr.port);
        return this.#follow(this.#server);
      } catch (cause) {
        last = cause;
      }
      if (performance.now() > giveUpAt) return this.#tellGone(nobodyListens(this.addr, last));
      await pause(this.#patience.restMs);
    }
  }
}

function nobodyListens({ hostname, port }: Deno.NetAddr, cause: unknown): Failure {
  const message = `Nobody can listen on port ${port} of ${hostname} any more`;
  return new Failure("unavailable", message, undefined, { cause });
}
