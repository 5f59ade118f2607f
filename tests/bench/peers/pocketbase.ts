/**
 * PocketBase, a Go program with SQLite. `PUT` requests of its batch API create or change records in
 * one transaction. A record's id is the SKU in lower case, which fits the default pattern of ids;
 * for other patterns PocketBase reads the whole table for each record.
 */
import { env } from "node:process";
import type { Article } from "./article.ts";
import {
  askJson,
  chunks,
  freePort,
  jsonInit,
  NUMBERS,
  OWNER,
  PAGE_ROWS,
  type Peer,
  run,
  skusOf,
  startProgram,
  TEXTS,
} from "./peer.ts";

/** The newest version that Go 1.26 can build. */
export const POCKETBASE_VERSION = "v0.36.8";
/** Path of the program. `KURANT_PEERS` names another folder. */
export const POCKETBASE = `${env.KURANT_PEERS ?? `${env.HOME}/.cache/kurant/peers`}/bin/base`;

/** Larger batches were not faster. */
const BATCH_RECORDS = 1_000;

/** Throws if PocketBase is not installed. */
export async function startPocketBase(folder: string): Promise<Peer> {
  const program = POCKETBASE;
  const options = { cwd: folder };
  const common = ["--dir", `${folder}/data`, "--dev=false"];
  await run(program, ["superuser", "upsert", OWNER.email, OWNER.password, ...common], options);
  const base = `http://127.0.0.1:${freePort()}`;
  const address = base.slice("http://".length);
  const server = startProgram(program, ["serve", "--http", address, ...common], options);
  await server.untilUp(`${base}/api/health`);
  const token = await prepare(base);
  return {
    name: "PocketBase",
    way: `batches of ${BATCH_RECORDS} \`PUT\`, pages by \`id >\``,
    pid: server.pid,
    storePath: `${folder}/data/data.db`,
    async upsert(articles) {
      for (const chunk of chunks(articles, BATCH_RECORDS)) {
        const requests = chunk.map((article) => ({
          method: "PUT",
          url: "/api/collections/products/records",
          body: toRecord(article),
        }));
        await askJson(`${base}/api/batch`, jsonInit("POST", { requests }, token));
      }
    },
    async page(after) {
      const query = new URLSearchParams({
        perPage: String(PAGE_ROWS),
        skipTotal: "true",
        sort: "id",
        ...(after !== null && { filter: `id > "${after}"` }),
      });
      const { items } = await askJson(`${base}/api/collections/products/records?${query}`, {
        headers: { Authorization: token },
      });
      return { skus: skusOf(items), next: items.length < PAGE_ROWS ? null : items.at(-1).id };
    },
    async priceOf(sku) {
      const { priceCents } = await askJson(
        `${base}/api/collections/products/records/${idOf(sku)}`,
        { headers: { Authorization: token } },
      );
      return priceCents;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Signs in, enables the batch API and creates the collection. Returns the token. */
async function prepare(base: string): Promise<string> {
  const { token } = await askJson(
    `${base}/api/collections/_superusers/auth-with-password`,
    jsonInit("POST", { identity: OWNER.email, password: OWNER.password }),
  );
  const batch = { enabled: true, maxRequests: BATCH_RECORDS, timeout: 300, maxBodySize: 0 };
  await askJson(`${base}/api/settings`, jsonInit("PATCH", { batch }, token));
  const id = { name: "id", type: "text", system: true, primaryKey: true, required: true };
  const fields = [
    { ...id, min: 1, max: 128, pattern: "^[a-z0-9]+$" },
    ...["sku", ...TEXTS].map((name) => ({ name, type: "text" })),
    ...NUMBERS.map((name) => ({ name, type: "number", onlyInt: true })),
    { name: "created", type: "autodate", onCreate: true },
    { name: "updated", type: "autodate", onCreate: true, onUpdate: true },
  ];
  const collection = { name: "products", type: "base", fields };
  await askJson(`${base}/api/collections`, jsonInit("POST", collection, token));
  return token;
}

function toRecord(article: Article) {
  return { id: idOf(article.sku), ...article };
}

function idOf(sku: string): string {
  return sku.toLowerCase().replaceAll("-", "");
}
