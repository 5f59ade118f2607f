import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../../api/answers.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { sheetsOf } from "../../read_workbook.ts";

const PATH = "/api/public/v1/price-changes";

/**
 * Makes two changes of the first product, and one of the second, whose currency has no decimals.
 */
async function withChanges(app: TestApp): Promise<void> {
  await bodyOf(app.owner.patch("/api/settings", { pricesIncludeVat: true }), 200);
  const fields = { sku: "00=1", title: "Mixer", tier: "B2B", ourPrice: 1234.5 };
  const { id } = await bodyOf(app.owner.post("/api/products", fields), 201);
  app.clock.advance(24 * 3_600_000);
  await bodyOf(app.owner.patch(`/api/products/${id}`, { ourPrice: 999 }), 200);
  const yen = { sku: "=B", title: "Sake", currency: "JPY", ourPrice: 1_500 };
  await bodyOf(app.owner.post("/api/products", yen), 201);
}

withApp.test("price changes contain tier, first day of validity, and last their id", async (app) => {
  await withChanges(app);
  const key = await app.key(["proposals:read"]);
  const page = await bodyOf(key.get(PATH), 200);
  assertEquals(page.pricesIncludeVat, true);
  const brief = page.data.map((
    row: Record<string, unknown>,
  ) => [row.toCents, row.tier, row.validFrom]);
  assertEquals(brief, [
    [123_450, "B2B", "2026-03-01T23:00:00.000Z"],
    [99_900, "B2B", "2026-03-02T23:00:00.000Z"],
    [1_500, null, "2026-03-02T23:00:00.000Z"],
  ]);
  const csv = await key.get(`${PATH}?format=csv`);
  assertEquals(csv.headers.get("X-Prices-Include-Vat"), "true");
  const [head, first] = (await csv.text()).split("\r\n");
  assertEquals(
    head,
    '"sku","productId","fromCents","toCents","currency","at","source","ref","tier","validFrom","id"',
  );
  assertEquals(first?.includes(',"api","","B2B","2026-03-01T23:00:00.000Z","'), true, first);
});

withApp.test("price changes open in a German Excel without an import dialog", async (app) => {
  await withChanges(app);
  const key = await app.key(["proposals:read"]);
  const text = await (await key.get(`${PATH}?format=csv&dialect=excel`)).text();
  // `ReadableStream.text()` drops the byte order mark, so bytes are compared.
  const bytes = new Uint8Array(
    await (await app.viewer.get("/api/price-changes?format=csv&dialect=excel")).arrayBuffer(),
  );
  assertEquals([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  assertEquals(text.trimEnd().split("\r\n"), [
    '"Artikelnummer";"Preisgruppe";"Preis";"Währung";"Gültig ab";"Alter Preis";"Quelle"',
    '"00=1";"B2B";"1234,50";"EUR";"02.03.2026";"";"Eingabe oder API"',
    '"00=1";"B2B";"999,00";"EUR";"03.03.2026";"1234,50";"Eingabe oder API"',
    `"'=B";"";"1500";"JPY";"03.03.2026";"";"Eingabe oder API"`,
  ]);
});

withApp.test("price changes come as a workbook to viewers and keys, and continue where the last ones ended", async (app) => {
  await withChanges(app);
  const key = await app.key(["proposals:read"]);
  const answer = await key.get(`${PATH}?format=xlsx`);
  const since = answer.headers.get("X-Next-Since") ?? "";
  const rows = [
    ["Artikelnummer", "Preisgruppe", "Preis", "Währung", "Gültig ab", "Alter Preis", "Quelle"],
    ["00=1", "B2B", "1234.50", "EUR", "2026-03-02", null, "Eingabe oder API"],
    ["00=1", "B2B", "999.00", "EUR", "2026-03-03", "1234.50", "Eingabe oder API"],
    ["=B", null, "1500", "JPY", "2026-03-03", null, "Eingabe oder API"],
  ];
  assertEquals(await sheetsOf(new Uint8Array(await answer.arrayBuffer())), { "1": rows });
  const shown = await app.viewer.get("/api/price-changes?format=xlsx");
  assertEquals(await sheetsOf(new Uint8Array(await shown.arrayBuffer())), { "1": rows });
  const next = await key.get(`${PATH}?format=xlsx&since=${encodeURIComponent(since)}`);
  assertEquals(await sheetsOf(new Uint8Array(await next.arrayBuffer())), { "1": rows.slice(0, 1) });
});
