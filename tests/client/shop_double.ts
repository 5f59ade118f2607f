/** A competitor's shop on this machine: one page per product, with a price in markup. */
import { serveHere } from "../local_server.ts";

interface ShopDouble extends AsyncDisposable {
  /** In the form of a competitor's domain. */
  readonly host: string;
  readonly url: string;
  /** Environment that allows the service to visit this shop. */
  readonly env: Record<string, string>;
  /** The price on every page; changes apply to the next request. */
  price: string;
}

export function startShopDouble(price: string): ShopDouble {
  const server = serveHere((request) => {
    if (new URL(request.url).pathname === "/robots.txt") return new Response(null, { status: 404 });
    return new Response(pageOf(shop.price), {
      headers: { "Content-Type": "text/html; charset=utf-8" },
    });
  });
  const { host, url, port } = server;
  const shop: ShopDouble = {
    host,
    url,
    env: {
      SCRAPE_ALLOW_PRIVATE: host,
      SCRAPE_ALLOW_PORTS: String(port),
      SCRAPE_DOMAIN_DELAY_MS: "0",
    },
    price,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return shop;
}

function pageOf(price: string): string {
  const offer = {
    "@context": "https://schema.org",
    "@type": "Product",
    name: "Wasserkocher",
    offers: {
      "@type": "Offer",
      price,
      priceCurrency: "EUR",
      availability: "https://schema.org/InStock",
    },
  };
  return `<!doctype html><html lang="de"><title>Wasserkocher</title>` +
    `<script type="application/ld+json">${JSON.stringify(offer)}</script>` +
    `<h1>Wasserkocher</h1><p>${price.replace(".", ",")} €</p></html>`;
}
