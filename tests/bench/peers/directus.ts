/**
 * Directus, a Node program with SQLite. It cannot create or change items by SKU, so the ids for a
 * batch's SKUs are requested first. Then `POST /items` creates the new items, and `PATCH /items`
 * changes the known ones, many at once.
 */
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

const BATCH_ITEMS = 1_000;

interface DirectusPlace {
  readonly node: string;
  readonly installed: string;
}

export async function startDirectus(
  { node, installed }: DirectusPlace,
  folder: string,
): Promise<Peer> {
  // The command `directus` is not used, because it first asks a registry for updates.
  const cli = `${installed}/node_modules/@directus/api/dist/cli/run.js`;
  const port = freePort();
  const base = `http://127.0.0.1:${port}`;
  const env = {
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: base,
    SECRET: "loopback only",
    DB_CLIENT: "sqlite3",
    DB_FILENAME: `${folder}/data.db`,
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
    TELEMETRY: "false",
    LOG_LEVEL: "warn",
    MAX_PAYLOAD_SIZE: "100mb",
    QUERY_LIMIT_MAX: "-1",
    RATE_LIMITER_ENABLED: "false",
    CACHE_ENABLED: "false",
    EXTENSIONS_PATH: `${folder}/extensions`,
    STORAGE_LOCAL_ROOT: `${folder}/uploads`,
    ACCESS_TOKEN_TTL: "1d",
  };
  const options = { env, cwd: folder };
  await run(node, [cli, "bootstrap"], options);
  const server = startProgram(node, [cli, "start"], options);
  await server.untilUp(`${base}/server/ping`);
  const authorization = await prepare(base);
  return {
    name: "Directus",
    way: `\`POST\` and \`PATCH /items\` of ${BATCH_ITEMS}, pages by \`id[_gt]\``,
    pid: server.pid,
    storePath: env.DB_FILENAME,
    async upsert(articles) {
      for (const chunk of chunks(articles, BATCH_ITEMS)) {
        await upsertChunk(base, authorization, chunk);
      }
    },
    async page(after) {
      const query = new URLSearchParams({
        limit: String(PAGE_ROWS),
        sort: "id",
        ...(after !== null && { "filter[id][_gt]": after }),
      });
      const { data } = await askJson(`${base}/items/products?${query}`, {
        headers: { Authorization: authorization },
      });
      const next = data.length < PAGE_ROWS ? null : String(data.at(-1).id);
      return { skus: skusOf(data), next };
    },
    async priceOf(sku) {
      const query = new URLSearchParams({ "filter[sku][_eq]": sku, fields: "priceCents" });
      const { data } = await askJson(`${base}/items/products?${query}`, {
        headers: { Authorization: authorization },
      });
      return data[0].priceCents;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function upsertChunk(
  base: string,
  authorization: string,
  articles: readonly Article[],
): Promise<void> {
  const among = { _in: articles.map(({ sku }) => sku) };
  const query = { fields: ["id", "sku"], filter: { sku: among }, limit: -1 };
  const { data } = await askJson(`${base}/items/products`, {
    ...jsonInit("SEARCH", { query }, authorization),
  });
  const idBySku = new Map<string, number>(
    data.map(({ id, sku }: { id: number; sku: string }) => [sku, id]),
  );
  const items = articles.map((article) => ({ id: idBySku.get(article.sku), ...article }));
  const { created = [], changed = [] } = Object.groupBy(
    items,
    ({ id }) => id === undefined ? "created" : "changed",
  );
  for (const [method, batch] of [["POST", created], ["PATCH", changed]] as const) {
    if (batch.length === 0) continue;
    await askJson(`${base}/items/products?fields=id`, jsonInit(method, batch, authorization));
  }
}

/** Signs in and creates the collection. Returns the authorization header. */
async function prepare(base: string): Promise<string> {
  const login = await askJson(`${base}/auth/login`, jsonInit("POST", OWNER));
  const authorization = `Bearer ${login.data.access_token}`;
  const fields = [
    { field: "id", type: "integer", schema: { is_primary_key: true, has_auto_increment: true } },
    { field: "sku", type: "string", schema: { is_unique: true, max_length: 128 } },
    ...TEXTS.map((field) => ({ field, type: "string", schema: {} })),
    ...NUMBERS.map((field) => ({ field, type: "integer", schema: {} })),
  ];
  // Without revisions and activity: for an import Kurant stores less than a row per product.
  const meta = { accountability: null };
  const collection = { collection: "products", schema: {}, meta, fields };
  await askJson(`${base}/collections`, jsonInit("POST", collection, authorization));
  return authorization;
}
