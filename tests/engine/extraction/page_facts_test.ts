import { deepStrictEqual as assertEquals, ok as assert } from "node:assert/strict";
import { CANDIDATES_MAX } from "../../../src/engine/extraction/page_facts.ts";
import { testNeeding } from "../../needing.ts";
import { COLLECTION } from "../../sample_data.ts";
import { germanPages, realPages } from "./page_quality.ts";
import { extract, jsonLd, offerOf as offer } from "./reading_pages.ts";
import fc from "fast-check";
import { type Grouped, rowsOf, testEach } from "../grouped.ts";
import { decodePage } from "../../../src/engine/extraction/page/extraction_page.ts";

const TILES = "Koffer 19,90|Akku 59,90|Bohrer 12,49|Säge 34,00|Hammer 9,99|Zange 7,49".split("|")
  .map((tile) => `<div class="product-tile"><a href="/p/x">${tile} €</a></div>`).join("");
const CART = `<button class="add-to-cart">In den Warenkorb</button>`;

function read(body: string, title = "Werkbank Eiche") {
  const head = `<!doctype html><html lang="de"><head><title>${title} | Shop</title></head>`;
  return extract(`${head}<body>${body}</body></html>`);
}

function product(offers: unknown, more: Record<string, unknown> = {}): string {
  return jsonLd({ "@type": "Product", name: "Werkbank Eiche", offers, ...more });
}

const HEADING = "<h1>Werkbank Eiche</h1>";
const stock = (availability: string) =>
  product({ "@type": "Offer", availability: `https://schema.org/${availability}` });
const DESCRIPTION = "Massives Holz aus Eiche, geölt. ".repeat(6);
const NET = {
  "@type": "PriceSpecification",
  price: "399.00",
  priceCurrency: "EUR",
  valueAddedTaxIncluded: "false",
};
const LAMPS = ["A", "B", "C"].map((name, n) => ({
  "@type": "ListItem",
  item: { "@type": "Product", name: `Lampe ${name}`, offers: offer(`${n + 1}9.00`) },
}));

/** Pages, grouped by the expected status, availability, and price or error code. */
const PAGES: Grouped<string> = {
  "priced unknown 39900": {
    "a price": `${product(offer("399.00"))}<b class="price">399,00 €</b>${CART}`,
  },
  "sold_out out_of_stock 39900": {
    "sold out with a price": product(offer("399.00", { availability: "SoldOut" })),
  },
  "sold_out out_of_stock sold_out": {
    "sold out by its words": `<p>Leider ausverkauft</p>${TILES}`,
    'sold out by "nicht lieferbar"': "<p>Dieser Artikel ist derzeit nicht lieferbar.</p>",
    "sold out by its markup": stock("OutOfStock"),
    "a disabled button": "<p>Ausverkauft</p><button disabled>In den Warenkorb</button>",
  },
  "unread unknown no_price": {
    "a sold-out size next to a buy button": `<p>Größe S: ausverkauft</p>${CART}`,
    "sold out in a tile": '<div class="product-tile"><a href="/x">Säge</a> ausverkauft</div>',
    "sold out in a hidden text": '<div style="display:none">Ausverkauft</div>',
    "sold out in a description": `<p>${DESCRIPTION} Früher oft ausverkauft.</p>`,
    "colours on request": "<p>Sonderfarben auf Anfrage</p>",
    "a product without a price, next to tiles": product({}) + TILES,
    "a product with a buy button but no price, next to tiles": CART + TILES,
    "no statement": "<p>Massives Holz.</p>",
  },
  "gone discontinued gone": {
    "gone by its words": `<p>Dieses Produkt ist nicht mehr erhältlich.</p>${TILES}`,
    "gone by its markup": stock("Discontinued"),
    "gone by its heading": `<h1>Artikel nicht gefunden</h1>${TILES}`,
    "gone in English": "<h1>Sorry, this page could not be found</h1>",
  },
  "on_request unknown on_request": {
    "a price on request": `<b>Preis auf Anfrage</b>${TILES}`,
    "a price on request across tags": "<b>Preise <i>auf</i> Anfrage</b>",
    "a price after the login, and a credit":
      "<p>Bitte anmelden, um Preise zu sehen</p><p>25,00 € Startguthaben</p>",
  },
  "variant_open unknown variant_open": {
    "a variant that must be chosen": `<p>Bitte Größe wählen</p>${CART}`,
  },
  "net_only unknown net_only": {
    "net alone": `<b class="price">399,00 € zzgl. MwSt.</b>${CART}`,
  },
  "net_only unknown 39900": {
    "net in the markup": product(offer("399.00", { priceSpecification: NET })),
  },
  "third_party unknown 41000": {
    "several sellers other than the shop": product(
      ["410.00", "420.00"].map((price) => offer(price, { seller: { name: `H ${price}` } })),
    ) + '<b class="price">410,00 €</b>',
  },
  "listing unknown listing": {
    "a list in the markup": `${
      jsonLd({ "@type": "ItemList", itemListElement: LAMPS })
    }<h1>Lampen</h1>`,
    "a list of tiles": `<h1>Werkzeug</h1>${TILES}`,
  },
};

testEach("the page status", PAGES, (body) => {
  const { result, facts } = read(body.includes("<h1>") ? body : HEADING + body);
  const found = "price" in result ? result.price : result.errorCode;
  return `${facts.pageStatus} ${facts.availability} ${found}`;
});

Deno.test("extractPrice() sees a removed article or a list in a redirect", () => {
  const led = (to: string, from: string) => {
    const [url, askedUrl] = [to, from].map((path) => `https://shop.example${path}`);
    return extract("<h1>Willkommen</h1>", { askedUrl }, url).facts.pageStatus;
  };
  const cases = [
    ["/", "/p/werkbank", "gone"],
    ["/de/", "/de/p/werkbank", "gone"],
    ["/moebel/", "/moebel/werkbank", "listing"],
    ["/moebel-neu", "/moebel/werkbank", "unread"],
    ["/p/werkbank", "/p/werkbank", "unread"],
    ["/", "/?artikel=12", "unread"],
  ] as const;
  for (const [to, from, expected] of cases) {
    assertEquals(led(to, from), expected, `${from} → ${to}`);
  }
});

Deno.test("extractPrice() reads the page's facts about its product", () => {
  const title = "Kaffee &amp; mehr, 500 g";
  const offers = {
    ...offer("12.50", { itemCondition: "https://schema.org/NewCondition" }),
    seller: { "@type": "Organization", name: "Röster" },
  };
  const brand = { "@type": "Brand", name: "Muster" };
  const { result, facts } = read(
    product(offers, { name: title, brand, gtin13: "4006381333931", mpn: "K-1", sku: "77" }) +
      `<h1>${title}</h1><b class="price">12,50 €</b><small>25,00 €/kg</small>${CART}`,
    title,
  );
  assert("price" in result);
  const { candidates, ...rest } = facts;
  assertEquals(rest, {
    pageStatus: "third_party",
    availability: "unknown",
    title: "Kaffee & mehr, 500 g",
    brand: "Muster",
    gtin: "4006381333931",
    ownGtins: ["4006381333931"],
    gtins: ["4006381333931"],
    mpn: "K-1",
    sku: "77",
    condition: "new",
    seller: "Röster",
    isThirdParty: true,
    unitPrice: { amount: 2500, per: "1 kg" },
    variant: null,
    warnings: [],
  });
  const found = candidates.map(({ amount, currency, source, text }) =>
    `${amount} ${currency} ${source} ${text}`
  );
  const prices = ["1250 EUR json_ld null", "1250 EUR shown 12,50 €", "2500 EUR shown 25,00 €/kg"];
  assertEquals(found, prices);
  assertEquals(new Set(candidates.map(({ id }) => id)).size, 3);
});

Deno.test("microdata, RDFa and OpenGraph name the brand, too", () => {
  const microdata =
    `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Werkbank Eiche</h1>
    <span itemprop="brand" itemscope itemtype="https://schema.org/Brand"><b itemprop="name">Muster</b></span>
    <meta itemprop="mpn" content="W-1"><meta itemprop="sku" content="9">
    <p itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price" content="9.90">9,90</b>
    <meta itemprop="priceCurrency" content="EUR"><link itemprop="itemCondition" href="https://schema.org/UsedCondition"></p></div>`;
  const rdfa =
    `<div vocab="https://schema.org/" typeof="Product"><h1 property="name">Werkbank Eiche</h1>
    <b property="brand">Muster</b><b property="mpn">W-1</b><b property="sku">9</b>
    <p property="offers" typeof="Offer"><b property="price" content="9.90">9,90</b>
    <meta property="priceCurrency" content="EUR"><link property="itemCondition" href="https://schema.org/UsedCondition"></p></div>`;
  for (const body of [microdata, rdfa]) {
    const { brand, mpn, sku, condition, title } = read(body).facts;
    assertEquals([brand, mpn, sku, condition, title].join(), "Muster,W-1,9,used,Werkbank Eiche");
  }
  const metas =
    `<meta property="og:title" content="Werkbank Eiche"><meta property="product:brand" content="Muster">
    <meta property="product:price:amount" content="9.90"><meta property="product:price:currency" content="EUR">
    <meta property="product:condition" content="refurbished">${HEADING}`;
  const { brand, condition } = read(metas).facts;
  assertEquals([brand, condition], ["Muster", "refurbished"]);
});

Deno.test("the facts of a page with many prices are bounded and deterministic", () => {
  const many = Array.from({ length: 300 }, (_, n) => `<p class="price">${n + 1},99 €</p>`).join("");
  const long = "x".repeat(5_000);
  const offers = Array.from({ length: 50 }, (_, n) => offer(`${n + 1}.50`));
  const numbers = { brand: long, mpn: long, sku: long, gtin13: "9".repeat(500) };
  const page = product(offers, { name: long, ...numbers }) + HEADING + many;
  const one = read(page);
  assertEquals(read(page).facts, one.facts);
  assertEquals(one.facts.candidates.length, CANDIDATES_MAX);
  assert(JSON.stringify(one.facts).length < 6_000);
  assertEquals(one.facts.gtin, null);
});

Deno.test("no text around a heading gives an unknown page status", () => {
  const piece = fc.constantFrom(
    ..."<p>|</p>|ausverkauft|Preis auf Anfrage|nicht mehr verfügbar|12,90 €|<b>".split("|"),
    ...["Bitte wählen", "netto", "404", "<option>", "&nbsp;", "zzgl. MwSt.", CART, "<h1>", "</h1>"],
  );
  const property = fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
    const { result, facts } = read(HEADING + pieces.join(" "));
    if ("price" in result) return;
    assert(facts.pageStatus !== "priced");
    if (facts.pageStatus !== "unread") assertEquals(result.errorCode, facts.pageStatus);
  });
  fc.assert(property, { numRuns: 300 });
});

const pages = [...germanPages(COLLECTION), ...realPages(COLLECTION)];
testNeeding(pages.length > 0 ? null : "TEST_DATA_DIR has no pages", {
  name: "saved pages have the right status: priced, sold out, gone, on request, third party",
  fn() {
    const statuses = pages.map(({ name, url, html }) => {
      const { result, facts } = extract(html, {}, url);
      return { name, status: facts.pageStatus, hasPrice: "price" in result };
    });
    const of = (begin: string) => statuses.find(({ name }) => name.startsWith(begin))?.status;
    const found = ["42-", "43-", "05-", "13-"].map(of).join();
    assertEquals(found, "on_request,gone,sold_out,third_party");
    const priced = statuses.filter(({ hasPrice }) => hasPrice);
    const odd = priced.filter(({ status }) => status !== "priced").map(({ status }) => status);
    assertEquals(new Set(odd), new Set(["sold_out", "third_party", "variant_open"]));
    assert(odd.length <= 12, odd.join());
    assert(statuses.every(({ status }) => status !== "other_product" && status !== "blocked"));
  },
});

const utf8 = (text: string) => new TextEncoder().encode(text);
const BYTES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "windows-1252": { "€": 0x80 },
  "iso-8859-15": { "€": 0xa4 },
  "windows-1250": { "š": 0x9a },
};
const encoded = (text: string, encoding: string) =>
  encoding === "utf-8"
    ? utf8(text)
    : Uint8Array.from(text, (one) => BYTES[encoding]?.[one] ?? one.charCodeAt(0));

const ENCODED: Grouped<readonly [text: string, contentType: string | null]> = {
  "utf-8": {
    "UTF-8 without a label": ["9 €", null],
    "a header against a meta element": ["<meta charset=latin1>€", "text/html; charset=utf-8"],
    "a wrong label UTF-16": ["<meta charset=utf-16>9 €", "text/html"],
    "an empty label": ["9 €", "text/html; charset="],
    "JSON that contains a charset": ['{"a":"<meta charset=latin1>€"}', "application/json"],
    "nothing": ["", null],
  },
  "windows-1252": {
    "windows-1252 without a label": ["9 €", null],
    "charset in quotes": ["9 €", 'text/html;charset="latin1"'],
    "a meta element in a comment": ["<!-- <meta charset=windows-1250> -->€", null],
    "utf-7": ["9 €", "text/html; charset=utf-7"],
    "an unknown label": ["9 €", "text/html; charset=x-foo"],
  },
  "iso-8859-15": {
    "charset of the header": ["9 €", "text/html; charset=ISO-8859-15"],
    "charset of a meta element": ["<meta charset=iso-8859-15>€", "text/html"],
  },
  "windows-1250": {
    "http-equiv": ['<META http-equiv=x content="text/html; charset=windows-1250">š', null],
  },
};
const UTF16 = [0x39, 0, 0xac, 0x20];

const ENCODED_PAGES: readonly (readonly [string, Iterable<number>, string | null, string])[] = [
  ...rowsOf(ENCODED).map(([name, [text, type], encoding]) =>
    [name, encoded(text, encoding), type, text] as const
  ),
  ["a byte order mark against a header", utf8("\ufeff9 €"), "x; charset=latin1", "9 €"],
  ["UTF-16 with a byte order mark", [0xff, 0xfe, ...UTF16], null, "9€"],
  ["UTF-16 by the header", UTF16, "text/html; charset=utf-16le", "9€"],
  ["broken UTF-8 that is said to be UTF-8", [0x39, 0xff], "x; charset=utf-8", "9\ufffd"],
];

for (const [name, bytes, contentType, text] of ENCODED_PAGES) {
  Deno.test(`decodePage() of ${name}`, () => {
    assertEquals(decodePage(Uint8Array.from(bytes), contentType), text);
  });
}

Deno.test("decodePage() never throws, whatever the bytes and the header", () => {
  fc.assert(fc.property(
    fc.uint8Array({ maxLength: 200 }),
    fc.option(fc.oneof(fc.string(), fc.string().map((label) => `text/html; charset=${label}`))),
    (page, contentType) => typeof decodePage(page, contentType) === "string",
  ));
});
