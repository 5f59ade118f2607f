import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { addProducts, follow, holdRequests, onNow, onScreen } from "./browser.ts";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { untilReads } from "../caller.ts";
import { until } from "../patience.ts";
import { addRule } from "../rules/evaluation/market.ts";
import type { TestApp } from "../harness.ts";
import { chooseUpload } from "./on_page.ts";

onScreen.test("the form of a product refuses an invalid number and questions an odd price at every save; the form of a link keeps a pack factor of 0.3333, what it does not show, and what others changed", async ({ app, browser }) => {
  const more = { vatRatePct: 7, ourPrice: 30 };
  const [id = ""] = await addProducts(app, [{ sku: "A", title: "Toaster", ...more }]);
  const stored = async () => await app.owner.read(`/api/products/${id}`);
  const page = await browser.open(app, "/products");
  await page.getByRole("row", { name: /Toaster/ }).click();
  await page.getByRole("button", { name: "Stammdaten" }).click();
  const panel = page.getByRole("dialog", { name: "Produkt bearbeiten" });
  const vat = panel.getByLabel("Umsatzsteuer in %");
  await vat.fill("sieben");
  await panel.getByRole("button", { name: "Speichern" }).click();
  await panel.locator(".field-error").waitFor();
  assertEquals(await vat.getAttribute("aria-invalid"), "true");
  assertEquals((await stored()).vatRatePct, 7);

  await vat.fill("7");
  await panel.getByLabel("Unser Preis").fill("3000");
  const question = page.getByRole("dialog", { name: "Der Preis soll das Hundertfache werden?" });
  for (const answer of ["Abbrechen", "Abbrechen", "Ja, übernehmen"]) {
    await panel.getByRole("button", { name: "Speichern" }).click();
    await question.getByRole("button", { name: answer }).click();
    await question.waitFor({ state: "detached" });
  }
  await panel.waitFor({ state: "detached" });
  assertEquals((await stored()).ourPriceCents, 300_000);

  const extractor = { priceSelector: "#price", currency: "CHF", locale: "de-CH" };
  const match = { productId: id, url: "https://shop.example/p/1", packFactor: 0.3333, extractor };
  const link = await app.owner.create("/api/competitor-products", match);
  const path = `/api/competitor-products/${link.id}`;
  const linked = async () => await app.owner.read(path);
  await page.reload();
  const row = page.getByRole("row", { name: /shop\.example/ });
  await row.getByRole("button", { name: "Bearbeiten" }).click();
  const linkPanel = page.getByRole("dialog", { name: "Verknüpfung bearbeiten" });
  const factor = linkPanel.getByLabel("Packungsgröße");
  assertEquals(await factor.inputValue(), "0,3333");
  await linkPanel.getByLabel("Adresse der Produktseite").fill("https://shop.example/p/2");
  await factor.fill("drei");
  await linkPanel.getByRole("button", { name: "Speichern", exact: true }).click();
  await linkPanel.locator(".field-error").waitFor();
  assertEquals((await linked()).packFactor, 0.3333);

  await factor.fill("0,3333");
  await app.owner.change(path, { enabled: false });
  await linkPanel.getByRole("button", { name: "Speichern", exact: true }).click();
  await page.getByRole("button", { name: "Meine Eingaben darüber speichern" }).click();
  await linkPanel.waitFor({ state: "detached" });
  const { packFactor, url, enabled, extractor: kept } = await linked();
  assertEquals([packFactor, url, enabled], [0.3333, "https://shop.example/p/2", false]);
  assertEquals(kept, link.extractor);
});

onScreen.test("a form that resets after saving keeps text typed meanwhile, and is then not unsaved", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const address = "**/api/auth/password";
  await page.route(address, (route) => route.fulfill({ json: { ok: true } }));
  const { isSent, release } = await holdRequests(page, address);
  await page.goto("/settings/account");
  const before = page.getByLabel("Aktuelles Passwort");
  const after = page.getByLabel(/Neues Passwort/);
  await before.fill("sechs blaue Kühlschränke");
  await after.fill("sieben blaue Kühlschränke");
  await page.getByRole("button", { name: "Passwort ändern" }).click();
  await isSent;
  await after.fill("acht");
  release();
  await page.getByText(/Passwort geändert/).waitFor();
  assertEquals([await before.inputValue(), await after.inputValue()], ["", "acht"]);
  await after.fill("");
  await page.getByRole("link", { name: "Markt", exact: true }).click();
  await page.getByRole("heading", { level: 1 }).getByText("Markt").waitFor();
});

/** An object that two people change at the same time, or that the test deletes. */
interface Contested {
  readonly path: string;
  readonly screen: string;
  /** A button on `screen` that must be pressed before the object can be changed or deleted. */
  readonly opener?: string | RegExp;
  /** Absent if the object can only be deleted. */
  readonly edited?: Edited;
  /** The button that deletes the object; absent if it cannot be deleted. */
  readonly remove?: string;
}

interface Edited {
  /** The button that opens the form; absent if the form is already open. */
  readonly form?: string;
  readonly typed: readonly [label: string, text: string];
  /** The other person's change, made through the API. */
  readonly change: Readonly<Record<string, unknown>>;
  /** How the form shows the other person's change. */
  readonly shown: RegExp;
  /** Fields of the object after both people have saved. */
  readonly saved: Readonly<Record<string, unknown>>;
  /** The other person's later change; the test loads it into the form instead of overwriting it. */
  readonly loaded?: Texts;
}

type Texts = Readonly<Record<string, string>>;

const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true }).first().click();

async function contested({ owner }: TestApp): Promise<readonly Contested[]> {
  const idOf = async (path: string, body: unknown) => (await owner.create(path, body)).id;
  const productId = await idOf("/api/products", { sku: "A-1", title: "Alt", ourPrice: 100 });
  const shopId = await idOf("/api/competitors", { domain: "acme.example" });
  const sourceId = await idOf("/api/import-sources", { name: "Nachts" });
  const ruleId = await addRule(owner, { name: "Alt", enabled: false });
  const url = "https://erp.example/1";
  const hookId = await idOf("/api/webhooks", { url, events: ["price.changed"] });
  const { items } = await owner.read("/api/users");
  const viewer = items.find(({ role }: { role: string }) => role === "viewer");
  const view = { name: "Meine", query: "stock=true", columns: ["ourPrice"], isShared: true };
  const viewId = await idOf("/api/views", view);
  return [
    {
      path: `/api/views/${viewId}`,
      screen: `/products?columns=ourPrice&view=${viewId}`,
      ...{ opener: "Ansicht ändern", remove: "Löschen" },
      edited: {
        ...{ typed: ["Name", "Von mir"], change: { name: "Von ihr" }, shown: /Meine → Von ihr/ },
        saved: { name: "Von mir", query: "" },
        loaded: { name: "Von ihr", query: "stock=false" },
      },
    },
    {
      ...{ path: "/api/settings", screen: "/settings" },
      edited: {
        typed: ["Umsatzsteuersatz in Prozent", "7,7"],
        ...{ change: { importExpectedHours: 26 }, shown: /→ 26/ },
        saved: { vatRatePct: 7.7, importExpectedHours: 26 },
      },
    },
    {
      ...{ path: `/api/users/${viewer.id}`, screen: "/settings/people" },
      edited: {
        ...{ form: `Bearbeiten: ${viewer.email}`, typed: ["Name", "Selin"] },
        ...{ change: { role: "manager" }, shown: /Leser → Preismanager|viewer → manager/ },
        saved: { name: "Selin", role: "manager" },
      },
    },
    {
      ...{ path: `/api/products/${productId}`, screen: `/products/${productId}` },
      edited: {
        ...{ form: "Stammdaten", typed: ["Titel", "Von mir"], change: { ourPrice: 120 } },
        ...{ shown: /100,00\s€ → 120,00\s€/, loaded: { title: "Von ihr" } },
        saved: { title: "Von mir", ourPriceCents: 12_000 },
      },
      remove: "Produkt löschen",
    },
    {
      ...{ path: `/api/competitors/${shopId}`, screen: `/competitors/${shopId}` },
      ...{ opener: "Einstellungen", remove: "Löschen" },
      edited: {
        ...{ typed: ["Land", "AT"], change: { displayName: "Acme GmbH" }, shown: /→ Acme GmbH/ },
        saved: { displayName: "Acme GmbH", country: "AT" },
      },
    },
    {
      ...{ path: `/api/rules/${ruleId}`, screen: `/rules/${ruleId}` },
      edited: {
        ...{ form: "Umbenennen", typed: ["Name der Regel", "Von mir"] },
        ...{ change: { cooldownMinutes: 30 }, shown: /→ 30\smin/ },
        ...{ loaded: { name: "Von ihr" }, saved: { name: "Von mir" } },
      },
      remove: "Löschen",
    },
    {
      ...{ path: `/api/webhooks/${hookId}`, screen: "/settings/webhooks", opener: /^https:..erp/ },
      edited: {
        typed: ["Adresse", "https://erp.example/2"],
        change: { enabled: false, events: ["rule.fired"] },
        shown: /\d: Ereignisse/,
        saved: { url: "https://erp.example/2", enabled: false, events: ["rule.fired"] },
      },
      remove: "Löschen",
    },
    {
      ...{ path: `/api/import-sources/${sourceId}`, screen: "/imports/sources" },
      ...{ opener: /Nachts/, remove: "Löschen" },
    },
  ];
}

onNow.test("what another person has changed is shown before it is overwritten, loaded on request, and deleted after a question", async ({ app, browser }) => {
  const page = await browser.open(app, "/settings");
  for (const one of await contested(app)) {
    if (one.edited) await overwrite(app, page, one, one.edited);
    if (one.edited?.loaded) await load(app, page, one, one.edited.loaded, one.edited);
    if (one.remove) await remove(app, page, one, one.remove);
  }
});

/** Restarts the client, so that a late response to an earlier request cannot change the screen. */
async function openAnew(page: Page, { screen, opener }: Contested): Promise<void> {
  await page.goto("/settings");
  await follow(page, screen);
  if (opener !== undefined) await press(page, opener);
}

async function type(page: Page, one: Contested, { form, typed: [label, text] }: Edited) {
  await openAnew(page, one);
  if (form !== undefined) await press(page, form);
  const field = page.getByRole("dialog").or(page.locator("main")).last().getByLabel(label).first();
  await field.fill(text);
  return field;
}

async function overwrite(app: TestApp, page: Page, one: Contested, edited: Edited): Promise<void> {
  const { path } = one;
  const { saved } = edited;
  const stored = async () => {
    const whole = await app.owner.read(path);
    return Object.fromEntries(Object.keys(saved).map((name) => [name, whole[name]]));
  };
  await type(page, one, edited);
  await app.owner.change(path, edited.change);
  const before = await stored();
  await press(page, "Speichern");
  await page.getByRole("alert").getByText(edited.shown).waitFor();
  assertEquals(await page.getByRole("alert").getByText(/\bID\b/).count(), 0, path);
  assertEquals(await stored(), before, path);
  await press(page, "Meine Eingaben darüber speichern");
  await until(`${path} is saved`, async () => isDeepStrictEqual(await stored(), saved));
  await page.getByRole("alert").waitFor({ state: "detached" });
}

async function load(app: TestApp, page: Page, one: Contested, theirs: Texts, edited: Edited) {
  const { typed: [label] } = edited;
  const field = await type(page, one, { ...edited, typed: [label, "Noch einmal von mir"] });
  await app.owner.change(one.path, theirs);
  await press(page, "Speichern");
  await press(page, "Neuere Fassung laden");
  await until("the form has theirs", async () => await field.inputValue() === "Von ihr");
  // For a saved view, the loaded filter also appears in the list's address.
  await page.waitForURL((url) => url.search.includes(theirs.query ?? ""));
  const stored = await app.owner.read(one.path);
  assertEquals({ ...stored, ...theirs }, stored);
  await field.fill("Danach von mir");
  await press(page, "Speichern");
  const [name = ""] = Object.keys(theirs);
  await untilReads(app.owner, one.path, { [name]: "Danach von mir" });
  const saved = await app.owner.read(one.path);
  assertEquals({ ...saved, ...theirs, [name]: "Danach von mir" }, saved);
}

async function remove(app: TestApp, page: Page, one: Contested, button: string): Promise<void> {
  const { path } = one;
  await openAnew(page, one);
  await press(page, button);
  const question = page.getByRole("dialog").filter({ hasText: "löschen?" });
  await question.getByRole("button", { name: button, exact: true }).click();
  await until(`${path} is gone`, async () => {
    const answer = await app.owner.get(path);
    // Deleted products stay readable, with `deletedAt`.
    return answer.status === 404 || (await answer.json()).deletedAt !== undefined;
  });
}

onNow.test("a mapping is not saved over a profile that another person has changed", async ({ app, browser }) => {
  const rows = Array.from({ length: 6 }, (_, n) => `A-${n};Artikel ${n};1${n}99;${n + 5}40\r\n`);
  const table = `Nr;Titel;VK;EK\r\n${rows.join("")}`;
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const map = async (unit: string) => {
    await page.goto("about:blank");
    await chooseUpload(page, "artikel.csv", table);
    await page.getByText("Schreibweise, feste Werte und anderes").click();
    await page.getByLabel("Beträge").selectOption(unit);
  };
  const start = () => page.getByRole("button", { name: "Probelauf starten" }).click();
  const ended = () => page.getByText("Probelauf: Es wurde nichts geändert.").waitFor();
  await map("minor");
  await start();
  await ended();
  const { items } = await app.owner.read("/api/import-profiles?limit=200");
  const own = items.find(({ builtIn }: { builtIn: boolean }) => !builtIn);
  const path = `/api/import-profiles/${own.id}`;

  await map("major");
  await app.owner.change(path, { name: "Von ihr" });
  await start();
  const note = page.getByRole("alert").filter({ hasText: "Jemand anders hat das inzwischen" });
  await note.waitFor();
  assertEquals((await app.owner.read(path)).name, "Von ihr");
  await note.getByRole("button", { name: "Meine Eingaben darüber speichern" }).click();
  await ended();
  assertEquals((await app.owner.read(path)).name, own.name);
});
