/**
 * Imitates Deno Deploy. A server in this process passes requests and cron calls to Kurant. The
 * server starts Kurant's process if none runs, and suspends it (SIGSTOP) while nothing is pending.
 * Kurant has only the APIs that `deploy_entry.ts` leaves. It reads only its own files, and cannot
 * write files, run programs or load native libraries.
 */
import { type LocalServer, serveHere } from "../local_server.ts";
import { memoryMib } from "../processor_time.ts";
import { errorLines, type Server, startServer } from "../program.ts";
import type { DenokvServer } from "../stores.ts";

const CRON_PATH = "/called-each-minute";
/** V8's heap limit in MB, below the platform's limit, which includes other memory. */
const HEAP_MB = 256;

const PROGRAM = {
  entry: "tests/fault/deploy_entry.ts",
  v8Flags: `--v8-flags=--max-old-space-size=${HEAP_MB}`,
  flags: ["--allow-net=127.0.0.1", "--allow-env", "--allow-read=dist,src"],
};

interface Isolate {
  readonly server: Server;
  readonly pid: number;
  /** Number of pending requests and cron calls; at 0, the process is suspended. */
  awaited: number;
  isGone: boolean;
}

export class DeployPlatform implements AsyncDisposable {
  readonly #kv: DenokvServer;
  readonly #settings: Record<string, string>;
  readonly #front: LocalServer;
  #isolate: Promise<Isolate> | null = null;
  #nextCommitsMax: number | null = null;
  #ended: Promise<unknown>[] = [];
  readonly url: string;
  /** Lines with errors from the logs of all processes. */
  readonly complaints: string[] = [];
  starts = 0;
  calls = 0;
  memoryMb = 0;

  constructor(kv: DenokvServer, settings: Record<string, string>) {
    this.#kv = kv;
    this.#settings = settings;
    this.#front = serveHere((request) => this.#pass(request));
    this.url = this.#front.url;
  }

  async callEntry(): Promise<void> {
    const { ok, body } = await fetch(this.url + CRON_PATH);
    await body?.cancel();
    if (ok) this.calls++;
  }

  /** Kills the process; the next one makes at most `commitsMax` commits (null: any number). */
  async kill(commitsMax: number | null): Promise<void> {
    this.#nextCommitsMax = commitsMax;
    const isolate = await this.#isolate;
    if (!isolate || isolate.isGone) return;
    await this.#measure(isolate);
    await isolate.server.crash();
  }

  async stop(): Promise<number> {
    const isolate = await this.#running();
    await this.#measure(isolate);
    this.#await(isolate);
    return (await isolate.server.stop("SIGINT")).code;
  }

  /** Waits until the process has reached `commitsMax` commits, or has ended. */
  async spent(): Promise<void> {
    const { server } = await this.#running();
    // A process may end before it writes this line.
    await server.logged(/no further commit/).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill(null);
    await this.#front[Symbol.asyncDispose]();
    await Promise.all(this.#ended);
  }

  async #pass(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const body = await request.bytes();
    const isolate = await this.#running();
    this.#await(isolate);
    try {
      const answer = await fetch(isolate.server.url + pathname + search, {
        method: request.method,
        headers: request.headers,
        redirect: "manual",
        ...(body.length > 0 && { body }),
      });
      const headers = new Headers(answer.headers);
      for (const name of ["content-encoding", "content-length"]) headers.delete(name);
      const bytes = await answer.bytes();
      const isEmpty = answer.status === 204 || answer.status === 304;
      return new Response(isEmpty ? null : bytes, { status: answer.status, headers });
    } catch (error) {
      if (error instanceof TypeError) return new Response(null, { status: 502 });
      throw error;
    } finally {
      this.#release(isolate);
    }
  }

  async #running(): Promise<Isolate> {
    const isolate = await this.#isolate;
    if (isolate && !isolate.isGone) return isolate;
    // Several callers may wait here, but only the first starts a process.
    if ((await this.#isolate) === isolate) this.#isolate = this.#start();
    return await this.#running();
  }

  async #start(): Promise<Isolate> {
    this.starts++;
    const server = await startServer({
      ...this.#settings,
      DENO_DEPLOYMENT_ID: "of-the-tests",
      DENO_KV_ACCESS_TOKEN: this.#kv.token,
      KV_OF_THE_PLATFORM: this.#kv.url,
      CALLED_EACH_MINUTE: CRON_PATH,
      ...(this.#nextCommitsMax !== null && { COMMITS_MAX: `${this.#nextCommitsMax}` }),
    }, { program: PROGRAM });
    await server.logged(/"event":"listening"/);
    const pid = Number(/"event":"listening".*"pid":(\d+)/.exec(server.log())?.[1]);
    const isolate: Isolate = { server, pid, awaited: 0, isGone: false };
    this.#ended.push(server.ended.then(({ err }) => {
      isolate.isGone = true;
      this.complaints.push(...errorLines(err));
    }));
    return isolate;
  }

  #await(isolate: Isolate): void {
    if (isolate.awaited++ === 0) this.#tell(isolate, "SIGCONT");
  }

  #release(isolate: Isolate): void {
    if (--isolate.awaited === 0) this.#tell(isolate, "SIGSTOP");
  }

  #tell(isolate: Isolate, signal: Deno.Signal): void {
    try {
      isolate.server.tell(signal);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }

  async #measure({ pid }: Isolate): Promise<void> {
    this.memoryMb = Math.max(this.memoryMb, await memoryMib(pid, "VmHWM") ?? 0);
  }
}
