/** Generates pages, selectors and JSON paths that are as expensive to read as possible. */

interface HostilePage {
  readonly name: string;
  readonly contentType: string;
  make(bytes: number): string | Uint8Array<ArrayBuffer>;
}

type Make = (bytes: number) => string;
type PieceOf = (n: number) => string;

/** The arguments `text` and `pieceOf` of `fill`, or a function that makes the page. */
type Row = string | readonly [text: string, pieceOf: PieceOf] | Make;

const MIB = 1024 * 1024;

const PRODUCT = '<div itemscope itemtype="https://schema.org/Product">';
const OFFER = '<i itemprop=offers itemscope itemtype="https://schema.org/Offer">' +
  "<b itemprop=price content=1>1</b><u itemprop=priceCurrency content=EUR></u></i>";
const MICRODATA = `${PRODUCT}<b itemprop=name>x</b>${OFFER}</div>`;

/**
 * Fills a page of `bytes` characters by repeating the part of `text` between « and ». Without these
 * marks, all of `text` is repeated. Each `#` in the part becomes the number of the repetition.
 * `pieceOf(n)`, if given, returns the part for repetition `n`.
 */
function fill(bytes: number, text: string, pieceOf?: PieceOf): string {
  const [begin = "", piece = "", end = ""] = text.includes("«") ? text.split(/[«»]/) : ["", text];
  const room = bytes - begin.length - end.length;
  if (!pieceOf && !piece.includes("#")) {
    return begin + piece.repeat(Math.max(0, Math.floor(room / piece.length))) + end;
  }
  const parts: string[] = [];
  for (let n = 0, length = 0;; n++) {
    const next = pieceOf?.(n) ?? piece.replaceAll("#", `${n}`);
    length += next.length;
    if (length > room) return begin + parts.join("") + end;
    parts.push(next);
  }
}

function pagesOf(
  rows: Readonly<Record<string, Row>>,
  contentType = "text/html",
  [begin, end]: readonly [string, string] = ["", ""],
): readonly HostilePage[] {
  return Object.entries(rows).map(([name, row]) => {
    const make = typeof row === "function"
      ? row
      : (bytes: number) => typeof row === "string" ? fill(bytes, row) : fill(bytes, ...row);
    return {
      name,
      contentType,
      make: (bytes) => begin + make(bytes - begin.length - end.length) + end,
    };
  });
}

const list = (length: number, piece: PieceOf) =>
  Array.from({ length }, (_, n) => piece(n)).join(",");

/** JSON-LD with three lists of entities, each of which refers to all entities of the next list. */
const inLevels = (top: string, type: string, last: string): Make => (bytes) => {
  const count = Math.max(2, Math.floor(Math.sqrt(bytes / 2 / 17)));
  const all = (level: string) => list(count, (n) => `{"@id":"${level}${n}"}`);
  const nodes = (level: string, type: string, next: string) =>
    list(count, (n) => `{"@id":"${level}${n}","@type":"${type}",${next}}`);
  const leaves = list(count, (n) => `{"@id":"c${n}","@type":"Offer","sku":"${n}","price":"1"}`);
  const product = `{"@type":"Product","name":"x","${top}":[${all("a")}]}`;
  const first = nodes("a", type, `"offers":[${all("b")}]`);
  const second = nodes("b", "AggregateOffer", `"${last}":[${all("c")}]`);
  return `[${product},${first},${second},${leaves}]`.slice(0, 4 * MIB);
};

/** Half of the page is one expensive JSON-LD node, to which the other half refers many times. */
const referredTo = (reference: string, node: string): Make => (bytes) =>
  fill(bytes, `[${fill(bytes >> 1, node)},{"@type":"Product","offers":[«${reference}»{}]}]`);

const deepLists = (bytes: number) => "[".repeat(bytes >> 1) + "]".repeat(bytes >> 1);

const STRUCTURE = pagesOf({
  "attributes": "<div «a#=1 »>x</div>",
  "nested elements": (bytes) => "<div>".repeat(bytes / 11) + "</div>".repeat(bytes / 11),
  "tags that are never closed": "<b>",
  "void tags": "<br>",
  "empty pairs of tags": "<b></b>",
  "closing tags that nothing opened": `${"<b>".repeat(500)}«</x>»`,
  "paragraphs in buttons": "<button><p><table><td>",
  "headings": "<h1>x</h1><title>y",
  "headings around empty elements": `${"<h1>".repeat(20)}«<b></b>»`,
  "metas": '<meta property="og:price:amount" content="1.50">',
  "metas of prices and stocks":
    '<meta property="og:price" content="1"><meta property="og:availability" content="x">',
  "metas of titles":
    '<meta property="og:price" content="1">«<meta property="og:title" content="title #">»',
  "a meta of currencies": `<meta property="og:«currenc»" content=x>${MICRODATA}`,
  "a meta of blanks": '<meta property="og:price" content="« »1">',
  "templates": "<template><meta>",
  "comments": "<!--<!-",
  "quotes that never end": `<p title="«a'b=»`,
  "entities": "&euro;",
  "entities that are none": ["«»", () => "&amp&#x10FFFF&lt"],
});

const AROUND = "<i itemprop=name>".repeat(490);

const MARKUP = pagesOf({
  "nested items": `${PRODUCT.repeat(500)}«${OFFER}»`,
  "nested properties": `${PRODUCT}«<p><b itemprop=name>x»`,
  "nested properties around empty elements": `${PRODUCT}${AROUND}«<b></b>»`,
  "nested properties around one-letter texts": `${PRODUCT}${AROUND}«<b>1</b>»`,
  "nested prices around struck classes": `${PRODUCT}${"<i itemprop=price>".repeat(490)}«<b class="${
    "old_".repeat(250)
  }"></b>»`,
  "one property with many names": `${PRODUCT}<b itemprop="«name »">${"<i></i>".repeat(1000)}x</b>`,
  "one item with many types": `<div itemscope itemtype="«x »">${OFFER.repeat(1000)}</div>`,
  "many products": `${PRODUCT}${OFFER}</div>`,
  "products with names and addresses":
    `<h1>Kaffee</h1>«${PRODUCT}<b itemprop=name>Kaffee #</b><a itemprop=url href="/p/#?a=#"></a>${OFFER}</div>»`,
  "addresses of slashes": `${PRODUCT}<a itemprop=url href="/${
    "/".repeat(4000)
  }b"></a>${OFFER}</div>`,
  "addresses of parameters": `${PRODUCT}<a itemprop=url href="/p/kaffeemaschine?${
    "a=&b&".repeat(800)
  }"></a>${OFFER}</div>`,
  "names like the heading": `${`<h1>${"a".repeat(300)}</h1>`.repeat(20)}«${PRODUCT}${
    `<b itemprop=name>b${"a".repeat(148)}</b>`.repeat(20)
  }${OFFER}</div>»`,
  // Normalisation (NFKC) turns each U+FDFA into 18 characters.
  "names that grow when they are normalised": (bytes) =>
    fill(
      bytes,
      `${`<h1>${"\ufdfa".repeat(300)}</h1>`.repeat(20)}«${PRODUCT}<b itemprop=name>${
        "\ufdfa".repeat(100)
      }</b>${OFFER}</div>»`,
    ).slice(0, bytes / 2),
  "RDFa items": "<b typeof=Product property=offers>x</b>",
  "nested RDFa properties": `<div typeof=Product>${"<i property=name>".repeat(490)}«<b></b>»`,
  "one RDFa property with many names": '<div typeof=Product><b property="«name »">x</b></div>',
  "OpenGraph names": ["«»", (n) => `<meta property="og:${"n".repeat(n % 50)}" content=1>`],
});

const stockOf = (words: string) =>
  `${PRODUCT}<i itemprop=offers itemscope itemtype=Offer><b itemprop=price content=1></b>` +
  `<u itemprop=availability>${words}</u></i></div>`;

const TEXTS = pagesOf({
  "struck prices": `${PRODUCT}${OFFER}«<p><s>1,00 €</s> 2,00 €</p>»`,
  "struck prices beside empty elements": `${MICRODATA}<div>«<b></b>»${
    "<p><i><s>1,00 €</s></i></p>".repeat(200)
  }`,
  "struck classes": `${MICRODATA}<b class="«old_»">1</b>`,
  "one text": (bytes) => fill(bytes >> 1, "1.234,56 € "),
  "a text of zeros": `${MICRODATA}«1,00»x`,
  "prices of digits": `${PRODUCT}<b itemprop=price>${"9 ".repeat(200)}</b></div>`,
  "prices of words": `${PRODUCT}<b itemprop=price>${
    "statt der der der . . . 1,00 ab ab ab ".repeat(10)
  }</b></div>`,
  "prices of blanks": (bytes) =>
    fill(bytes, `${PRODUCT}<b itemprop=price>1${" \u00a0".repeat(200)}x2</b></div>`)
      .slice(0, bytes >> 1),
  "stocks of words": stockOf("nicht derzeit kein lag ".repeat(12)),
  "stocks of slashes": stockOf(`${"/".repeat(298)}x`),
  "a language of hyphens": `<html lang="de«-aa»!">${MICRODATA}`,
  "types of scripts of blanks": '<script type="« »x">1</script>',
  "a canonical link of blanks": '<link href=x rel="canonical« »x">',
});

const SHARED = `"},{"@type":"Product","offers":[${'{"@id":"o"},'.repeat(900)}{}]}]`;

const JSON_LD = pagesOf(
  {
    "JSON-LD offers in three levels": inLevels("offers", "Offer", "offers"),
    "JSON-LD offers of variants": inLevels("hasVariant", "Product", "offers"),
    "JSON-LD offers with specifications": inLevels("offers", "Offer", "priceSpecification"),
    "JSON-LD references": [
      "[«»{}]",
      (n) => `{"@id":"${n}","@type":"Product","offers":[{"@id":"${n + 1}"},{"@id":"${n + 2}"}]},`,
    ],
    "JSON-LD cycles": [
      "[«»{}]",
      (n) =>
        `{"@id":"${n % 100}","@type":"Product","price":"1","n${n}":1,"hasVariant":[${
          list(100, (m) => `{"@id":"${m}"}`)
        }]},`,
    ],
    "JSON-LD objects with prices": '[«{"@type":"Product","name":"n#","price":"#,99 €"},»{}]',
    "JSON-LD orphans": '[«{"@type":"Offer","price":"#,99 €"},»{}]',
    "JSON-LD offers of one product":
      '{"@type":"Product","offers":[«{"price":"#,99 €","sku":"#"},»{}]}',
    "JSON-LD gtins": (bytes) => {
      const offers = fill(bytes >> 2, "«»", (n) => `{"price":${n + 1},"priceCurrency":"EUR"},`);
      const variants = `{"@type":"ProductGroup","hasVariant":[{"@type":"Product","gtin":[«»"1"]`;
      return fill(bytes, `${variants},"offers":[${offers}{}]}]}`, (n) => `"${10_000_000 + n}",`);
    },
    "JSON-LD names": '{"@type":"Product","price":1,"name":[«"name #",»"x"]}',
    "JSON-LD prices in one offer": '{"@type":"Product","offers":{"price":[«#.99,»1]}}',
    "JSON-LD amounts of money in one offer":
      '{"@type":"Product","offers":{"price":[«{"value":#.5},»{}]}}',
    "JSON-LD things in a row": '{"@type":"ItemList","itemListElement":[«{},»{}]}',
    "JSON-LD with a large node told again": referredTo(
      '{"@id":"a","b":1},',
      '{"@id":"a",«"p#":1,»"x":1}',
    ),
    "JSON-LD specifications that are shared": referredTo(
      '{"price":1,"priceSpecification":{"@id":"a"}},',
      '{"@id":"a","price":[«"#",»"1"]}',
    ),
    "JSON-LD rates that are shared": referredTo(
      '{"price":1,"shippingDetails":{"@id":"a"}},',
      '{"@id":"a","shippingRate":[«{"value":1},»{}]}',
    ),
    "JSON-LD variants that share a large node": (bytes) => {
      const node = fill(bytes >> 1, '{"@id":"a","@type":"Product",«"p#":{},»"price":1}');
      return fill(bytes, `[${node},{"@type":"Product","hasVariant":[«{"@id":"a"},»{}]}]`);
    },
    "JSON-LD variants that share an offer with long texts": (bytes) => {
      const prices = fill(bytes >> 1, `"${"statt 1,00 € ".repeat(23)}",`);
      const offer = `{"@id":"o","@type":"Offer","price":[${prices}"1"]}`;
      const variant = '{"@id":"a","@type":"Product","offers":{"@id":"o"}}';
      const group = '{"@type":"Product","hasVariant":[«{"@id":"a"},»{}]}';
      return fill(bytes, `[${variant},${offer},${group}]`);
    },
    "JSON-LD types": `[{"@id":"o","price":1,"@type":[«"t#",»"Offer"]${SHARED.slice(1)}`,
    "JSON-LD with a long type": `[{"@id":"o","price":1,"@type":"«aggregat»${SHARED}`,
    "deep JSON-LD": deepLists,
    "deep JSON-LD objects": (bytes) =>
      '{"offers":'.repeat(bytes / 11) + "1" + "}".repeat(bytes / 11),
    "wide JSON-LD in depth": `${"[".repeat(60)}«{},»{}${"]".repeat(60)}`,
    "JSON-LD with keys that are never the same": ["[«»{}]", (n) => `{"${n.toString(36)}":1},`],
    "JSON-LD of quotes": '{"a":«\\"»}',
    "JSON-LD of comments": "/*",
    "JSON-LD of line comments": "//\n//",
    "JSON-LD of commas": "[1«, »",
    "JSON-LD of commas and blanks": `[1«,${" ".repeat(1000)};»`,
    "JSON-LD of wrong escapes": '{"a":"«\\x»"}',
  },
  "text/html",
  ['<script type="application/ld+json">', "</script>"],
);

const VARIANTS = pagesOf({
  "variants of a form": [
    "<h1>Kaffee</h1><form data-product_variations='[«»{}]'></form>",
    (n) => `{"variation_id":${n},"attributes":{"a":"${n} GB"},"display_price":${n + 1}},`,
  ],
  "forms of variants":
    `<form data-product_variations='[{"sku":"1111","price":1},{"sku":"2222","price":2}]'></form>`,
  "variants of a script": '<h1>Kaffee</h1><b class="price">1,50 €</b>' +
    '<script>{"variants":[«{"sku":"#","title":"# GB / schwarz","price":#.5},»{}]}</script>',
  "lists of variants": '<h1>Kaffee</h1><b class="price">1,50 €</b><script>[' +
    '«{"name":"Kaffee","variants":[{"sku":"1111","price":1.5},{"sku":"2222","price":2}]},»{}]</script>',
  "keys of variants without a list": '<script>x={«"variants":[»</script>',
  "the word variant": "<script>x=«variant»</script>",
  "variants in a list of places": [
    '<script id="__NUXT_DATA__">[«»"x"]</script>',
    (n) => `{"variants":${n + 2}},[${n + 1},${n + 3},${n + 1}],`,
  ],
  "variants that come in a stream":
    '<script>self.__next_f.push([1,"«1:{\\"variants\\":[]}\\n»"])</script>',
  "options of all attributes for all products": [
    '<script>{"optionPrices":{"1":{"finalPrice":{"amount":1}}},"attributes":{«»"x":{}}}</script>',
    (n) =>
      `"${n}":{"options":[${
        list(40, (m) => `{"label":"${m}","products":[${list(40, String)}]}`)
      }]},`,
  ],
  "options with prices": `${MICRODATA}<select>«<option># m (#,99 €)»`,
  "variants of many traits": [
    '<script type="application/ld+json">{"@type":"ProductGroup","hasVariant":[«»{}]}</script>',
    (n) => `{"price":${n + 1},"sku":"${n}","name":"${"3 x 5 cm rot ".repeat(30)}"},`,
  ],
});

const JSON_PAGES = pagesOf({
  "deep JSON": deepLists,
  "JSON of empty things": "[«{},»{}]",
  "JSON of zeros": "[«0,»0]",
  "JSON of products": '[«{"@type":"Product","name":"#","price":#},»{}]',
  "JSON of keys": ['{«»"":0}', (n) => `"${n.toString(36)}":0,`],
  "JSON that breaks off": '{"a":[',
}, "application/json");

const latin = (text: string) => (bytes: number) =>
  Uint8Array.from(fill(bytes, text), (letter) => letter.charCodeAt(0));
const cycle = (...values: number[]) => (bytes: number) =>
  Uint8Array.from({ length: bytes }, (_, n) => values[n % values.length] ?? 0);

const ENCODINGS: readonly HostilePage[] = ([
  ["a charset of blanks", "utf-8", latin("<meta charset=« »x>")],
  ["metas without a charset", "utf-8", latin("<«<meta charset= »")],
  [
    "UTF-16 that is none",
    "utf-16le",
    (bytes: number) => cycle(0xd8)(bytes).with(0, 0xff).with(1, 0xfe),
  ],
  ["bytes that are no UTF-8", "utf-8", cycle(0xff)],
  ["GB18030 in four bytes", "gb18030", cycle(0x81, 0x30, 0x81, 0x30)],
  ["ISO-2022-JP that shifts", "iso-2022-jp", cycle(0x1b, 0x24, 0x42, 0x1b, 0x28, 0x42)],
] as const).map(([name, charset, make]) => ({
  name,
  contentType: `text/html; charset=${charset}`,
  make,
}));

const PRICED = "<h1>Kaffee</h1><b class=price>12,99 €</b>";

const SHOWN = pagesOf({
  "texts like the title": `<title>${"Kaffeemaschine KM 300 silber ".repeat(9)}</title>` +
    "«<b>Kaffeemaschine KM 300 silber</b>»",
  "shown prices": "<h1>Kaffee</h1>«<p class=price>#,99 €</p>»",
  "shown prices of one amount": "<h1>Kaffee</h1>«<p class=price><b>1.249</b><sup>99</sup> €</p>»",
  "controls around prices": "<h1>Kaffee</h1>«<button>Kaufen</button><i>9 €</i>»",
  "controls without a word": '<h1>Kaffee</h1>«<button class="btn-#"></button><i># €</i>»',
  "digits below many parents": "<h1>Kaffee</h1>«<i><b><u><s>1</s></u></b></i>»",
  "prices nested in each other": "<h1>Kaffee</h1>«<div class=price>9 €»",
  "scripts full of the shown amount": `${PRICED}<script>« 12.99 "x":12.99»</script>`,
  "scripts": `${PRICED}«<script>price=1</script>»`,
  "empty scripts of JSON-LD": '<script type="application/ld+json">{</script>',
  "attributes that are called a price": `${PRICED}«<i data-price-#=9>»`,
  "classes of one element": '<h1>Kaffee</h1><b class="« price old»">12,99 €</b>',
  "a price of endless digits": "<h1>Kaffee</h1><b class=price>«1.» €</b>",
});

export const HOSTILE_PAGES: readonly HostilePage[] = [
  ...SHOWN,
  ...STRUCTURE,
  ...MARKUP,
  ...TEXTS,
  ...JSON_LD,
  ...VARIANTS,
  ...JSON_PAGES,
  ...ENCODINGS,
];

export function hostilePages(bytes: number) {
  return HOSTILE_PAGES.flatMap(({ name, contentType, make }) => {
    const page = contentType === "text/html" ? make(bytes) : "";
    return typeof page === "string" && page !== "" ? [{ name, html: page }] : [];
  });
}

/** Selectors that a person could enter, and that are slow on pages of `pagesForSelectors`. */
export const HOSTILE_SELECTORS: readonly string[] = [
  "p:nth-child(3)",
  "p:nth-last-of-type(7)",
  "p ~ p ~ p ~ u",
  "p:has(~ u)",
  ".x:has(~ u), div:has(> p, ~ b) > p",
  ":contains('nothing of that')",
  `:contains('b${"a".repeat(400)}')`,
  `[title*='b${"a".repeat(400)}'] *`,
  "[title~=x] [class~=y] p",
  "div *".repeat(100),
  ":is(:is(:is(:is(:is(:is(p, b), u), i), s), div), *) u",
  "div:not(:has(u:not(:has(i:not(:has(b))))))",
  "*:not(* * * * * * * * * u)",
  ":nth-child(2 of :has(u))",
  "p:only-of-type, p:first-of-type ~ p:last-of-type u",
  ":lang(de, en, fr, it, es, pt, pl, cs, sk, hu) u",
  "*,".repeat(240) + "*",
  ":not(".repeat(80) + "u" + ")".repeat(80),
  ":disabled :disabled :disabled",
];

/** JSON paths that a person could enter, and that are slow on documents of `documentsForPaths`. */
export const HOSTILE_JSON_PATHS: readonly string[] = [
  "$" + "[0,0,0,0,0,0,0,0,0,0]".repeat(20),
  "$..[?@..zz]",
  "$..[?@.*]..zz",
  "$..*..*",
  "$" + "[*,*]".repeat(60),
  "$" + "[0:9,0:9]".repeat(20),
  "$..[?count(@..*) > 1000000000]",
  "$[?@[?@[?@[?@[?@ == 1]]]]]",
  "$..[?@[?@[?@ == 'zz']]]",
  "$[?@ == @]..zz",
  "$..[?@ == @ && @.zz]",
  "$..[" + "?@.z,".repeat(80) + "0]",
  "$.a" + "[?@.a == @.b || @.c == @.d]".repeat(12),
  "$..[::1]..[::-1].zz",
  "$[?" + "(".repeat(200) + "@.a" + ")".repeat(200) + "]",
  "$[?" + "!".repeat(300) + "@.a]",
  "$[?length(value($..*)) > 1]",
];

export function pagesForSelectors(bytes: number): readonly string[] {
  const long = `<div title="${"a".repeat(bytes >> 2)}" class="${"y ".repeat(bytes >> 4)}">`;
  return [
    fill(bytes, `${"<div>".repeat(400)}«<p>x</p>»`),
    fill(bytes, "<div><p>x</p>«<p><b></b> <i class=x></i></p>»<u></u></div>"),
    "<div>".repeat(500) + fill(bytes - 2500, "<u></u><i></i>"),
    fill(bytes >> 1, `${long}«<p></p>»`),
    fill(bytes, `<div>«<p title="${"a".repeat(2000)}">${"a".repeat(2000)}</p>»`),
  ];
}

export function documentsForPaths(bytes: number): readonly string[] {
  const tree = (depth: number): string =>
    depth === 0 ? '{"a":1}' : `[${tree(depth - 1)},${tree(depth - 1)}]`;
  return [
    fill(bytes, '[«{"a":{"b":[1,2]},"c":"d"},»{}]'),
    "[".repeat(90) + fill(bytes - 200, '«[{"a":[0]}],»0') + "]".repeat(90),
    fill(bytes, '{«"k#":{"a":["#"]},»"a":[{"a":[[[[1]]]]}]}'),
    tree(Math.floor(Math.log2(bytes / 10))),
    deepLists(bytes),
  ];
}
