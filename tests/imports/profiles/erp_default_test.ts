import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { readText } from "../upload_reading.ts";

async function patchOf(item: string) {
  const { records, refused } = await readText(`<ITEMS>${item}</ITEMS>`);
  assertEquals(refused, null);
  return records[0]?.patch;
}

const SAME = { sku: "S-1", title: "T", tier: "B2B", ourPriceCents: 1_250 };
const NAMED = "<SKU>S-1</SKU><TITLE>T</TITLE>";
const PRICE = "<TIER>B2B</TIER><PRICE>12,50</PRICE>";
const FORMS: Readonly<Record<string, string>> = {
  "children": `<ITEM>${NAMED}<SALESPRICE>${PRICE}</SALESPRICE></ITEM>`,
  "attributes":
    '<ITEM SKU="S-1" TITLE="T"><SALESPRICE TIER="B2B" PRICE="12,50" VALIDUNTIL=""/></ITEM>',
  "a price as the text of its element":
    '<ITEM SKU="S-1" TITLE="T"><SALESPRICE TIER="B2B">12,50</SALESPRICE></ITEM>',
  "price rows in a list":
    `<ITEM>${NAMED}<SALESPRICES><SALESPRICE>${PRICE}</SALESPRICE></SALESPRICES></ITEM>`,
  "names in any case": "<item><sku>S-1</sku><Title>T</Title>" +
    "<salesPrice><Tier>B2B</Tier><price>12,50</price></salesPrice></item>",
  "prefixes": "<e:ITEM xmlns:e='u'><e:SKU>S-1</e:SKU><e:TITLE>T</e:TITLE>" +
    "<e:SALESPRICE e:TIER='B2B'>12,50</e:SALESPRICE></e:ITEM>",
  "German names": "<ARTIKEL><ARTIKELNR>S-1</ARTIKELNR><BEZEICHNUNG>T</BEZEICHNUNG><PREISE><PREIS>" +
    "<PREISGRUPPE>B2B</PREISGRUPPE><VK>12,50</VK><GUELTIGBIS/></PREIS></PREISE></ARTIKEL>",
  "other names": "<PRODUCT><NUMBER>S-1</NUMBER><NAME>T</NAME>" +
    "<VKPREIS><PRICELIST>B2B</PRICELIST><AMOUNT>12,50</AMOUNT></VKPREIS></PRODUCT>",
  "items at another depth":
    "<a><b><ARTICLE><ARTICLENO>S-1</ARTICLENO><DESCRIPTION>T</DESCRIPTION>" +
    "<PREIS><PRICEGROUP>B2B</PRICEGROUP><BETRAG>12,50</BETRAG></PREIS></ARTICLE></b></a>",
  "texts in pieces": "<ITEM><SKU>S<!-- x -->-1</SKU><TITLE><![CDATA[T]]></TITLE>" +
    "<SALESPRICE><TIER>&#66;2B</TIER><PRICE>12<?pi?>,50</PRICE></SALESPRICE></ITEM>",
};

for (const [form, item] of Object.entries(FORMS)) {
  Deno.test(`erp-default reads ${form}`, async () => {
    const { sku, title, tier, ourPriceCents } = (await patchOf(item))!;
    assertEquals({ sku, title, tier, ourPriceCents }, SAME);
  });
}

Deno.test("erp-default takes the first name of a list that has a value", async () => {
  const names = "<DESCRIPTION>long</DESCRIPTION><NUMBER>2</NUMBER><TITLE>short</TITLE><SKU>1</SKU>";
  assertEquals(await patchOf(`<ITEM>${names}</ITEM>`), { sku: "1", title: "short" });
  const empty = "<SKU>1</SKU><TITLE/><NAME>T</NAME>";
  assertEquals(await patchOf(`<ITEM>${empty}</ITEM>`), { sku: "1", title: "T" });
});

Deno.test("erp-default keeps absent fields, and clears empty ones", async () => {
  assertEquals(await patchOf("<ITEM><SKU>1</SKU></ITEM>"), { sku: "1" });
  const empty =
    "<TITLE/><BRAND/><CATEGORY/><EAN/><MPN> </MPN><CURRENCY/><COSTPRICE/><TARGETPRICE/><TIER/>";
  const texts = { brand: null, category: null, ean: null, mpn: null, tier: null };
  const amounts = { costPriceCents: null, targetPriceCents: null, amountsIn: "EUR" };
  const cleared = await patchOf(`<ITEM><SKU>1</SKU>${empty}</ITEM>`);
  assertEquals(cleared, { sku: "1", ...texts, ...amounts });
});

Deno.test("erp-default reads links, whose ENABLED is yes when absent and no when empty", async () => {
  const page = { url: "https://shop.example/1", name: "A", domain: "shop.example" };
  const names = "<NAME>A</NAME><DOMAIN>Shop.example</DOMAIN><URL>https://shop.example/1</URL>";
  const flags = ["", "<ENABLED/>", ...["J", "nein", "?"].map((is) => `<ENABLED>${is}</ENABLED>`)];
  const links = flags.map((flag) => `<COMPETITOR>${names}${flag}</COMPETITOR>`).join("");
  const patch = await patchOf(`<ITEM><SKU>1</SKU><COMPETITORS>${links}</COMPETITORS></ITEM>`);
  const enabled = [true, false, true, false, true];
  assertEquals(patch?.links, enabled.map((enabled) => ({ ...page, enabled })));
});

Deno.test("erp-default is not misled by names of object properties", async () => {
  const names = "<__proto__><admin>1</admin></__proto__><constructor/>";
  const title = "<TITLE>a<![CDATA[<script>]]></TITLE>";
  const patch = await patchOf(`<ITEM><SKU>X4</SKU>${title}${names}</ITEM>`);
  assertEquals(patch, { sku: "X4", title: "a<script>" });
});
