/** Fills a store for a load: a catalogue, products to change, push and scrape, and a rule. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { generateItems } from "../bench/erp_items.ts";
import { UNDERCUT } from "../rules/evaluation/market.ts";
import { kurant, type LiveServer } from "../program.ts";
import { addProduct } from "../shops/shop.ts";
import { type createCalls, Ledger } from "./calls.ts";
import { PRODUCTS } from "./traffic.ts";
import {
  dripping,
  encoded,
  endless,
  hanging,
  html,
  openShop,
  type Page,
  productPage,
} from "../scraping/hostile_shop.ts";
import { serveHere } from "../local_server.ts";

const CHANGED = 20;
const PUSHED = 50;
const NEIGHBOUR_PRODUCTS = 500;
const NEIGHBOUR = "Nachbar";

/** Works without a running server. Returns a new API key. */
export async function seedStore(settings: Record<string, string>, folder: string): Promise<string> {
  const file = `${folder}/items.xml`;
  await Deno.writeFile(file, ReadableStream.from(generateItems(PRODUCTS, 1)));
  const scopes = "products:write,observations:write,proposals:write,rules:read,audit:read";
  const key = await kurant(["key", "add", "--name", "load", "--scopes", scopes], settings);
  assertEquals([key.code, key.err], [0, ""]);
  const imported = await kurant(["import", file], settings);
  assertEquals(imported.code, 0, imported.err);
  // The products of the second workspace have no links, so Kurant visits no pages for them.
  await Deno.writeFile(file, ReadableStream.from(generateItems(NEIGHBOUR_PRODUCTS, 2)));
  const other = await kurant(["import", file, "--workspace", NEIGHBOUR], settings);
  assertEquals(other.code, 0, other.err);
  return key.out.trim();
}

/** Exports the workspace that the load must not change. */
export async function linesOfNeighbour(settings: Record<string, string>): Promise<string> {
  const args = ["workspace", "export", "-", "--workspace", NEIGHBOUR];
  const { code, out, err } = await kurant(args, settings);
  assertEquals(code, 0, err);
  // Drops the lines `trend`, which are added daily, and `end`, which counts all lines.
  const lines = out.replace(/"exportedAt":"[^"]+"/, "").split("\n");
  return lines.filter((line) => !/^\{"type":"(?:trend|end)"/.test(line)).join("\n");
}

export async function setStage(
  { owner, cookie }: LiveServer,
  calls: ReturnType<typeof createCalls>,
  { key, neighbours }: { readonly key: string; readonly neighbours: LoadNeighbours },
) {
  const add = (letter: string, count: number, more: Record<string, unknown>) =>
    Array.fromAsync({ length: count }, (_, n) => addProduct(owner, `${letter}-${n}`, more));
  const priced = { ourPrice: 100, costPrice: 50 };
  const changed = { title: "Titel 0", ourPrice: 10.01, costPrice: 5 };
  const changedIds = await add("P", CHANGED, changed);
  await add("O", PUSHED, priced);
  const scrapedIds = await add("S", neighbours.urls.length, priced);
  for (const [n, url] of neighbours.urls.entries()) {
    await owner.create("/api/competitor-products", { productId: scrapedIds[n], url });
  }
  const { id: ruleId } = await owner.create("/api/rules", UNDERCUT);
  const { receiverUrl: url, shopUrls } = neighbours;
  const events = ["price.changed", "import.finished", "scrape_run.finished", "proposal.created"];
  const { id: webhookId } = await owner.create("/api/webhooks", { url, events });
  return {
    person: calls.as({ Cookie: cookie }),
    program: calls.as({ Authorization: `Bearer ${key}` }),
    ledger: new Ledger(),
    shopUrls,
    changedIds,
    scrapedIds,
    pushedSkus: Array.from({ length: PUSHED }, (_, n) => `O-${n}`),
    ruleId,
    webhookId,
  };
}

export type Stage = Awaited<ReturnType<typeof setStage>>;

type LoadNeighbours = ReturnType<typeof startLoadNeighbours>;

const SHOPS = 6;
const PAGES = 8;
const REFUSED_SHARE = 0.3;

const priced: Page = () => html(productPage((80 + Math.random() * 40).toFixed(2)));

export function startLoadNeighbours() {
  const paths = Array.from({ length: PAGES }, (_, n) => `/p/${n}`);
  const good = Array.from(
    { length: SHOPS },
    () => openShop(Object.fromEntries(paths.map((path) => [path, priced]))),
  );
  const bad = [
    hanging,
    endless,
    dripping,
    encoded("gzip", new Uint8Array(20_000_000)),
    () => html("broken", {}, 500),
  ].map((page) => openShop({ "/p/0": page }));
  const receiver = startFailingReceiver();
  return {
    urls: [
      ...good.flatMap(({ base }) => paths.map((path) => base + path)),
      ...bad.map(({ base }) => `${base}/p/0`),
    ],
    /** Shops that work. Observations are also pushed for two of their pages. */
    shopUrls: good.map(({ base }) => base),
    receiverUrl: `${receiver.server.url}/hook`,
    receivedPrices: receiver.receivedPrices,
    async [Symbol.asyncDispose]() {
      for (const shop of [...good, ...bad]) await shop[Symbol.asyncDispose]();
      await receiver.server[Symbol.asyncDispose]();
    },
  };
}

function startFailingReceiver() {
  /** Received events `price.changed`, also refused ones, as `productId cents`. */
  const receivedPrices = new Set<string>();
  const server = serveHere(async (request) => {
    const { type, data } = await request.json();
    if (type === "price.changed") receivedPrices.add(`${data.productId} ${data.toCents}`);
    return new Response(null, { status: Math.random() < REFUSED_SHARE ? 503 : 204 });
  });
  return { server, receivedPrices };
}
