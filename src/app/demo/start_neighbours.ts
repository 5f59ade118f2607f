/**
 * Starts the demo's shops and webhook receivers, which other machines cannot reach.
 *
 * `DemoClock` gives times in the past while the demo fills the store, and the real time afterwards.
 */
import { formatGerman, formatMajor } from "../../base/money.ts";
import {
  DEMO_SHOPS,
  type DemoOffer,
  demoOffers,
  type DemoProduct,
  type DemoShop,
  isInStock,
  type PlacedOffer,
  shopPriceCents,
  withCheckDigit,
} from "./demo_catalogue.ts";
import { escapeXml } from "../../base/text.ts";
import { DAY_MS } from "../../base/time.ts";
import { dirtyQueue, outboxQueue } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Store } from "../../platform/store/kv.ts";
import type { App } from "../composition/app.ts";
import type { Config } from "../composition/config.ts";

const HOSTNAME = "127.0.0.1";

type Neighbours = ReturnType<typeof startNeighbours>;

export function startNeighbours(products: readonly DemoProduct[]) {
  const offers = demoOffers(products);
  const offered = [...offers, ...oddOffers(products)];
  const shops = DEMO_SHOPS.map((shop) => ({ shop, server: startShop(shop, offered) }));
  const receiver = listen(() => new Response(null, { status: 204 }));
  const deafReceiver = listen(() => new Response("Wartungsarbeiten", { status: 503 }));
  const servers = [...shops.map(({ server }) => server), receiver, deafReceiver];
  const hostOf = ({ addr }: Server) => `${HOSTNAME}:${addr.port}`;
  const domains = new Map(shops.map(({ shop, server }) => [shop, hostOf(server)]));
  return {
    hosts: servers.map(hostOf),
    offers: offers.map((offer): PlacedOffer => {
      const domain = domains.get(offer.shop) ?? HOSTNAME;
      return { ...offer, domain, url: `http://${domain}${offer.path}` };
    }),
    receiverUrl: `http://${hostOf(receiver)}/kurant`,
    /** One webhook receiver refuses every event, so that the demo shows failed deliveries. */
    deafReceiverUrl: `http://${hostOf(deafReceiver)}/hooks/warenwirtschaft`,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.shutdown()));
    },
  };
}

type Server = Deno.HttpServer<Deno.NetAddr>;

function listen(answer: (request: Request) => Response | Promise<Response>): Server {
  return Deno.serve({ hostname: HOSTNAME, port: 0, onListen: () => {} }, answer);
}

function startShop(shop: DemoShop, offers: readonly DemoOffer[]): Server {
  const own = offers.filter((offer) => offer.shop === shop);
  const byPath = new Map(own.map((offer) => [offer.path, offer]));
  return listen((request) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname === "/robots.txt") {
      return new Response(`User-agent: *\nDisallow: /angebote/\nSitemap: ${origin}/sitemap.xml\n`);
    }
    if (shop.kind === "down") return new Response("Wartungsarbeiten", { status: 503 });
    if (pathname === "/sitemap.xml") {
      return new Response(sitemapOf(own, origin), {
        headers: { "Content-Type": "application/xml" },
      });
    }
    const offer = byPath.get(pathname);
    if (!offer) return new Response("Nicht gefunden", { status: 404 });
    return new Response(shopPage(offer, new Date()), {
      headers: { "Content-Type": "text/html; charset=utf-8" },
    });
  });
}

function shopPage(offer: DemoOffer, at: Date): string {
  const { product: { title, ean }, shop } = offer;
  const cents = shopPriceCents(offer, at);
  const head = [
    shop.kind === "json_ld" || shop.kind === "both" ? jsonLd(offer, at) : "",
    shop.kind === "opengraph" || shop.kind === "both" ? openGraph(cents) : "",
  ];
  return `<!doctype html>
<html lang="de"><head><meta charset="utf-8"><title>${escapeXml(title)} | ${
    escapeXml(shop.name)
  }</title>
<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}</style>
${head.join("\n")}</head>
<body><p>${escapeXml(shop.name)} · ein erfundener Händler</p>
<main>
<h1>${escapeXml(title)}</h1>
<p><strong>${formatGerman(cents, 2)} €</strong></p>
<p>${isInStock(offer, at) ? "Auf Lager" : "Zurzeit nicht lieferbar"}${ean && `, EAN ${ean}`}</p>
</main></body></html>
`;
}

function jsonLd(offer: DemoOffer, at: Date): string {
  const { product, path, condition } = offer;
  const document = {
    "@context": "https://schema.org",
    "@type": "Product",
    name: product.title,
    ...(product.ean !== "" && { gtin: product.ean }),
    brand: { "@type": "Brand", name: product.brand },
    offers: {
      "@type": "Offer",
      url: path,
      price: formatMajor(shopPriceCents(offer, at), 2),
      priceCurrency: "EUR",
      availability: `https://schema.org/${isInStock(offer, at) ? "InStock" : "OutOfStock"}`,
      ...(condition !== undefined && { itemCondition: `https://schema.org/${condition}` }),
    },
  };
  const text = JSON.stringify(document).replaceAll("<", "\\u003c");
  return `<script type="application/ld+json">${text}</script>`;
}

function openGraph(cents: number): string {
  return `<meta property="og:type" content="product">
<meta property="product:price:amount" content="${formatMajor(cents, 2)}">
<meta property="product:price:currency" content="EUR">`;
}

const SHOP_KIND = "json_ld";

const ODD: readonly ((product: DemoProduct) => Partial<OddPage>)[] = [
  () => ({ slug: "aktion", ean: withCheckDigit("952999900001") }),
  ({ title }) => ({
    slug: "schwarz",
    title: `${title} Schwarz`,
    ean: withCheckDigit("952999900002"),
  }),
  ({ title }) => ({ slug: "set", title: `${title} im Set mit Wasserfilter`, ean: "" }),
  ({ brand, mpn }) => ({ slug: "tasche", title: `Tasche für ${brand} ${mpn}`, ean: "" }),
  ({ title }) => ({ slug: "gebraucht", title: `${title} gebraucht`, condition: "UsedCondition" }),
  ({ title, ean, priceCents }) => ({
    slug: "2er-pack",
    title: `${title} 2er-Pack`,
    ean: withCheckDigit(`1${ean.slice(0, -1)}`),
    priceCents: priceCents * 2,
  }),
];

interface OddPage extends Pick<DemoProduct, "title" | "ean" | "priceCents"> {
  readonly slug: string;
  readonly condition: string;
}

function oddOffers(products: readonly DemoProduct[]): DemoOffer[] {
  const shop = DEMO_SHOPS.find(({ kind }) => kind === SHOP_KIND);
  if (shop === undefined) return [];
  const unlinked = products.filter(({ isUnlinked }) => isUnlinked);
  return ODD.flatMap((oddOf, at) => {
    const product = unlinked[at];
    if (product === undefined) return [];
    const { slug = "", condition, ...changed } = oddOf(product);
    return [{
      product: { ...product, ...changed },
      shop,
      path: `/p/${product.sku.toLowerCase()}-${slug}.html`,
      ...(condition !== undefined && { condition }),
    }];
  });
}

function sitemapOf(offers: readonly DemoOffer[], origin: string): string {
  const urls = offers.map(({ path }) => `<url><loc>${origin}${path}</loc></url>`);
  const schema = "http://www.sitemaps.org/schemas/sitemap/0.9";
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${schema}">${
    urls.join("\n")
  }</urlset>\n`;
}

export const PAST_DAYS = 90;

/** The demo's history begins one day before the ERP's first file. */
export function beginOf(now: Date): Date {
  return new Date(now.getTime() - (PAST_DAYS + 1) * DAY_MS);
}

export class DemoClock {
  #nowMs: number | null;

  constructor(start: Date) {
    this.#nowMs = start.getTime();
  }

  now(): Date {
    return new Date(this.#nowMs ?? Date.now());
  }

  set(at: Date): void {
    this.#nowMs = Math.max(this.#nowMs ?? 0, at.getTime());
  }

  run(): void {
    this.#nowMs = null;
  }
}

export interface DemoSetup {
  readonly app: App;
  readonly store: Store;
  readonly config: Config;
  readonly clock: DemoClock;
  readonly neighbours: Neighbours;
  readonly products: readonly DemoProduct[];
  print(line: string): void;
}

export interface DemoPast extends Omit<DemoSetup, "neighbours"> {
  readonly offers: readonly PlacedOffer[];
  readonly now: Date;
  asOwner(): Context;
  asErp(): Context;
}

export async function untilIdle({ asErp }: DemoPast): Promise<void> {
  const { store, workspaceId } = asErp();
  for (const queue of [outboxQueue, dirtyQueue]) {
    while (!(await queue.list(store, [workspaceId]).next()).done) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

export function at({ clock, now }: DemoPast, daysAgo: number): void {
  clock.set(new Date(now.getTime() - daysAgo * DAY_MS));
}
