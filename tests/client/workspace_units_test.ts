import fc from "fast-check";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Locator } from "playwright-core";
import { CURRENCIES } from "../../src/base/money.ts";
import { dayOf, earlyTomorrow, endOfDay, startOfDay } from "../../src/client/formats/day.ts";
import { itemsXml } from "../imports/import_calls.ts";
import { addProducts, follow, onScreen } from "./browser.ts";
import { decimalText, readDecimal, readSigned } from "../../src/client/formats/decimal.ts";

const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "America/Havana",
  "America/Sao_Paulo",
  "America/Santiago",
  "Africa/Cairo",
  "Asia/Kathmandu",
  "Pacific/Auckland",
  "UTC",
];

Deno.test("a text that is no day stays as it is", () => {
  assertEquals(startOfDay("gestern", "Europe/Berlin"), "gestern");
  assertEquals(dayOf("", "Europe/Berlin"), "");
  assertEquals(dayOf("2026-07-01", "America/New_York"), "2026-07-01");
});

Deno.test("days follow the calendar of every time zone without gaps, also at clock changes", () => {
  const anyDay = fc.date({
    min: new Date("1990-01-01T00:00:00Z"),
    max: new Date("2040-01-01T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(anyDay, fc.constantFrom(...ZONES), (date, zone) => {
      const day = date.toISOString().slice(0, 10);
      const wanted = Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;
      assertEquals(Date.parse(startOfDay(day, zone)), wanted);
      assertEquals(dayOf(startOfDay(day, zone), zone), day);
      assertEquals(dayOf(endOfDay(day, zone), zone), day);
      const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
      assertEquals(Date.parse(startOfDay(next, zone)) - Date.parse(endOfDay(day, zone)), 1);
    }),
    { examples: ["2026-03-29", "2026-10-25"].map((day) => [new Date(day), "Europe/Berlin"]) },
  );
});

Deno.test("a snooze until a full hour ends when clocks show it, also after a clock change", () => {
  for (const [saturday, ends] of [["2026-03-28", "04:00"], ["2026-10-24", "05:00"]] as const) {
    const now = new Date(`${saturday}T12:00:00Z`);
    assertEquals(earlyTomorrow("Europe/Berlin", now).slice(11, 16), ends);
  }
});

onScreen.test("a day in a filter or of a key is a day of the workspace, and so is the last of the log's seven days", async ({ app, browser }) => {
  await app.owner.change("/api/settings", { timeZone: "America/New_York" });
  const now = new Date("2026-07-10T20:00:00Z");
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie, now });
  const asked = async (path: string, act: () => Promise<unknown>) => {
    const request = page.waitForRequest((one) =>
      one.url().includes(`${path}?`) && /from=|updatedSince=/.test(one.url())
    );
    await act();
    const { searchParams } = new URL((await request).url());
    return ["from", "to", "updatedSince"].map((name) => searchParams.get(name));
  };
  const log = "/audit-log?from=2026-07-01&to=2026-07-02";
  const audit = await asked("/api/audit-logs", () => page.goto(log));
  assertEquals(audit, ["2026-07-01T04:00:00.000Z", "2026-07-03T03:59:59.999Z", null]);

  await follow(page, "/products");
  await page.locator("search summary").click();
  const since = page.getByLabel("Geändert seit");
  const products = await asked("/api/products", () => since.fill("2026-07-01"));
  assertEquals(products, [null, null, "2026-07-01T04:00:00.000Z"]);
  await page.reload();
  assertEquals(await since.inputValue(), "2026-07-01");

  await follow(page, "/settings/keys");
  await page.getByRole("button", { name: "Schlüssel anlegen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("ERP");
  await dialog.getByLabel("Läuft ab").fill("2099-07-01");
  await dialog.getByRole("button", { name: "Schlüssel anlegen" }).click();
  await page.getByRole("row", { name: /ERP/ }).waitFor();
  const { items } = await app.owner.read("/api/keys");
  assertEquals(items[0].expiresAt, "2099-07-02T03:59:59.999Z");

  await app.owner.change("/api/settings", { timeZone: "Pacific/Auckland" });
  await page.goto("/audit-log");
  await page.getByRole("button", { name: "letzte 7 Tage" }).click();
  await page.waitForURL(/from=/);
  assertEquals(new URL(page.url()).searchParams.get("from"), "2026-07-05");
});

const JAPANESE = { sku: "A-1", title: "Mixer", currency: "JPY", ourPrice: 1_000 };
const XML = { "Content-Type": "application/xml" };

onScreen.test("a rehearsal and the audit log show prices in the currency of their product; currency and time zone of the company are chosen among all that are valid", async ({ app, browser }) => {
  const [id = ""] = await addProducts(app, [JAPANESE]);
  const xml = itemsXml([{ sku: "A-1", title: "Mixer", price: "1.200" }]);
  const { jobId } = await app.owner.act("/api/imports?dryRun=true", xml, XML);
  const page = await browser.open(app, `/imports/${jobId}`);
  const pricesIn = async (place: Locator) => {
    const text = await place.getByRole("row", { name: /Unser Preis/ }).innerText();
    return text.replaceAll("\u00a0", " ").split(/\s*[\t\n]\s*/).slice(-2);
  };
  await page.getByRole("button", { name: /^geändert \d/ }).click();
  const changes = page.getByRole("table", { name: "Änderungen", exact: true });
  assertEquals(await pricesIn(changes), ["1.000 ¥", "1.200 ¥"]);

  await app.owner.change(`/api/products/${id}`, { ourPrice: 1_200 });
  await follow(page, "/audit-log?action=product.update");
  await page.getByRole("row", { name: /A-1/ }).click();
  assertEquals(await pricesIn(page.getByRole("dialog")), ["1.000 ¥", "1.200 ¥"]);

  await app.owner.change("/api/settings", { timeZone: "Asia/Calcutta" });
  await page.goto("/settings/workspace");
  const zone = page.getByRole("combobox", { name: "Zeitzone" });
  assertEquals(await zone.inputValue(), "Asia/Calcutta");
  await zone.selectOption("UTC");
  const currency = page.getByRole("combobox", { name: "Währung" });
  const codes = await currency.locator("option").evaluateAll((all) =>
    all.map((option) => option.getAttribute("value"))
  );
  assertEquals(codes, CURRENCIES);
  await currency.selectOption("CHF – Schweizer Franken");
  await page.getByRole("button", { name: "Speichern", exact: true }).click();
  await page.getByText("Gespeichert").waitFor();
  const saved = await app.owner.read("/api/settings");
  assertEquals([saved.timeZone, saved.currency], ["UTC", "CHF"]);
});

const GERMAN: readonly (readonly [decimal: string | null, texts: readonly string[]])[] = [
  ["1234.56", ["1.234,56", "1234,56", "1234.56", "1,234.56"]],
  ["1234", ["1.234"]],
  ["1234567", ["1.234.567"]],
  ["12.5", ["12.5"]],
  ["0.5", ["0,5", ",5"]],
  ["12", ["12,-"]],
  ["1234.50", ["1 234,50 €", "1\u202f234,50"]],
  ["19.99", ["EUR 19,99"]],
  ["7", ["007"]],
  ["0", ["0"]],
  ["0.125", ["0.125", "00.125", "0,125"]],
  ["10125.5", ["10.125,5"]],
  [null, ["0.125,5", "00,125.5", "0.125.000", "", "-5", "1e3"]],
  [null, ["1,2,3", "12.34.56", "1.23,45", "abc", "12 Euro"]],
];

Deno.test("readDecimal() accepts German and English decimals in a German locale", () => {
  for (const [decimal, texts] of GERMAN) {
    const read = texts.map((text) => readDecimal(text, "de-DE"));
    assertEquals([texts, read], [texts, texts.map(() => decimal)]);
  }
});

Deno.test("readDecimal() reads a lone separator before three digits as the locale does", () => {
  assertEquals([readDecimal("1.234", "de-DE"), readDecimal("1.234", "en-GB")], ["1234", "1.234"]);
  assertEquals([readDecimal("1,234", "de-DE"), readDecimal("1,234", "en-GB")], ["1.234", "1234"]);
  assertEquals([readDecimal("0.125", "en-GB"), readDecimal("0,125", "en-GB")], ["0.125", "0.125"]);
});

Deno.test("readDecimal() reads back every amount that decimalText() writes", () => {
  const locales = fc.constantFrom("de-DE", "de-AT", "de-CH", "en-GB");
  fc.assert(fc.property(fc.nat(100_000_000_000), locales, (cents, locale) => {
    const read = readDecimal(decimalText(cents, "EUR", locale), locale);
    const [whole, fraction] = (read ?? "").split(".");
    assertEquals(Number(`${whole}${fraction}`), cents);
  }));
});

Deno.test("decimalText() has as many decimals as the currency", () => {
  const texts = ["EUR", "JPY", "KWD"].map((currency) => decimalText(123_456, currency, "de-DE"));
  assertEquals(texts, ["1.234,56", "123.456", "123,456"]);
  assertEquals(decimalText(null, "EUR", "de-DE"), "");
});

Deno.test("readSigned() takes a sign in any spelling, and a trailing percent sign", () => {
  const table = [
    ["−3", { isNegative: true, decimal: "3" }],
    ["-1,5 %", { isNegative: true, decimal: "1.5" }],
    ["+2", { isNegative: false, decimal: "2" }],
    [" 0,25% ", { isNegative: false, decimal: "0.25" }],
    ["- 4", { isNegative: true, decimal: "4" }],
    ["−0,01 €", { isNegative: true, decimal: "0.01" }],
    ["--3", null],
    ["drei", null],
    ["", null],
    ["−", null],
  ] as const;
  for (const [text, expected] of table) {
    assertEquals([text, readSigned(text, "de-DE")], [text, expected]);
  }
});
