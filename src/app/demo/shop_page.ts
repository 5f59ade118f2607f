/** A product page of a demo shop, with its price said in the way of that shop. */
import { formatGerman, formatMajor } from "../../base/money.ts";
import { type DemoOffer, isInStock, shopPriceCents } from "./demo_market.ts";

/** The page as it is at that moment. */
export function shopPage(offer: DemoOffer, at: Date): string {
  const { product, shop } = offer;
  const cents = shopPriceCents(offer, at);
  const seen = { cents, isInStock: isInStock(offer, at) };
  const isMicrodata = shop.kind === "microdata";
  const head = [
    shop.kind === "json_ld" || shop.kind === "both" ? jsonLd(offer, seen) : "",
    shop.kind === "opengraph" || shop.kind === "both" ? openGraph(seen.cents) : "",
  ];
  return `<!doctype html>
<html lang="de"><head><meta charset="utf-8"><title>${escape(product.title)} | ${
    escape(shop.name)
  }</title>
<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem}</style>
${head.join("\n")}</head>
<body><p>${escape(shop.name)} · ein erfundener Händler</p>
<main${isMicrodata ? ' itemscope itemtype="https://schema.org/Product"' : ""}>
<h1${isMicrodata ? ' itemprop="name"' : ""}>${escape(product.title)}</h1>
${isMicrodata ? microdata(seen) : `<p><strong>${formatGerman(cents, 2)} €</strong></p>`}
<p>${seen.isInStock ? "Auf Lager" : "Zurzeit nicht lieferbar"}${
    eanText(product.ean, isMicrodata)
  }</p>
</main></body></html>
`;
}

function eanText(ean: string, isMicrodata: boolean): string {
  if (ean === "") return "";
  return `, EAN <span${isMicrodata ? ' itemprop="gtin13"' : ""}>${ean}</span>`;
}

interface Seen {
  readonly cents: number;
  readonly isInStock: boolean;
}

const stockUrl = ({ isInStock }: Seen) =>
  `https://schema.org/${isInStock ? "InStock" : "OutOfStock"}`;

function jsonLd({ product, path, condition }: DemoOffer, seen: Seen): string {
  const document = {
    "@context": "https://schema.org",
    "@type": "Product",
    name: product.title,
    ...(product.ean !== "" && { gtin: product.ean }),
    brand: { "@type": "Brand", name: product.brand },
    offers: {
      "@type": "Offer",
      url: path,
      price: formatMajor(seen.cents, 2),
      priceCurrency: "EUR",
      availability: stockUrl(seen),
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

function microdata(seen: Seen): string {
  return `<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
<strong itemprop="price" content="${formatMajor(seen.cents, 2)}">${
    formatGerman(seen.cents, 2)
  } €</strong>
<meta itemprop="priceCurrency" content="EUR">
<link itemprop="availability" href="${stockUrl(seen)}"></div>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
