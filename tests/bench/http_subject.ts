/**
 * A server for `http_bench.ts`, in its own process, so that its processor time is measured apart.
 * `kurant`: the whole application, without its log. `bare`: a minimal server with the same
 * products, in which `/` answers a constant, `/get` reads a row by `kv.get`, `/rows` the rows of a
 * GET by SKU by one `kv.getMany`, and `/page` 100 documents by `kv.list`. Prints a `Subject` as a
 * line of JSON.
 */
import { argv, stdout } from "node:process";
import { joinDocuments } from "../../src/base/bytes.ts";
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
  /** Id of the requested product, whose SKU is `SKU-0`. `SKU-1` has two offers. */
  readonly id: string;
}

const PRODUCTS = 1_000;

/** The rate limit is far above the requests of the benchmark. */
const app = await startTestApp({
  env: { RATE_LIMIT_PER_MINUTE: "1000000" },
  now: () => new Date(),
});
await seed(app);
const key = await app.newKey([]);
const id = await idOf("SKU-0");
if (argv[2] === "kurant") {
  const nothing = await Deno.open("/dev/null", { write: true });
  const encoder = new TextEncoder();
  const write = (line: string) => void nothing.writeSync(encoder.encode(line));
  startLogging({ level: "info", format: "json", write });
  say({ pid: Deno.pid, port: Number(new URL(app.base).port), key: key.text, id });
} else {
  const { port } = await bareServer();
  say({ pid: Deno.pid, port, key: key.text, id });
}

async function seed({ app: { clock }, store, workspaceId, manager }: TestApp): Promise<void> {
  const place = { store, workspaceId, clock };
  await seedProducts(place, PRODUCTS, (n) => applianceOf(clock, n));
  const productId = await idOf("SKU-1");
  for (const domain of ["preisfuchs.de", "kuehlhaus.de"]) {
    const url = `https://${domain}/p/1`;
    await bodyOf(manager.post("/api/competitor-products", { productId, url }), 201);
  }
}

async function idOf(sku: string): Promise<string> {
  const page = await bodyOf(app.viewer.get(`/api/products?sku=${sku}`), 200);
  return page.items[0].id;
}

/** Uses a store handle of its own, without the service's wrapper. */
async function bareServer() {
  const kv = await Deno.openKv(app.storePath);
  const headers = { "Content-Type": "application/json" };
  const constant = new TextEncoder().encode('{"ok":true}');
  const workspace = idBytes(app.workspaceId);
  const document = ["p", workspace, idBytes(id)];
  const offers = ["o", workspace, idBytes(id)];
  return serveHere(async ({ url }) => {
    if (url.endsWith("/get")) {
      const { value } = await kv.get<Uint8Array<ArrayBuffer>>(document);
      return new Response(value, { headers });
    }
    if (url.endsWith("/rows")) {
      const [{ value }] = await kv.getMany<[Uint8Array<ArrayBuffer>, unknown]>([document, offers]);
      return new Response(value, { headers });
    }
    if (url.endsWith("/page")) {
      const list = kv.list<Uint8Array<ArrayBuffer>>(
        { prefix: ["p", workspace] },
        { limit: 101, batchSize: 101 },
      );
      const documents = (await Array.fromAsync(list)).slice(0, 100).map(({ value }) => value);
      return new Response(joinDocuments('{"data":[', documents, "]}"), { headers });
    }
    return new Response(constant, { headers });
  });
}

function say(subject: Subject): void {
  stdout.write(`${JSON.stringify(subject)}\n`);
}
