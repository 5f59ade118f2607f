/**
 * Servers that the service calls under load: shops of all kinds, and a receiver of webhooks that
 * often fails.
 */
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

export type LoadNeighbours = ReturnType<typeof startLoadNeighbours>;

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
    /** Pages to scrape. Most of them have a price. */
    urls: [
      ...good.flatMap(({ base }) => paths.map((path) => base + path)),
      ...bad.map(({ base }) => `${base}/p/0`),
    ],
    /** Shops that answer. Pushed observations link their pages, which the schedule then visits. */
    shopUrls: good.map(({ base }) => base),
    receiverUrl: `${receiver.server.url}/hook`,
    receivedPrices: receiver.receivedPrices,
    received: receiver.received,
    async [Symbol.asyncDispose]() {
      for (const shop of [...good, ...bad]) await shop[Symbol.asyncDispose]();
      await receiver.server[Symbol.asyncDispose]();
    },
  };
}

function startFailingReceiver() {
  /** `productId cents` of each received `price.changed`, whether accepted or refused. */
  const receivedPrices = new Set<string>();
  const received = { all: 0, refused: 0 };
  const server = serveHere(async (request) => {
    const { type, data } = await request.json();
    if (type === "price.changed") receivedPrices.add(`${data.productId} ${data.toCents}`);
    received.all++;
    const isRefused = Math.random() < REFUSED_SHARE;
    if (isRefused) received.refused++;
    return new Response(null, { status: isRefused ? 503 : 204 });
  });
  return { server, receivedPrices, received };
}
