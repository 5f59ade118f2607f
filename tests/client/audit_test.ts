import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { addRule, pushJudged } from "../rules/evaluation/market.ts";
import type { TestApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { addProducts, follow, onNow, onScreen, shortenPages } from "./browser.ts";
import { fileBehind, pricesOf } from "./on_page.ts";
import type { AuditRow } from "../../src/accounts/audit/audit.ts";
import {
  takeBack,
  type Undoing,
  undoingOf,
  undoingsOf,
} from "../../src/client/pages/audit_log/undo_entry.ts";
import { ApiError, type Ask, type Call, createApi } from "../../src/client/api/call.ts";
import { isDay, isFold, logRows } from "../../src/client/pages/audit_log/audit_columns.tsx";

const addTitled = (app: TestApp, skus: readonly string[]) =>
  addProducts(app, skus.map((sku) => ({ sku, title: `Titel ${sku}`, ourPrice: 100 })));

const HOLD = { heldUntil: "2036-12-01T00:00:00Z", reason: "Aktion mit Hersteller" };

onScreen.test("the log says in plain words who changed what, from what, to what and why", async ({ app, browser }) => {
  const [id = "", other = ""] = await addTitled(app, ["A-1", "B-1"]);
  await app.manager.change("/api/auth/me", { name: "Jana Petersen" });
  const change = { ourPrice: 120, reason: "Preis vom Vertrieb" };
  const path = `/api/products/${id}`;
  const { ourPriceUpdatedAt: at } = await app.manager.change(path, change);
  await app.manager.change(`/api/products/${other}`, HOLD);
  const mark = { isError: true, neverShown: true, reason: "Komma vergessen" };
  await app.manager.act(`${path}/price-history/${at}/mark`, mark);
  const ruleId = await addRule(app.owner, { name: "Kaffee günstig" });
  await pushJudged(app, [["A-1", "acme", 90]]);
  const { items: [open] } = await app.owner.read("/api/proposals");
  await app.manager.act(`/api/proposals/${open.id}/approve`);

  await importXml(await app.key(["products:write"]), itemsXml([{ sku: "I-1", title: "i" }]));

  const page = await browser.open(app, "/audit-log", { cookie: app.viewerCookie });
  const row = (name: RegExp) => page.getByRole("row", { name }).waitFor();
  await row(/Preis geändert: A-1 Titel.*Vertrieb.*100,00 €.*→ 120,00 €.*Jana Petersen/);
  await row(/Preis gehalten: B-1 Titel.*Aktion mit Hersteller.*frei.*gehalten bis 01.12.2036/);
  await row(/Als Fehler gekennzeichnet.*Komma vergessen.*120,00 €.*Fehler, nie gezeigt/);
  await row(/Vorschlag angenommen: A-1 Titel.*Kaffee günstig.*120,00 €.*→ 90,00 €/);
  await row(/über die API gemeldet.*1 Verknüpfung/);
  await row(/Import übernommen.*1 neu.*Zurücknehmen/);
  ok(!await page.getByText(ruleId).isVisible(), "no id stands as a name");

  const reasons = page.getByRole("button", { name: /mit Grund/ });
  await reasons.click();
  await page.waitForURL(/only=reason/);
  await page.getByText("3 Einträge").waitFor();
  assertEquals(await reasons.getAttribute("aria-pressed"), "true");
  await page.locator("summary", { hasText: "Filter" }).click();
  await page.getByLabel("SKU", { exact: true }).fill("A-1");
  await page.waitForURL(/sku=A-1/);
  await page.getByText("2 Einträge").waitFor();
  await reasons.click();
  await page.locator("summary", { hasText: "Filter" }).click();
  await page.getByLabel("SKU", { exact: true }).fill("");
  await page.getByLabel("Regel", { exact: true }).selectOption({ label: "Kaffee günstig" });
  await page.waitForURL(/rule=/);
  await page.getByText("2 Einträge").waitFor();
  await page.getByLabel("Regel", { exact: true }).selectOption("");
  await page.getByLabel("Durch wen").selectOption({ label: "Jana Petersen" });
  await page.waitForURL(/actor=/);
  const named = page.getByRole("group", { name: "Nur diese Einträge" });
  await named.getByRole("button", { name: "Durch wen: Jana Petersen" }).waitFor();
  await page.getByPlaceholder("Produkt, Person oder Grund").fill("komma jana");
  await page.waitForURL(/q=komma/);
  await page.getByText("1 Eintrag", { exact: true }).waitFor();
  const file = await fileBehind(page.getByRole("link", { name: "CSV" }));
  assertEquals(file.trim().split("\r\n").length, 2);
  await page.goto("/audit-log?sku=nobody&resource=proposal");
  await page.locator(".empty").waitFor();
  await named.getByRole("button", { name: "Gegenstand: Vorschlag" }).click();
  await page.waitForURL((url) => url.search === "?sku=nobody");
  await named.getByRole("button", { name: "SKU: nobody" }).click();
  await row(/Preis geändert: A-1 Titel/);
});

onNow.test("entries are grouped by day, and each that can be undone offers it: price, hold, mark, rejection, approval, bulk", async ({ app, browser }) => {
  const skus = ["PRICE", "HOLD", "MARK", "NO", "YES", "BULK"];
  const [price = "", hold = "", mark = "", , , bulk = ""] = await addTitled(app, skus);
  const patch = (id: string, body: object) => app.manager.change(`/api/products/${id}`, body);
  await patch(price, { ourPrice: 120 });
  await patch(hold, HOLD);
  const { ourPriceUpdatedAt: at } = await patch(mark, { ourPrice: 90 });
  const error = { isError: true, neverShown: false, reason: null };
  await app.manager.act(`/api/products/${mark}/price-history/${at}/mark`, error);
  await addRule(app.owner);
  await pushJudged(app, [["NO", "acme", 80], ["YES", "acme", 81]]);
  const { items } = await app.owner.read("/api/proposals?status=open");
  for (const { id, sku } of items) {
    const verb = sku === "NO" ? "reject" : "approve";
    await app.manager.act(`/api/proposals/${id}/${verb}`);
  }
  const locked = { ids: [bulk, price], set: { priceLocked: true } };
  await app.manager.act("/api/products/bulk", locked);

  const page = await browser.open(app, "/audit-log", { viewport: { width: 1440, height: 1000 } });
  await page.locator("tr.heading", { hasText: /^Heute, / }).waitFor();
  const takeBack = async (name: RegExp) => {
    const row = page.getByRole("row", { name });
    const answered = page.waitForResponse((answer) => answer.request().method() !== "GET");
    await row.getByRole("button", { name: "zurücknehmen" }).click();
    assertEquals((await answered).ok(), true, name.source);
    await row.getByRole("button", { name: "zurücknehmen" }).waitFor({ state: "detached" });
  };
  // The undo of the bulk change is a new row of the log.
  const bulkRows = page.getByRole("row", { name: /Produkt gesammelt geändert/ });
  await bulkRows.getByRole("button", { name: "zurücknehmen" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "zurücknehmen" }).click();
  await bulkRows.nth(1).waitFor();

  await takeBack(/Preis geändert.*PRICE.*→ 120,00/);
  await takeBack(/Preis gehalten.*HOLD/);
  await takeBack(/Als Fehler gekennzeichnet.*MARK.*→ Fehler/);
  await takeBack(/Vorschlag abgelehnt.*NO.*bleibt.100,00.€ \(Vorschlag/);
  await takeBack(/Vorschlag angenommen.*YES/);
  const same = { PRICE: 10_000, HOLD: 10_000, NO: 10_000, YES: 10_000, BULK: 10_000 };
  assertEquals(await pricesOf(app), { ...same, MARK: 9_000 });
  const found = await app.viewer.read("/api/products?limit=50");
  for (const { sku, heldUntil, priceLocked } of found.items) {
    assertEquals([sku, heldUntil, priceLocked], [sku, null, false]);
  }
  const history = await app.viewer.read(`/api/products/${mark}/price-history`);
  assertEquals(history.items[0].mark, null);
  const open = await app.viewer.read("/api/proposals?status=open");
  // Rules that ran again may have opened more proposals.
  ok(open.items.some(({ sku }: { sku: string }) => sku === "NO"));

  // The undo does not overwrite a newer price.
  const change = page.getByRole("row", { name: /Preis geändert.*MARK.*→ 90,00/ });
  await patch(mark, { ourPrice: 85 });
  await change.getByRole("button", { name: "zurücknehmen" }).click();
  await page.getByText("Das hat sich seither geändert").waitFor();
  const viewer = await browser.open(app, "/audit-log", { cookie: app.viewerCookie });
  await viewer.getByRole("row", { name: /Preis geändert.*MARK/ }).first().waitFor();
  assertEquals(await viewer.getByRole("button", { name: "zurücknehmen" }).count(), 0);
});

onNow.test("prices that were set together, and proposals that were accepted together, are one line, which unfolds and is taken back as a whole; a counter-price shows the price that was set", async ({ app, browser }) => {
  const ids = await addTitled(app, Array.from({ length: 24 }, (_, n) => `S-${n}`));
  const raised = { currency: "EUR", seenCents: 10_000, ourPriceCents: 11_000 };
  const body = { prices: ids.map((id) => ({ id, ...raised })), reason: "Frachtzuschlag" };
  await app.manager.act("/api/products/bulk/prices", body);
  await app.manager.change(`/api/products/${ids[0]}`, { ourPrice: 120 });

  const viewport = { width: 1440, height: 1000 };
  const page = await browser.open(app, "/audit-log?action=product.update", { viewport });
  const line = page.getByRole("row", {
    name: /24 Preise gesetzt.*und 23 weitere.*Frachtzuschlag.*im Mittel \+10,0.%/,
  });
  await line.waitFor();
  const each = page.getByRole("row", { name: /Preis geändert/ });
  assertEquals(await each.count(), 1);
  await page.getByText("25 Einträge", { exact: true }).waitFor();
  await line.getByRole("button", { name: /Alle 24 zeigen/, expanded: false }).click();
  await page.getByRole("row", { name: /S-23 Titel S-23.*→ 110,00/ }).waitFor();
  await line.getByRole("button", { name: /Weniger zeigen/, expanded: true }).click();
  await page.getByRole("row", { name: /S-23 Titel S-23.*→ 110,00/ }).waitFor({ state: "detached" });
  // The first `j` selects the single change in the first row; the second selects the group below.
  for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
  await line.getByRole("button", { name: /Weniger zeigen/, expanded: true }).waitFor();
  // On a phone, the entries of an opened group look like all others.
  await page.setViewportSize({ width: 390, height: 844 });
  const { background, tops } = await page.locator(".cards tr.part").first().evaluate((row) => ({
    background: getComputedStyle(row).backgroundColor,
    tops: [...row.querySelectorAll('[data-column="actor"], [data-column="undo"]')]
      .map((cell) => Math.round(cell.getBoundingClientRect().top)),
  }));
  assertEquals(background, "rgba(0, 0, 0, 0)");
  assertEquals([tops.length, new Set(tops).size], [2, 1], `person and undo at ${tops}`);
  await page.setViewportSize(viewport);

  // The page does not know this change, because it loaded the log earlier.
  await app.manager.change(`/api/products/${ids[1]}`, { ourPrice: 130 });
  await line.getByRole("button", { name: "zurücknehmen" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("23 Änderungen zurücknehmen?").waitFor();
  await dialog.getByRole("button", { name: "zurücknehmen" }).click();
  await page.getByText("22 zurückgenommen, 1 seither geändert und geblieben").waitFor();
  await page.getByRole("row", { name: /22 Preise gesetzt/ }).waitFor();
  const { "S-0": first, "S-1": second, ...others } = await pricesOf(app);
  assertEquals([first, second], [12_000, 13_000]);
  assertEquals(new Set(Object.values(others)), new Set([10_000]));

  await addTitled(app, ["A", "B", "C"]);
  await addRule(app.owner, { name: "Kaffee günstig" });
  await pushJudged(app, [["A", "acme", 80], ["B", "acme", 90], ["C", "acme", 95]]);
  const { items } = await app.owner.read("/api/proposals?status=open");
  const idOf = (wanted: string) => items.find(({ sku }: { sku: string }) => sku === wanted).id;
  await app.manager.act("/api/proposals/bulk", { action: "approve", ids: [idOf("A"), idOf("B")] });
  const counter = { priceCents: 9_600, reason: "reicht" };
  await app.manager.act(`/api/proposals/${idOf("C")}/approve`, counter);
  await page.goto("/audit-log");
  await page.getByRole("row", { name: /Vorschlag angenommen.*C.*reicht.*100,00.*→ 96,00/ })
    .waitFor();
  const both = page.getByRole("row", {
    name: /2 Vorschläge angenommen.*Kaffee günstig.*im Mittel −15,0.%/,
  });
  await both.getByRole("button", { name: /Alle 2 zeigen/ }).waitFor();
  await both.getByRole("button", { name: "zurücknehmen" }).click();
  await dialog.getByRole("button", { name: "zurücknehmen" }).click();
  await page.getByRole("row", { name: /2 Preise zurückgenommen/ }).waitFor();
  const { A, B, C } = await pricesOf(app);
  assertEquals([A, B, C], [10_000, 10_000, 9_600]);
});

onScreen.test("imports offer undo in one request, a held one says its reason once, and a webhook has its address", async ({ app, browser }) => {
  const key = await app.key(["products:write"]);
  const file = (price: string) =>
    itemsXml(["A", "B", "C"].map((sku) => ({ sku, title: sku, price })));
  await importXml(key, file("1299,00"));
  app.clock.advance(600_000);
  await importXml(key, file("1300,00"));
  app.clock.advance(600_000);
  await importXml(key, file("12,99"));
  const url = "https://erp.example/hooks/kurant";
  await app.owner.create("/api/webhooks", { url, events: ["price.changed"] });

  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/audit-log");
  await page.getByRole("link", { name: "zurücknehmen" }).nth(1).waitFor();
  assertEquals(asked.filter((path) => path.startsWith("/api/imports")), []);
  await page.getByRole("row", { name: url }).waitFor();
  const held = page.getByRole("row", { name: /Import angehalten/ });
  const why = "3 von 3 Preisen stehen wohl in der falschen Einheit";
  await held.getByText(why).waitFor();
  await held.getByRole("link", { name: /^Bis .* entscheiden$/ }).waitFor();
  assertEquals((await held.innerText()).match(/angehalten/gi)?.length, 1);
  await follow(page, "/imports");
  await page.locator(".held-note").getByText(why).waitFor();
});

onScreen.test("people set their own names; the log shows them, and knows names on its later pages", async ({ app, browser }) => {
  const key = await app.key(["products:write"]);
  await importXml(key, itemsXml([{ sku: "A", title: "Erster", price: "9,00" }]));
  const { items: [product] } = await app.owner.read("/api/products");
  await app.manager.change(`/api/products/${product?.id}`, { ourPrice: 10 });
  for (let n = 0; n < 3; n++) {
    app.clock.advance(600_000);
    await app.manager.change("/api/auth/me", { name: `Jana ${n}` });
  }
  const page = await browser.open(app, "/settings/account");
  await page.getByLabel("Ihr Name").fill("Marek Vogt");
  await page.getByRole("button", { name: "Speichern", exact: true }).click();
  await page.getByText("Name gespeichert").waitFor();
  assertEquals((await app.owner.read("/api/auth/me")).name, "Marek Vogt");
  await shortenPages(page, "/api/audit-logs", 3);
  await follow(page, "/audit-log");
  await page.getByRole("row", { name: /Marek Vogt/ }).first().waitFor();
  await page.getByText("6 Einträge").waitFor();
  await page.getByRole("row", { name: /Preis geändert: A Erster/ }).waitFor();
});

const NOW_MS = Date.parse("2026-11-20T12:00:00Z");
let lastId = 0;

function row(action: string, more: Partial<AuditRow> = {}, id = "p1"): AuditRow {
  const [type = ""] = action.split(".");
  lastId++;
  return {
    ...{ id: `a${lastId}`, requestId: `req_${lastId}`, action, before: null, after: null },
    at: new Date(NOW_MS - 1_000_000 + lastId * 1_000).toISOString(),
    actor: { type: "user", id: "u", name: "Jana" },
    resource: { type, id, label: id },
    ...more,
  };
}

const priced = (from: number, to: number, more: Partial<AuditRow> = {}) =>
  row("product.update", { before: { ourPriceCents: from }, after: { ourPriceCents: to }, ...more });

Deno.test("undoingOf() reverts a price in its currency, a hold or a switch, but nothing beyond these", () => {
  const table: readonly (readonly [AuditRow["before"], AuditRow["after"], unknown])[] = [
    [{ ourPriceCents: 1 }, { ourPriceCents: 2 }, { ourPriceCents: 1 }],
    [{ ourPriceCents: null }, { ourPriceCents: 2 }, { ourPriceCents: null }],
    [{ heldUntil: null }, { heldUntil: "2026-12-01T00:00:00Z" }, { heldUntil: null }],
    [{ heldUntil: "2026-11-20T11:00:00Z" }, { heldUntil: null }, { heldUntil: null }],
    [
      { heldUntil: "2026-11-21T11:00:00Z", ourPriceCents: 1 },
      { heldUntil: null, ourPriceCents: 2 },
      { heldUntil: "2026-11-21T11:00:00Z", ourPriceCents: 1 },
    ],
    [{ title: "Alt" }, { title: "Neu" }, null],
    [{ title: "Alt", ourPriceCents: 1 }, { title: "Neu", ourPriceCents: 2 }, null],
    [{}, {}, null],
    [null, { ourPriceCents: 1 }, null],
  ];
  for (const [before, after, back] of table) {
    const found = undoingOf(row("product.update", { before, after }), NOW_MS);
    const undone = found?.kind === "product" ? [found.seen, found.back] : null;
    assertEquals(undone, back && [after, back]);
  }
  const inEuros = undoingOf(priced(1, 2, { currency: "EUR" }), NOW_MS);
  assertEquals(inEuros?.kind === "product" && inEuros.seen, { ourPriceCents: 2, currency: "EUR" });
});

function requestOf(ask: Ask<unknown>): string {
  let asked = "";
  const note = (address: string, { params: { path }, body }: Sent) => {
    const filled = address.replace(/{(\w+)}/g, (_, name) => path[name] ?? "");
    asked = [filled, ...(body ? [JSON.stringify(body)] : [])].join(" ");
    return Promise.withResolvers().promise;
  };
  void ask(new Proxy(createApi({}), { get: () => note }));
  return asked;
}

interface Sent {
  readonly params: { readonly path: Readonly<Record<string, string>> };
  readonly body?: unknown;
}

function wayOf(undoing: Undoing): string | null {
  switch (undoing.kind) {
    case "request":
      return requestOf(undoing.ask);
    case "link":
      return `${JSON.stringify(undoing.back)} ${undoing.matchId}`;
    case "decision":
      return `${undoing.action} ${undoing.proposalId}`;
    default:
      return null;
  }
}

Deno.test("undoingOf() can undo decisions, marks and deletions", () => {
  const at = "2026-11-19T08:00:00.000Z";
  const until = "2026-11-22T06:00:00Z";
  const reopened = "/api/competitor-products/x/reopen";
  const unmarked = `/api/products/x/price-history/${at}/mark` +
    ' {"isError":false,"neverShown":false,"reason":null}';
  const table: readonly [string, AuditRow["before"], AuditRow["after"], string | null][] = [
    ["proposal.approve", null, null, "rollback x"],
    ["proposal.reject", null, null, "reopen x"],
    ["proposal.later", { until: null }, { until }, '/api/proposals/x/later {"until":null}'],
    ["proposal.later", { until }, { until: null }, null],
    ["proposal.rollback", null, null, null],
    ["competitor_product.update", { noPrice: null }, { noPrice: true }, '{"noPrice":false} x'],
    ["competitor_product.update", { noPrice: true }, { noPrice: false }, null],
    ["competitor_product.update", null, { noPrice: true, enabled: false }, null],
    ["competitor_product.delete", null, null, '{"removed":false} x'],
    ["competitor_product.confirm", null, { said: "confirmed" }, reopened],
    ["competitor_product.reject", null, { said: "rejected" }, reopened],
    ["competitor_product.reopen", null, { said: null }, null],
    ["product.mark", { at, isError: false }, { at, isError: true }, unmarked],
    ["product.mark", { at, isError: true }, { at, isError: false }, null],
    ["product.delete", null, null, "/api/products/x/restore"],
    ["product.create", null, { sku: "A" }, null],
    ["rule.update", { name: "a" }, { name: "b" }, null],
    ["user.create", null, { role: "viewer" }, null],
  ];
  for (const [action, before, after, way] of table) {
    const found = undoingOf(row(action, { before, after }, "x"), NOW_MS);
    assertEquals([action, before, found && wayOf(found)], [action, before, way]);
  }
});

Deno.test("takeBack() counts every decision that a refused request leaves, and reports a failed request", async () => {
  const undo = (count: number, ...answers: (readonly string[] | number)[]) => {
    const call: Call = () => {
      const answer = answers.shift() ?? [];
      if (typeof answer !== "number") {
        return Promise.resolve(Object({ results: answer.map((id) => ({ id, ok: true })) }));
      }
      const [code, message, requestId] = ["conflict", "No", null];
      return Promise.reject(new ApiError({ code, message, requestId, status: answer }));
    };
    const undoings = Array.from({ length: count }, (_, n): Undoing => {
      return { kind: "decision", action: "rollback", proposalId: `p${n}` };
    });
    return takeBack(call, undoings, "undone");
  };
  assertEquals(await undo(3, 409), { done: 0, left: 3, reopened: [] });
  const first = Array.from({ length: 200 }, (_, n) => `p${n}`);
  await rejects(undo(250, first, 503), { status: 503 });
});

Deno.test("undoingOf() reverts a bulk change per product, and only where the change still holds", () => {
  const setsOf = (before: Record<string, unknown>, after: Record<string, unknown>) => {
    const found = undoingOf(row("product.bulk", { before, after }, "bulk"), NOW_MS);
    return found?.kind === "bulk" ? found.changes.map(({ set, ids }) => [set, ids]) : null;
  };
  const hours = (scrapeIntervalHours: number) => ({ scrapeIntervalHours });
  const found = { a: hours(6), b: hours(3), c: hours(6) };
  assertEquals(
    undoingOf(row("product.bulk", { before: found, after: hours(12) }, "bulk"), NOW_MS),
    {
      kind: "bulk",
      changes: [
        { set: hours(6), ids: ["a", "c"], having: hours(12) },
        { set: hours(3), ids: ["b"], having: hours(12) },
      ],
      products: 3,
    },
  );
  const none = { heldUntil: null };
  const held = { a: none, b: { heldUntil: "2026-11-20T11:59:00Z" } };
  assertEquals(setsOf(held, { heldUntil: "2026-12-01T00:00:00Z" }), [[none, ["a", "b"]]]);
  const worn = { a: { condition: null }, b: { condition: "new" } };
  const wornSets = [[{ condition: null }, ["a"]], [{ condition: "new" }, ["b"]]];
  assertEquals(setsOf(worn, { condition: "used" }), wornSets);
  assertEquals(setsOf({ a: { condition: "odd" } }, { condition: "used" }), null);
  assertEquals(setsOf({ a: { unknown: 1 } }, { unknown: 2 }), null);
  assertEquals(setsOf({ a: "no" }, { priceLocked: true }), null);
});

Deno.test("undoingsOf() offers only the newest change of an object, and the decision instead of its price", () => {
  const [first, second] = [priced(1, 2), priced(2, 3)];
  const hold = row("product.update", {
    before: { heldUntil: null },
    after: { heldUntil: "2026-12-01T00:00:00Z" },
  });
  const offered = (rows: readonly AuditRow[]) => [...undoingsOf(rows, NOW_MS).keys()].sort();
  assertEquals(offered([hold, second, first]), [second.id, hold.id].sort());
  assertEquals(offered([first, second, hold]), [second.id, hold.id].sort());

  const requestId = "req_same";
  const price = priced(100, 90, { requestId });
  const approval = row("proposal.approve", { requestId, after: { productId: "p1" } }, "x");
  assertEquals(offered([price, approval]), [approval.id]);
  const later = priced(90, 80);
  assertEquals(offered([price, approval, later]), [later.id]);

  const rejected = row("proposal.reject", { after: { productId: "p2" } }, "y");
  const reopened = row("proposal.reopen", { after: { productId: "p2" } }, "z");
  assertEquals(offered([rejected]), [rejected.id]);
  assertEquals(offered([rejected, reopened]), []);
});

Deno.test("logRows() shows a heading per day of the workspace", () => {
  const rows = ["19T23:30:00Z", "19T22:59:59Z", "18T23:00:00Z", "18T22:59:00Z"]
    .map((time) => row("product.delete", { at: `2026-11-${time}` }));
  const listed = logRows(rows, { byDayOf: "Europe/Berlin", open: new Set() });
  const heads = listed.flatMap(({ id }, n) => id.startsWith("day") ? [`${n} ${id}`] : []);
  assertEquals(heads, ["0 day 2026-11-20", "2 day 2026-11-19", "5 day 2026-11-18"]);
  assertEquals(logRows([], { byDayOf: "UTC", open: new Set() }), []);
});

function folded(rows: readonly AuditRow[], open: readonly string[] = []): string[] {
  return logRows(rows, { byDayOf: "UTC", open: new Set(open) })
    .filter((one) => !isDay(one))
    .map((one) => isFold(one) ? String(one.folded.length) : one.id);
}

/** Returns audit entries of one request, which began `seconds` after `NOW_MS`. */
function entriesOf(requestId: string, seconds: number, rows: readonly AuditRow[]): AuditRow[] {
  return rows.map((one, n) => ({
    ...one,
    requestId,
    at: new Date(NOW_MS + seconds * 1_000 + n).toISOString(),
  }));
}

const prices = (count: number) => Array.from({ length: count }, (_, n) => priced(n + 1, n + 2));

Deno.test("logRows() counts decisions, not their price changes; a single decision forms no group", () => {
  const decided = (productId: string) => [
    row("product.update", { before: { ourPriceCents: 2 }, after: { ourPriceCents: 1 } }, productId),
    row("proposal.approve", { after: { productId } }, `of ${productId}`),
  ];
  assertEquals(folded(entriesOf("nine", 0, ["a", "b", "c"].flatMap(decided))), ["3"]);
  const one = entriesOf("one", 0, decided("a"));
  assertEquals(folded(one), [one[1]?.id]);
});

Deno.test("logRows() joins the requests of a large action, but no entries of others, of later times or of other kinds", () => {
  const large = [...entriesOf("first", 0, prices(200)), ...entriesOf("rest", 3, prices(1))];
  assertEquals(folded(large), ["201"]);
  const somebody = { type: "user", id: "v", name: "Selin" } as const;
  const held = { before: { heldUntil: null }, after: { heldUntil: "2026-12-01T00:00:00Z" } };
  const strangers = {
    later: entriesOf("later", 200, prices(1)),
    why: entriesOf("why", 4, [priced(1, 2, { reason: "other" })]),
    theirs: entriesOf("theirs", 4, [priced(1, 2, { actor: somebody })]),
    hold: entriesOf("hold", 4, [row("product.update", held)]),
  };
  for (const [what, rows] of Object.entries(strangers)) {
    assertEquals(folded([...large, ...rows]), ["201", rows[0]?.id], what);
  }
  // Similar actions of one person within two minutes are one row of the log.
  assertEquals(folded([...entriesOf("a", 0, prices(1)), ...entriesOf("b", 1, prices(1))]), ["2"]);
  const nightly = [0, 86_400, 172_800].flatMap((at) =>
    entriesOf("source", at, [row("import_source.pull")])
  );
  assertEquals(folded(nightly), nightly.map(({ id }) => id));
});

Deno.test("logRows() keeps entries in between in their place", () => {
  const [a = priced(1, 2), b = priced(1, 2), c = priced(1, 2)] = entriesOf("many", 0, prices(3));
  const between = { ...row("rule.toggle"), at: b.at };
  assertEquals(folded([a, between, b, c], [`fold ${a.id}`]), ["3", a.id, b.id, c.id, between.id]);
  const mixed = entriesOf("mixed", 0, [priced(1, 2), row("product.delete"), priced(1, 2)]);
  assertEquals(folded(mixed), ["2", mixed[1]?.id]);
});
