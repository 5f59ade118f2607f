/**
 * Pages, selectors and paths that are made to cost more than they should, for every test that asks
 * what input from outside may do at worst. Each page is made by a small generator of any length.
 */

/** A page that is hostile in one way. */
export interface HostilePage {
  readonly name: string;
  readonly hostile: string;
  readonly contentType: string;
  /** The page, of about so many bytes, and never of more. */
  make(bytes: number): string | Uint8Array<ArrayBuffer>;
}

/** A selector or a path with pages that it is hostile to. */
export interface HostileQuery {
  readonly query: string;
  readonly hostile: string;
}

const MIB = 1024 * 1024;

const PRODUCT = '<div itemscope itemtype="https://schema.org/Product">';
const OFFER = '<i itemprop=offers itemscope itemtype="https://schema.org/Offer">' +
  "<b itemprop=price content=1>1</b><u itemprop=priceCurrency content=EUR></u></i>";
const MICRODATA = `${PRODUCT}<b itemprop=name>x</b>${OFFER}</div>`;

/** As many as fit of what `piece` makes of 0, 1, 2 …, between a begin and an end. */
function fill(
  bytes: number,
  piece: string | ((n: number) => string),
  begin = "",
  end = "",
): string {
  if (typeof piece === "string") {
    const room = bytes - begin.length - end.length;
    return begin + piece.repeat(Math.max(0, Math.floor(room / piece.length))) + end;
  }
  const parts = [begin];
  let length = begin.length + end.length;
  for (let n = 0;; n++) {
    const next = piece(n);
    if (length + next.length > bytes) return parts.join("") + end;
    parts.push(next);
    length += next.length;
  }
}

/** JSON-LD whose JSON takes all the room. */
function script(bytes: number, make: (bytes: number) => string): string {
  const [begin, end] = ['<script type="application/ld+json">', "</script>"];
  return begin + make(bytes - begin.length - end.length) + end;
}

function html(name: string, hostile: string, make: (bytes: number) => string): HostilePage {
  return { name, hostile, contentType: "text/html", make };
}

function jsonLd(name: string, hostile: string, make: (bytes: number) => string): HostilePage {
  return html(name, hostile, (bytes) => script(bytes, make));
}

function json(name: string, hostile: string, make: (bytes: number) => string): HostilePage {
  return { name, hostile, contentType: "application/json", make };
}

/** Three lists of offers, each of which refers to all of the next one. */
function offersInLevels(bytes: number): string {
  const count = Math.max(2, Math.floor(Math.sqrt(bytes / 2 / 17)));
  const all = (level: string) =>
    Array.from({ length: count }, (_, n) => `{"@id":"${level}${n}"}`).join(",");
  const nodes = (level: string, offers: string) =>
    Array.from(
      { length: count },
      (_, n) => `{"@id":"${level}${n}","@type":"Offer","offers":[${offers}]}`,
    ).join(",");
  const leaves = Array.from(
    { length: count },
    (_, n) => `{"@id":"c${n}","@type":"Offer","sku":"${n}","price":"1"}`,
  ).join(",");
  const top = `{"@type":"Product","name":"x","offers":[${all("a")}]}`;
  return `[${top},${nodes("a", all("b"))},${nodes("b", all("c"))},${leaves}]`.slice(0, 4 * MIB);
}

/** One node that is dear to read, and references to it in all the rest. */
function referredTo(dear: (bytes: number) => string, reference: string, type = "Product") {
  return (bytes: number) =>
    fill(bytes, reference, `[${dear(bytes >> 1)},{"@type":"${type}","offers":[`, "{}]}]");
}

const STRUCTURE: readonly HostilePage[] = [
  html(
    "attributes",
    "one element with as many attributes as fit",
    (bytes) => fill(bytes, (n) => `a${n}=1 `, "<div ", ">x</div>"),
  ),
  html(
    "nested elements",
    "the parser climbs and descends",
    (bytes) => "<div>".repeat(bytes / 11) + "</div>".repeat(bytes / 11),
  ),
  html("tags that are never closed", "depth without end", (bytes) => fill(bytes, "<b>")),
  html("void tags", "as many nodes as fit", (bytes) => fill(bytes, "<br>")),
  html("empty pairs of tags", "as many nodes as fit", (bytes) => fill(bytes, "<b></b>")),
  html(
    "closing tags that nothing opened",
    "each is looked for in all open ones",
    (bytes) => fill(bytes, "</x>", "<b>".repeat(500)),
  ),
  html(
    "paragraphs in buttons",
    "each opening tag closes others",
    (bytes) => fill(bytes, "<button><p><table><td>"),
  ),
  html(
    "headings",
    "more headings and titles than a page has",
    (bytes) => fill(bytes, "<h1>x</h1><title>y"),
  ),
  html(
    "headings around empty elements",
    "a heading is looked through in vain",
    (bytes) => fill(bytes, "<b></b>", "<h1>".repeat(20)),
  ),
  html(
    "metas",
    "a price in each",
    (bytes) => fill(bytes, '<meta property="og:price:amount" content="1.50">'),
  ),
  html("metas of prices and stocks", "each price looks at all stocks", (bytes) =>
    fill(
      bytes,
      '<meta property="og:price" content="1"><meta property="og:availability" content="x">',
    )),
  html("metas of titles", "each is compared with each name", (bytes) =>
    fill(
      bytes,
      (n) => `<meta property="og:title" content="title ${n}">`,
      '<meta property="og:price" content="1">',
    )),
  html(
    "a meta of currencies",
    "a pattern with a repeated middle",
    (bytes) => fill(bytes, "currenc", '<meta property="og:', `" content=x>${MICRODATA}`),
  ),
  html(
    "a meta of blanks",
    "is trimmed again and again",
    (bytes) => fill(bytes, " ", '<meta property="og:price" content="', '1">'),
  ),
  html("templates", "what is in them is no markup", (bytes) => fill(bytes, "<template><meta>")),
  html("comments", "each may end anywhere", (bytes) => fill(bytes, "<!--<!-")),
  html(
    "quotes that never end",
    "an attribute of the whole page",
    (bytes) => fill(bytes, "a'b=", '<p title="'),
  ),
  html("entities", "each is decoded", (bytes) => fill(bytes, "&euro;")),
  html("entities that are none", "each may be one", (bytes) => fill(bytes, "&amp&#x10FFFF&lt")),
];

const MARKUP: readonly HostilePage[] = [
  html(
    "nested items",
    "items in items, offers in the last one",
    (bytes) => fill(bytes, OFFER, PRODUCT.repeat(500)),
  ),
  html(
    "nested properties",
    "each text holds the next one",
    (bytes) => fill(bytes, "<p><b itemprop=name>x", PRODUCT),
  ),
  html(
    "nested properties around empty elements",
    "each looks through all of them",
    (bytes) => fill(bytes, "<b></b>", PRODUCT + "<i itemprop=name>".repeat(490)),
  ),
  html(
    "nested properties around one-letter texts",
    "each puts a text together",
    (bytes) => fill(bytes, "<b>1</b>", PRODUCT + "<i itemprop=name>".repeat(490)),
  ),
  html("nested prices around struck classes", "each reads long classes", (bytes) =>
    fill(
      bytes,
      `<b class="${"old_".repeat(250)}"></b>`,
      PRODUCT + "<i itemprop=price>".repeat(490),
    )),
  html(
    "one property with many names",
    "each name reads the element",
    (bytes) => fill(bytes, "name ", `${PRODUCT}<b itemprop="`, `">${"<i></i>".repeat(1000)}x</b>`),
  ),
  html(
    "one item with many types",
    "each look at it goes through them",
    (bytes) => fill(bytes, "x ", '<div itemscope itemtype="', `">${OFFER.repeat(1000)}</div>`),
  ),
  html(
    "many products",
    "each is compared with the page",
    (bytes) => fill(bytes, PRODUCT + OFFER + "</div>"),
  ),
  html("products with names and addresses", "each is compared with the page", (bytes) =>
    fill(
      bytes,
      (n) =>
        `${PRODUCT}<b itemprop=name>Kaffee ${n}</b><a itemprop=url href="/p/${n}?a=${n}"></a>` +
        `${OFFER}</div>`,
      "<h1>Kaffee</h1>",
    )),
  html("addresses of slashes", "a pattern that ends in a repeated one", (bytes) =>
    fill(
      bytes,
      `${PRODUCT}<a itemprop=url href="/${"/".repeat(4000)}b"></a>${OFFER}</div>`,
    )),
  html("addresses of parameters", "each is compared with each", (bytes) =>
    fill(
      bytes,
      `${PRODUCT}<a itemprop=url href="/p/kaffeemaschine?${
        "a=&b&".repeat(800)
      }"></a>${OFFER}</div>`,
    )),
  html("names like the heading", "each is looked for in each heading", (bytes) =>
    fill(
      bytes,
      `${PRODUCT}${`<b itemprop=name>b${"a".repeat(148)}</b>`.repeat(20)}${OFFER}</div>`,
      `<h1>${"a".repeat(300)}</h1>`.repeat(20),
    )),
  html("names that grow when they are normalised", "one letter becomes 18", (bytes) =>
    fill(
      bytes,
      `${PRODUCT}<b itemprop=name>${"\ufdfa".repeat(100)}</b>${OFFER}</div>`,
      `<h1>${"\ufdfa".repeat(300)}</h1>`.repeat(20),
    ).slice(0, bytes / 2)),
  html("itemref of all to all", "each item takes all properties", (bytes) =>
    fill(
      bytes >> 1,
      (n) => `<p id=r${n} itemprop=name>x</p>`,
    ) +
    fill(
      bytes >> 1,
      (n) =>
        `<p itemscope itemtype=Product itemref="${
          Array.from({ length: 40 }, (_, m) => `r${n + m}`).join(" ")
        }"></p>`,
    )),
  html(
    "itemref to one long content",
    "each item trims it",
    (bytes) =>
      fill(bytes >> 1, " ", '<p id=r itemprop=name content="', 'x"></p>') +
      fill(bytes >> 1, "<p itemscope itemtype=Product itemref=r></p>"),
  ),
  html(
    "itemref to an element around empty ones",
    "each item looks through it",
    (bytes) =>
      fill(bytes >> 1, "<b></b>", "<p id=r itemprop=name>", "</p>") +
      fill(bytes >> 1, "<p itemscope itemtype=Product itemref=r></p>"),
  ),
  html(
    "RDFa items",
    "items in a row",
    (bytes) => fill(bytes, "<b typeof=Product property=offers>x</b>"),
  ),
  html(
    "nested RDFa properties",
    "each looks through all below it",
    (bytes) => fill(bytes, "<b></b>", "<div typeof=Product>" + "<i property=name>".repeat(490)),
  ),
  html(
    "one RDFa property with many names",
    "each name reads the element",
    (bytes) => fill(bytes, "name ", '<div typeof=Product><b property="', '">x</b></div>'),
  ),
  html(
    "OpenGraph names",
    "one price with many names",
    (bytes) => fill(bytes, (n) => `<meta property="og:${"n".repeat(n % 50)}" content=1>`),
  ),
];

const TEXTS: readonly HostilePage[] = [
  html(
    "struck prices",
    "each is compared with what is around it",
    (bytes) => fill(bytes, "<p><s>1,00 €</s> 2,00 €</p>", PRODUCT + OFFER),
  ),
  html(
    "struck prices beside empty elements",
    "what is around each is looked through",
    (bytes) =>
      fill(bytes, "<b></b>", `${MICRODATA}<div>`, "<p><i><s>1,00 €</s></i></p>".repeat(200)),
  ),
  html(
    "struck classes",
    "each class is matched",
    (bytes) => fill(bytes, "old_", `${MICRODATA}<b class="`, '">1</b>'),
  ),
  html("one text", "prices in a row", (bytes) => fill(bytes >> 1, "1.234,56 € ")),
  html("a text of zeros", "each may be the price", (bytes) => fill(bytes, "1,00", MICRODATA, "x")),
  html(
    "prices of digits",
    "each number is read",
    (bytes) => fill(bytes, `${PRODUCT}<b itemprop=price>${"9 ".repeat(200)}</b></div>`),
  ),
  html("prices of words", "each word is looked for around each number", (bytes) =>
    fill(
      bytes,
      `${PRODUCT}<b itemprop=price>${
        "statt der der der . . . 1,00 ab ab ab ".repeat(10)
      }</b></div>`,
    )),
  html(
    "prices of blanks",
    "patterns of blanks next to each other",
    (bytes) =>
      fill(bytes, `${PRODUCT}<b itemprop=price>1${" \u00a0".repeat(200)}x2</b></div>`)
        .slice(0, bytes >> 1),
  ),
  html("stocks of words", "each pattern nearly fits", (bytes) =>
    fill(
      bytes,
      `${PRODUCT}<i itemprop=offers itemscope itemtype=Offer><b itemprop=price content=1></b>` +
        `<u itemprop=availability>${"nicht derzeit kein lag ".repeat(12)}</u></i></div>`,
    )),
  html("stocks of slashes", "a pattern that ends in a repeated one", (bytes) =>
    fill(
      bytes,
      `${PRODUCT}<i itemprop=offers itemscope itemtype=Offer><b itemprop=price content=1></b>` +
        `<u itemprop=availability>${"/".repeat(298)}x</u></i></div>`,
    )),
  html(
    "a language of hyphens",
    "a pattern of a repeated group",
    (bytes) => fill(bytes, "-aa", '<html lang="de', `!">${MICRODATA}`),
  ),
  html(
    "types of scripts of blanks",
    "a pattern that begins with blanks",
    (bytes) => fill(bytes, " ", '<script type="', 'x">1</script>'),
  ),
  html(
    "a canonical link of blanks",
    "a pattern between blanks",
    (bytes) => fill(bytes, " ", '<link href=x rel="canonical', 'x">'),
  ),
];

const JSON_LD: readonly HostilePage[] = [
  jsonLd("JSON-LD offers in three levels", "each path to an offer is walked", offersInLevels),
  jsonLd("JSON-LD references", "each node refers to the next two", (bytes) =>
    fill(
      bytes,
      (n) => `{"@id":"${n}","@type":"Product","offers":[{"@id":"${n + 1}"},{"@id":"${n + 2}"}]},`,
      "[",
      "{}]",
    )),
  jsonLd("JSON-LD cycles", "products are variants of each other", (bytes) =>
    fill(
      bytes,
      (n) =>
        `{"@id":"${n % 100}","@type":"Product","price":"1","n${n}":1,"hasVariant":[${
          Array.from({ length: 100 }, (_, m) => `{"@id":"${m}"}`).join(",")
        }]},`,
      "[",
      "{}]",
    )),
  jsonLd(
    "JSON-LD objects with prices",
    "each is a product",
    (bytes) =>
      fill(bytes, (n) => `{"@type":"Product","name":"n${n}","price":"${n},99 €"},`, "[", "{}]"),
  ),
  jsonLd(
    "JSON-LD orphans",
    "each is an offer of its own",
    (bytes) => fill(bytes, (n) => `{"@type":"Offer","price":"${n},99 €"},`, "[", "{}]"),
  ),
  jsonLd("JSON-LD offers of one product", "each has a number", (bytes) =>
    fill(
      bytes,
      (n) => `{"price":"${n},99 €","sku":"${n}"},`,
      '{"@type":"Product","offers":[',
      "{}]}",
    )),
  jsonLd(
    "JSON-LD gtins",
    "each offer has those of its variant",
    (bytes) =>
      fill(
        bytes,
        (n) => `"${10_000_000 + n}",`,
        '{"@type":"ProductGroup","hasVariant":[{"@type":"Product","gtin":[',
        `"1"],"offers":[${
          fill(
            bytes >> 2,
            (n) => `{"price":${n + 1},"priceCurrency":"EUR"},`,
          )
        }{}]}]}`,
      ),
  ),
  jsonLd(
    "JSON-LD names",
    "each is compared with each heading",
    (bytes) => fill(bytes, (n) => `"name ${n}",`, '{"@type":"Product","price":1,"name":[', '"x"]}'),
  ),
  jsonLd(
    "JSON-LD prices in one offer",
    "each is compared with each",
    (bytes) => fill(bytes, (n) => `${n}.99,`, '{"@type":"Product","offers":{"price":[', "1]}}"),
  ),
  jsonLd("JSON-LD amounts of money in one offer", "each is compared with each", (bytes) =>
    fill(
      bytes,
      (n) => `{"value":${n}.5},`,
      '{"@type":"Product","offers":{"price":[',
      "{}]}}",
    )),
  jsonLd(
    "JSON-LD things in a row",
    "more than fit into one call",
    (bytes) => fill(bytes, "{},", '{"@type":"ItemList","itemListElement":[', "{}]}"),
  ),
  jsonLd(
    "JSON-LD with a large node told again",
    "its size is counted each time",
    referredTo(
      (bytes) => fill(bytes, (n) => `"p${n}":1,`, '{"@id":"a",', '"x":1}'),
      '{"@id":"a","b":1},',
    ),
  ),
  jsonLd(
    "JSON-LD specifications that are shared",
    "each offer reads all prices of one",
    referredTo(
      (bytes) => fill(bytes, (n) => `"${n}",`, '{"@id":"a","price":[', '"1"]}'),
      '{"price":1,"priceSpecification":{"@id":"a"}},',
    ),
  ),
  jsonLd(
    "JSON-LD rates that are shared",
    "each offer reads all rates of one delivery",
    referredTo(
      (bytes) => fill(bytes, '{"value":1},', '{"@id":"a","shippingRate":[', "{}]}"),
      '{"price":1,"shippingDetails":{"@id":"a"}},',
    ),
  ),
  jsonLd(
    "JSON-LD variants that share a large node",
    "each copies all properties of it",
    (bytes) =>
      fill(
        bytes,
        '{"@id":"a"},',
        `[${
          fill(bytes >> 1, (n) => `"p${n}":{},`, '{"@id":"a","@type":"Product",', '"price":1}')
        },{"@type":"Product","hasVariant":[`,
        "{}]}]",
      ),
  ),
  jsonLd(
    "JSON-LD variants that share an offer with long texts",
    "each reads and matches them",
    (bytes) =>
      fill(
        bytes,
        '{"@id":"a"},',
        `[{"@id":"a","@type":"Product","offers":{"@id":"o"}},{"@id":"o","@type":"Offer","price":[${
          fill(bytes >> 1, `"${"statt 1,00 € ".repeat(23)}",`)
        }"1"]},{"@type":"Product","hasVariant":[`,
        "{}]}]",
      ),
  ),
  jsonLd("JSON-LD types", "each look at a thing goes through them", (bytes) =>
    fill(
      bytes,
      (n) => `"t${n}",`,
      `[{"@id":"o","price":1,"@type":[`,
      `"Offer"]},{"@type":"Product","offers":[${'{"@id":"o"},'.repeat(900)}{}]}]`,
    )),
  jsonLd("JSON-LD with a long type", "each look searches it", (bytes) =>
    fill(
      bytes,
      "aggregat",
      `[{"@id":"o","price":1,"@type":"`,
      `"},{"@type":"Product","offers":[${'{"@id":"o"},'.repeat(900)}{}]}]`,
    )),
  jsonLd(
    "deep JSON-LD",
    "lists in lists",
    (bytes) => "[".repeat(bytes >> 1) + "]".repeat(bytes >> 1),
  ),
  jsonLd(
    "deep JSON-LD objects",
    "offers in offers",
    (bytes) => '{"offers":'.repeat(bytes / 11) + "1" + "}".repeat(bytes / 11),
  ),
  jsonLd(
    "wide JSON-LD in depth",
    "a long list is copied at each level",
    (bytes) => fill(bytes, "{},", "[".repeat(60), "{}" + "]".repeat(60)),
  ),
  jsonLd(
    "JSON-LD with keys that are never the same",
    "each object has a shape of its own",
    (bytes) => fill(bytes, (n) => `{"${n.toString(36)}":1},`, "[", "{}]"),
  ),
  jsonLd(
    "JSON-LD of quotes",
    "a string that never ends",
    (bytes) => fill(bytes, '\\"', '{"a":', "}"),
  ),
  jsonLd("JSON-LD of comments", "a comment that never ends", (bytes) => fill(bytes, "/*")),
  jsonLd("JSON-LD of line comments", "each looks for its end", (bytes) => fill(bytes, "//\n//")),
  jsonLd("JSON-LD of commas", "each looks what follows", (bytes) => fill(bytes, ", ", "[1")),
  jsonLd(
    "JSON-LD of commas and blanks",
    "each looks over the blanks",
    (bytes) => fill(bytes, `,${" ".repeat(1000)};`, "[1"),
  ),
  jsonLd(
    "JSON-LD of wrong escapes",
    "each is repaired",
    (bytes) => fill(bytes, "\\x", '{"a":"', '"}'),
  ),
  html(
    "empty scripts of JSON-LD",
    "each is parsed",
    (bytes) => fill(bytes, '<script type="application/ld+json">{</script>'),
  ),
];

const JSON_PAGES: readonly HostilePage[] = [
  json("deep JSON", "lists in lists", (bytes) => "[".repeat(bytes >> 1) + "]".repeat(bytes >> 1)),
  json("JSON of empty things", "as many nodes as fit", (bytes) => fill(bytes, "{},", "[", "{}]")),
  json("JSON of zeros", "as many values as fit", (bytes) => fill(bytes, "0,", "[", "0]")),
  json(
    "JSON of products",
    "each is one",
    (bytes) => fill(bytes, (n) => `{"@type":"Product","name":"${n}","price":${n}},`, "[", "{}]"),
  ),
  json(
    "JSON of keys",
    "one object with as many keys as fit",
    (bytes) => fill(bytes, (n) => `"${n.toString(36)}":0,`, "{", '"":0}'),
  ),
  json("JSON that breaks off", "is read to its end in vain", (bytes) => fill(bytes, '{"a":[', "")),
];

const ENCODINGS: readonly HostilePage[] = [
  encoded(
    "a charset of blanks",
    "a pattern of blanks next to each other",
    "utf-8",
    (bytes) => latin(fill(bytes, " ", "<meta charset=", "x>")),
  ),
  encoded(
    "metas without a charset",
    "each is looked through",
    "utf-8",
    (bytes) => latin(fill(bytes, "<meta charset= ", "<")),
  ),
  encoded(
    "UTF-16 that is none",
    "bytes that are half a character",
    "utf-16le",
    (bytes) => Uint8Array.from({ length: bytes }, (_, n) => n < 2 ? 0xff - n : 0xd8),
  ),
  encoded(
    "bytes that are no UTF-8",
    "each becomes a sign of its own",
    "utf-8",
    (bytes) => new Uint8Array(bytes).fill(0xff),
  ),
  encoded(
    "GB18030 in four bytes",
    "the dearest table",
    "gb18030",
    (bytes) => Uint8Array.from({ length: bytes }, (_, n) => [0x81, 0x30, 0x81, 0x30][n % 4] ?? 0),
  ),
  encoded(
    "ISO-2022-JP that shifts",
    "an escape before each letter",
    "iso-2022-jp",
    (bytes) =>
      Uint8Array.from(
        { length: bytes },
        (_, n) => [0x1b, 0x24, 0x42, 0x1b, 0x28, 0x42][n % 6] ?? 0,
      ),
  ),
];

function encoded(
  name: string,
  hostile: string,
  charset: string,
  make: (bytes: number) => Uint8Array<ArrayBuffer>,
): HostilePage {
  return { name, hostile, contentType: `text/html; charset=${charset}`, make };
}

function latin(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Pages of every kind that a shop can answer with. */
const SHOWN: readonly HostilePage[] = [
  html(
    "texts like the title",
    "each is looked for in the title",
    (bytes) =>
      fill(
        bytes,
        "<b>Kaffeemaschine KM 300 silber</b>",
        `<title>${"Kaffeemaschine KM 300 silber ".repeat(9)}</title>`,
      ),
  ),
  html(
    "shown prices",
    "each is weighed beside all others",
    (bytes) => fill(bytes, (n) => `<p class=price>${n},99 €</p>`, "<h1>Kaffee</h1>"),
  ),
  html(
    "shown prices of one amount",
    "each is compared with all others",
    (bytes) => fill(bytes, "<p class=price><b>1.249</b><sup>99</sup> €</p>", "<h1>Kaffee</h1>"),
  ),
  html(
    "controls around prices",
    "the nearest is looked for by each",
    (bytes) => fill(bytes, "<button>Kaufen</button><i>9 €</i>", "<h1>Kaffee</h1>"),
  ),
  html(
    "controls without a word",
    "each is read near each price",
    (bytes) =>
      fill(bytes, (n) => `<button class="btn-${n}"></button><i>${n} €</i>`, "<h1>Kaffee</h1>"),
  ),
  html(
    "digits below many parents",
    "each climbs to a text that is none",
    (bytes) => fill(bytes, "<i><b><u><s>1</s></u></b></i>", "<h1>Kaffee</h1>"),
  ),
  html(
    "prices nested in each other",
    "each has all others in its text",
    (bytes) => fill(bytes, "<div class=price>9 €", "<h1>Kaffee</h1>"),
  ),
  html(
    "scripts full of the shown amount",
    "each hit is looked at",
    (bytes) =>
      fill(
        bytes,
        ' 12.99 "x":12.99',
        "<h1>Kaffee</h1><b class=price>12,99 €</b><script>",
        "</script>",
      ),
  ),
  html(
    "scripts",
    "each is searched",
    (bytes) => fill(bytes, "<script>price=1</script>", "<h1>Kaffee</h1><b class=price>12,99 €</b>"),
  ),
  html(
    "attributes that are called a price",
    "each is read",
    (bytes) =>
      fill(bytes, (n) => `<i data-price-${n}=9>`, "<h1>Kaffee</h1><b class=price>12,99 €</b>"),
  ),
  html(
    "classes of one element",
    "each expression goes through all",
    (bytes) => fill(bytes, " price old", '<h1>Kaffee</h1><b class="', '">12,99 €</b>'),
  ),
  html(
    "a price of endless digits",
    "groups are looked for in it",
    (bytes) => fill(bytes, "1.", "<h1>Kaffee</h1><b class=price>", " €</b>"),
  ),
];

export const HOSTILE_PAGES: readonly HostilePage[] = [
  ...SHOWN,
  ...STRUCTURE,
  ...MARKUP,
  ...TEXTS,
  ...JSON_LD,
  ...JSON_PAGES,
  ...ENCODINGS,
];

/** Pages that are made to cost more than they should, of about so many bytes each. */
export function hostilePages(
  bytes: number,
): readonly { readonly name: string; readonly html: string }[] {
  return HOSTILE_PAGES.flatMap(({ name, contentType, make }) => {
    const page = contentType === "text/html" ? make(bytes) : "";
    return typeof page === "string" && page !== "" ? [{ name, html: page }] : [];
  });
}

/** Selectors that a person could store, each hostile to a page of `pagesForSelectors`. */
export const HOSTILE_SELECTORS: readonly HostileQuery[] = [
  { query: "p:nth-child(3)", hostile: "counts the siblings of each" },
  { query: "p:nth-last-of-type(7)", hostile: "counts the siblings of each from behind" },
  { query: "p ~ p ~ p ~ u", hostile: "tries all siblings before each" },
  { query: "p:has(~ u)", hostile: "looks at all siblings behind each" },
  { query: ".x:has(~ u), div:has(> p, ~ b) > p", hostile: "copies all children of a parent" },
  { query: ":contains('nothing of that')", hostile: "puts the text of each together" },
  { query: `:contains('b${"a".repeat(400)}')`, hostile: "a search that nearly finds" },
  { query: `[title*='b${"a".repeat(400)}'] *`, hostile: "searches a long attribute each time" },
  { query: "[title~=x] [class~=y] p", hostile: "matches a long attribute each time" },
  { query: "div *".repeat(100), hostile: "tries all ways up" },
  { query: ":is(:is(:is(:is(:is(:is(p, b), u), i), s), div), *) u", hostile: "nested lists" },
  { query: "div:not(:has(u:not(:has(i:not(:has(b))))))", hostile: "nested looks below" },
  { query: "*:not(* * * * * * * * * u)", hostile: "all ways up, for each" },
  { query: ":nth-child(2 of :has(u))", hostile: "looks below each sibling of each" },
  { query: "p:only-of-type, p:first-of-type ~ p:last-of-type u", hostile: "siblings of siblings" },
  { query: ":lang(de, en, fr, it, es, pt, pl, cs, sk, hu) u", hostile: "climbs for each" },
  { query: "*,".repeat(240) + "*", hostile: "a list of all" },
  { query: ":not(".repeat(90) + "u" + ")".repeat(90), hostile: "nested as deep as it goes" },
  { query: ":disabled :disabled :disabled", hostile: "each word stands for a long selector" },
];

/** JSON paths that a person could store, each hostile to an answer of `documentsForPaths`. */
export const HOSTILE_JSON_PATHS: readonly HostileQuery[] = [
  { query: "$" + "[0,0,0,0,0,0,0,0,0,0]".repeat(20), hostile: "10^20 ways to one value" },
  { query: "$..[?@..zz]", hostile: "looks below each node, for each node" },
  { query: "$..[?@.*]..zz", hostile: "descends below each descent" },
  { query: "$..*..*", hostile: "each pair of a node and one below it" },
  { query: "$" + "[*,*]".repeat(60), hostile: "2^60 ways" },
  { query: "$" + "[0:9,0:9]".repeat(20), hostile: "slices times slices" },
  { query: "$..[?count(@..*) > 1000000000]", hostile: "counts all below each" },
  { query: "$[?@[?@[?@[?@[?@ == 1]]]]]", hostile: "filters in filters" },
  { query: "$..[?@[?@[?@ == 'zz']]]", hostile: "filters in filters, at each node" },
  { query: "$[?@ == @]..zz", hostile: "compares all with itself" },
  { query: "$..[?@ == @ && @.zz]", hostile: "compares each subtree with itself" },
  { query: "$..[" + "?@.z,".repeat(80) + "0]", hostile: "a list of filters at each node" },
  { query: "$.a" + "[?@.a == @.b || @.c == @.d]".repeat(12), hostile: "filters of filters" },
  { query: "$..[::1]..[::-1].zz", hostile: "each pair of nodes, from both ends" },
  {
    query: "$[?" + "(".repeat(200) + "@.a" + ")".repeat(200) + "]",
    hostile: "brackets in brackets",
  },
  { query: "$[?" + "!".repeat(300) + "@.a]", hostile: "a denial of a denial" },
  { query: "$[?length(value($..*)) > 1]", hostile: "reads the whole answer for each" },
];

/** HTML pages, each of about so many bytes, that selectors of `HOSTILE_SELECTORS` are dear on. */
export function pagesForSelectors(bytes: number): readonly string[] {
  const long = `<div title="${"a".repeat(bytes >> 2)}" class="${"y ".repeat(bytes >> 4)}">`;
  return [
    fill(bytes, "<p>x</p>", "<div>".repeat(400)),
    fill(bytes, "<p><b></b> <i class=x></i></p>", "<div><p>x</p>", "<u></u></div>"),
    "<div>".repeat(500) + fill(bytes - 2500, "<u></u><i></i>"),
    fill(bytes >> 1, "<p></p>", long),
    fill(bytes, `<p title="${"a".repeat(2000)}">${"a".repeat(2000)}</p>`, "<div>"),
  ];
}

/** JSON answers, each of about so many bytes, that paths of `HOSTILE_JSON_PATHS` are dear on. */
export function documentsForPaths(bytes: number): readonly string[] {
  const tree = (depth: number): string =>
    depth === 0 ? '{"a":1}' : `[${tree(depth - 1)},${tree(depth - 1)}]`;
  return [
    fill(bytes, '{"a":{"b":[1,2]},"c":"d"},', "[", "{}]"),
    "[".repeat(90) + fill(bytes - 200, '[{"a":[0]}],', "", "0") + "]".repeat(90),
    fill(bytes, (n) => `"k${n}":{"a":["${n}"]},`, "{", '"a":[{"a":[[[[1]]]]}]}'),
    tree(Math.floor(Math.log2(bytes / 10))),
    "[".repeat(bytes >> 1) + "]".repeat(bytes >> 1),
  ];
}
