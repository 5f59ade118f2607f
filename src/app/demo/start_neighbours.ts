/** The demo's neighbours: visited shops and receivers of events, on loopback only. */

import type { DemoProduct } from "./demo_catalogue.ts";
import { DEMO_SHOPS, type DemoOffer, demoOffers, type DemoShop } from "./demo_market.ts";
import { oddOffers, shopPage, sitemapsOf } from "./shop_page.ts";

/** An offer with the address at which its page can be visited. */
export interface PlacedOffer extends DemoOffer {
  readonly domain: string;
  readonly url: string;
}

export interface Neighbours extends AsyncDisposable {
  /** `host:port` of all servers here, which the demo may reach although they are private. */
  readonly hosts: readonly string[];
  readonly offers: readonly PlacedOffer[];
  /** URL of a receiver that accepts every event. */
  readonly receiverUrl: string;
  /** URL of a receiver that refuses every event, so that the demo shows failed deliveries. */
  readonly deafReceiverUrl: string;
}

const HOSTNAME = "127.0.0.1";

/** Starts each server on a free port. */
export function startNeighbours(products: readonly DemoProduct[]): Neighbours {
  const offers = demoOffers(products);
  const shown = [...offers, ...oddOffers(products)];
  const shops = DEMO_SHOPS.map((shop) => ({ shop, server: startShop(shop, shown) }));
  const receiver = listen(() => new Response(null, { status: 204 }));
  const deafReceiver = listen(() => new Response("Wartungsarbeiten", { status: 503 }));
  const servers = [...shops.map(({ server }) => server), receiver, deafReceiver];
  const hostOf = ({ addr }: Server) => `${HOSTNAME}:${addr.port}`;
  const domains = new Map(shops.map(({ shop, server }) => [shop, hostOf(server)]));
  return {
    hosts: servers.map(hostOf),
    offers: offers.map((offer) => {
      const domain = domains.get(offer.shop) ?? HOSTNAME;
      return { ...offer, domain, url: `http://${domain}${offer.path}` };
    }),
    receiverUrl: `http://${hostOf(receiver)}/kurant`,
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
    if (pathname === "/robots.txt") return new Response(robotsOf(origin));
    if (shop.kind === "down") return new Response("Wartungsarbeiten", { status: 503 });
    const sitemap = sitemapsOf(shop, own, origin).get(pathname);
    if (sitemap) return new Response(sitemap, { headers: { "Content-Type": "application/xml" } });
    const offer = byPath.get(pathname);
    if (!offer) return new Response("Nicht gefunden", { status: 404 });
    return new Response(shopPage(offer, new Date()), {
      headers: { "Content-Type": "text/html; charset=utf-8" },
    });
  });
}

function robotsOf(origin: string): string {
  return `User-agent: *\nDisallow: /angebote/\nSitemap: ${origin}/sitemap.xml\n`;
}
