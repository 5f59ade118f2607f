/**
 * A server for `http_bench.ts`, in its own process, so that its processor time is measured apart.
 * `kurant`: the whole application, without its log. `bare`: a minimal server with the same
 * products, in which `/` answers a constant, and `/get` reads a row by `kv.get`. Prints a `Subject`
 * as a line of JSON.
 */
import { argv, stdout } from "node:process";
import { idBytes } from "../../src/base/id.ts";
import { startLogging } from "../../src/platform/log.ts";
import { bodyOf } from "../api/answers.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { serveHere } from "../local_server.ts";
import { applianceOf, seedProducts } from "./seed_catalogue.ts";

export interface Subject {
  readonly pid: number;
  readonly port: number;
  readonly key: string;
}

const PRODUCTS = 1_000;

/** The rate limit is far above the requests of the benchmark. */
const app = await startTestApp({
  env: { RATE_LIMIT_PER_MINUTE: "1000000" },
  now: () => new Date(),
});
await seed(app);
const key = await app.newKey([]);
if (argv[2] === "kurant") {
  const nothing = await Deno.open("/dev/null", { write: true });
  const encoder = new TextEncoder();
  const write = (line: string) => void nothing.writeSync(encoder.encode(line));
  startLogging({ level: "info", format: "json", write });
  say({ pid: Deno.pid, port: Number(new URL(app.base).port), key: key.text });
} else {
  const { port } = await bareServer();
  say({ pid: Deno.pid, port, key: key.text });
}

async function seed({ app: { clock }, store, workspaceId }: TestApp): Promise<void> {
  const place = { store, workspaceId, clock };
  await seedProducts(place, PRODUCTS, (n) => applianceOf(clock, n));
}

/** Uses a store handle of its own, without the service's wrapper. */
async function bareServer() {
  const kv = await Deno.openKv(app.storePath);
  const headers = { "Content-Type": "application/json" };
  const constant = new TextEncoder().encode('{"ok":true}');
  const { items: [{ id }] } = await bodyOf(app.viewer.get("/api/products?sku=SKU-0"), 200);
  const document = ["p", idBytes(app.workspaceId), idBytes(id)];
  return serveHere(async ({ url }) => {
    if (url.endsWith("/get")) {
      const { value } = await kv.get<Uint8Array<ArrayBuffer>>(document);
      return new Response(value, { headers });
    }
    return new Response(constant, { headers });
  });
}

function say(subject: Subject): void {
  stdout.write(`${JSON.stringify(subject)}\n`);
}
