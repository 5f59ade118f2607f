/**
 * Starts Kurant as on Deno Deploy: without Workers, queues and a store of its own.
 * `KV_OF_THE_PLATFORM` is the address of the store. A request to the path `CALLED_EACH_MINUTE`
 * calls all cron entries. Commit number `COMMITS_MAX` and all later ones write `no further commit`
 * to stderr and never return. Whether commit `COMMITS_MAX` is stored is random.
 */
import { env } from "node:process";

const { KV_OF_THE_PLATFORM: kvUrl, CALLED_EACH_MINUTE: cronPath, COMMITS_MAX: commitsMax } = env;

function replace(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
}

function refuse(name: string): never {
  throw new Deno.errors.NotSupported(`The platform has no ${name}`);
}

const { openKv, serve } = Deno;
/** Calls of `Deno.openKv` and `Deno.serve`, after which no cron entry may be defined. */
const begun: string[] = [];
const entries = new Map<string, () => Promise<void> | void>();
const ENTRIES_MAX = 10;

replace(Deno, "cron", (name: string, _schedule: string, ...more: unknown[]) => {
  const handler = more.at(-1);
  if (begun.length > 0) throw new Error(`A cron entry comes behind ${begun}`);
  if (typeof handler !== "function") throw new Error(`The entry "${name}" has no handler`);
  if (entries.size === ENTRIES_MAX) throw new Error("The platform takes no more cron entries");
  entries.set(name, async () => await handler());
  return new Promise<void>(() => {});
});
replace(Deno, "openKv", (path?: string) => {
  begun.push("Deno.openKv");
  return path === undefined ? openKv(kvUrl) : refuse("store at a path");
});
type Handler = Deno.ServeHandler<Deno.NetAddr>;
replace(Deno, "serve", (options: Deno.ServeTcpOptions, handler: Handler) => {
  begun.push("Deno.serve");
  return serve(options, async (request, info) => {
    if (new URL(request.url).pathname !== cronPath) return await handler(request, info);
    await Promise.all([...entries.values()].map((call) => call()));
    return new Response();
  });
});
replace(Deno.Kv.prototype, "listenQueue", () => refuse("queue"));
replace(Deno.Kv.prototype, "enqueue", () => refuse("queue"));
replace(Deno.AtomicOperation.prototype, "enqueue", () => refuse("queue"));
replace(globalThis, "Worker", function () {
  refuse("Workers");
});

let left = commitsMax ? Number(commitsMax) : Infinity;
const { commit } = Deno.AtomicOperation.prototype;
replace(Deno.AtomicOperation.prototype, "commit", async function (this: Deno.AtomicOperation) {
  if (--left > 0) return await commit.call(this);
  if (left === 0 && Math.random() < 0.5) await commit.call(this);
  Deno.stderr.writeSync(new TextEncoder().encode("no further commit\n"));
  return await new Promise<never>(() => {});
});

await import("../../main.ts");
