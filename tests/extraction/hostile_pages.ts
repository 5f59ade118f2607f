/** Pages that are made to cost more than they should; about 1 MiB each. */
export function hostilePages(): readonly { readonly name: string; readonly html: string }[] {
  const product = '<div itemscope itemtype="https://schema.org/Product">';
  const offer = '<i itemprop=offers itemscope itemtype="https://schema.org/Offer">' +
    "<b itemprop=price content=1>1</b></i>";
  const script = (json: string) => `<script type="application/ld+json">${json}</script>`;
  const many = (count: number, text: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => text(n)).join("");
  return [
    { name: "100,000 attributes", html: `<div ${many(100_000, (n) => `a${n}=1 `)}>x</div>` },
    { name: "50,000 nested elements", html: "<div>".repeat(50_000) + "</div>".repeat(50_000) },
    { name: "1,000,000 tags", html: "<b>".repeat(1_000_000) },
    { name: "1,000,000 void tags", html: "<br>".repeat(1_000_000) },
    { name: "closing tags that nothing opened", html: "<b>".repeat(500) + "</x>".repeat(250_000) },
    { name: "nested items", html: product.repeat(500) + offer.repeat(10_000) },
    {
      name: "nested properties",
      html: many(400, () => "<p><b itemprop=name>".repeat(1)).repeat(40),
    },
    { name: "many products", html: (product + offer + "</div>").repeat(6_000) },
    {
      name: "itemref of all to all",
      html: many(10_000, (n) => `<p id=r${n} itemprop=name>x</p>`) +
        many(
          2_000,
          (n) => `<p itemscope itemtype=Product itemref="${many(40, (m) => `r${n + m} `)}"></p>`,
        ),
    },
    { name: "RDFa items", html: "<b typeof=Product property=offers>x</b>".repeat(27_000) },
    { name: "metas", html: '<meta property="og:price:amount" content="1.50">'.repeat(21_000) },
    { name: "struck prices", html: product + offer + "<p><s>1,00 €</s> 2,00 €</p>".repeat(35_000) },
    { name: "headings", html: "<h1>x</h1><title>y".repeat(50_000) },
    { name: "deep JSON-LD", html: script("[".repeat(500_000) + "]".repeat(500_000)) },
    {
      name: "deep JSON-LD objects",
      html: script('{"offers":'.repeat(100_000) + "1" + "}".repeat(100_000)),
    },
    { name: "JSON-LD of quotes", html: script('{"a":' + '\\"'.repeat(500_000)) },
    { name: "JSON-LD of comments", html: script("/*".repeat(500_000)) },
    { name: "JSON-LD of commas", html: script(`[1${", ".repeat(500_000)}`) },
    {
      name: "JSON-LD references",
      html: script(
        `[${
          many(
            12_000,
            (n) =>
              `{"@id":"${n}","@type":"Product","offers":[{"@id":"${n + 1}"},{"@id":"${n + 2}"}]},`,
          )
        }{}]`,
      ),
    },
    {
      name: "JSON-LD offers",
      html: script(
        `{"@type":"Product","offers":[${
          many(20_000, (n) => `{"price":"${n},99 €","sku":"${n}"},`)
        }{}]}`,
      ),
    },
    {
      name: "prices in one offer",
      html: script(`{"@type":"Product","offers":{"price":[${many(90_000, (n) => `${n}.99,`)}1]}}`),
    },
    { name: "text", html: "1.234,56 € ".repeat(90_000) },
    { name: "entities", html: "&euro;".repeat(175_000) },
  ];
}
