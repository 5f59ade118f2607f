import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../patience.ts";
import { bodyOf } from "../api/answers.ts";
import { addRule } from "../rules/evaluation/market.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { addProducts, follow, onScreen, screenWith } from "./browser.ts";
import { chooseUpload } from "./choose_file.ts";

onScreen.test("two people at one product: the second one sees who changed what", async ({ app, browser }) => {
  const [id = ""] = await addProducts(app, [{ sku: "A-1", title: "Alt", ourPrice: 100 }]);
  const path = `/api/products/${id}`;
  const stored = () => bodyOf(app.owner.get(path), 200);
  const page = await browser.open(app, `/products/${id}`);
  const edit = async (title: string) => {
    await page.getByRole("button", { name: "Stammdaten" }).click();
    await page.getByRole("dialog").getByLabel("Titel").fill(title);
  };
  await edit("Von mir");
  assertEquals((await app.owner.patch(path, { ourPrice: 120 })).status, 200);
  const save = page.getByRole("button", { name: "Speichern", exact: true });
  await save.click();
  const note = page.getByRole("dialog").getByRole("alert");
  await note.getByText("100,00 € → 120,00 €").waitFor();
  assertEquals((await stored()).title, "Alt");

  await note.getByRole("button", { name: "Meine Eingaben darüber speichern" }).click();
  await page.locator("dialog[open]").waitFor({ state: "detached" });
  const after = await stored();
  assertEquals([after.title, after.ourPriceCents], ["Von mir", 12_000]);

  await page.getByRole("heading", { name: "Von mir" }).waitFor();
  await edit("Noch einmal");
  assertEquals((await app.owner.patch(path, { title: "Von ihr" })).status, 200);
  await save.click();
  await page.getByRole("button", { name: "Neuere Fassung laden" }).click();
  assertEquals(await page.getByRole("dialog").getByLabel("Titel").inputValue(), "Von ihr");
  assertEquals((await stored()).title, "Von ihr");
});

const onNow = screenWith(() => startTestApp({ now: () => new Date() }));

onNow.test("changes of another person to a shop or the settings are shown before they are overwritten", async ({ app, browser }) => {
  const shop = { domain: "acme.example", displayName: "Acme" };
  const { id } = await bodyOf(app.owner.post("/api/competitors", shop), 201);
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const save = (name: string) => page.getByRole("button", { name, exact: true }).click();
  await page.goto("/competitors");
  await page.locator("tbody tr.opens td").first().click();
  await page.getByRole("button", { name: "Einstellungen" }).click();
  await page.getByRole("dialog").getByLabel("Land").fill("AT");
  await bodyOf(app.owner.patch(`/api/competitors/${id}`, { displayName: "Acme GmbH" }), 200);
  await save("Speichern");
  const note = page.getByRole("alert");
  await note.getByText("Acme → Acme GmbH").waitFor();
  await save("Meine Eingaben darüber speichern");
  await page.locator("dialog[open]").waitFor({ state: "detached" });
  const { displayName, country } = await bodyOf(app.owner.get(`/api/competitors/${id}`), 200);
  assertEquals([displayName, country], ["Acme GmbH", "AT"]);

  await follow(page, "/settings");
  await page.getByLabel("Umsatzsteuersatz in Prozent").fill("7,7");
  await bodyOf(app.owner.patch("/api/settings", { importExpectedHours: 26 }), 200);
  await save("Speichern");
  await save("Meine Eingaben darüber speichern");
  const stored = async () => await bodyOf(app.owner.get("/api/settings"), 200);
  // The message about the shop may still be shown, so the test waits for the settings themselves.
  await until("the settings are saved", async () => (await stored()).vatRatePct === 7.7);
  assertEquals((await stored()).importExpectedHours, 26);

  await page.getByLabel("Zeitzone").selectOption("Europe/Vienna");
  await bodyOf(app.owner.patch("/api/settings", { name: "Von ihr" }), 200);
  await save("Speichern");
  await save("Neuere Fassung laden");
  assertEquals(await page.getByLabel("Zeitzone").inputValue(), "Europe/Berlin");
  assertEquals((await bodyOf(app.owner.get("/api/settings"), 200)).name, "Von ihr");
});

onNow.test("changes of another owner to a person are shown before they are overwritten", async ({ app, browser }) => {
  const { items } = await bodyOf(app.owner.get("/api/users"), 200);
  const viewer = items.find(({ role }: { role: string }) => role === "viewer");
  const page = await browser.open(app, "/settings/people");
  await page.getByRole("button", { name: `Bearbeiten: ${viewer.email}` }).click();
  const dialog = page.getByRole("dialog", { name: viewer.email });
  await dialog.getByLabel("Name").fill("Selin");
  await bodyOf(app.owner.patch(`/api/users/${viewer.id}`, { role: "manager" }), 200);
  const save = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
  await save("Speichern");
  await dialog.getByRole("alert").getByText(/Leser → Preismanager|viewer → manager/).waitFor();
  const stored = async () => {
    const { name, role } = await bodyOf(app.owner.get(`/api/users/${viewer.id}`), 200);
    return [name ?? null, role];
  };
  assertEquals(await stored(), [null, "manager"]);
  await save("Meine Eingaben darüber speichern");
  await dialog.waitFor({ state: "detached" });
  assertEquals(await stored(), ["Selin", "manager"]);
});

onNow.test("changes of another person to a rule are shown before they are overwritten, or loaded", async ({ app, browser }) => {
  const id = await addRule(app.owner, { name: "Alt", enabled: false });
  const path = `/api/rules/${id}`;
  const stored = async () => {
    const { name, cooldownMinutes } = await bodyOf(app.owner.get(path), 200);
    return [name, cooldownMinutes];
  };
  const page = await browser.open(app, `/rules/${id}`);
  const name = page.getByLabel("Name der Regel");
  const press = (text: string) => page.getByRole("button", { name: text, exact: true }).click();
  await press("Umbenennen");
  await name.fill("Von mir");
  await bodyOf(app.owner.patch(path, { cooldownMinutes: 30 }), 200);
  await press("Speichern");
  await page.getByRole("alert").getByText(/→ 30\smin/).waitFor();
  assertEquals(await stored(), ["Alt", 30]);
  await press("Meine Eingaben darüber speichern");
  await page.getByRole("heading", { level: 1, name: "Von mir" }).waitFor();
  assertEquals((await stored())[0], "Von mir");

  await name.fill("Noch einmal");
  await bodyOf(app.owner.patch(path, { name: "Von ihr" }), 200);
  await press("Speichern");
  await press("Neuere Fassung laden");
  await until("their words are there", async () => await name.inputValue() === "Von ihr");
  assertEquals((await stored())[0], "Von ihr");
});

onNow.test("two tabs edit one view: changes of the other tab are shown before overwriting or deleting", async ({ app, browser }) => {
  await addProducts(app, [{ sku: "A-1", title: "Topf", ourPrice: 10 }]);
  const body = { name: "Meine", query: "stock=true", columns: ["ourPrice"], isShared: true };
  const { id } = await bodyOf(app.owner.post("/api/views", body), 201);
  const path = `/api/views/${id}`;
  const stored = async () => {
    const { name, query } = await bodyOf(app.owner.get(path), 200);
    return [name, query];
  };
  const other = async (patch: Readonly<Record<string, unknown>>) =>
    await bodyOf(app.owner.patch(path, patch), 200);
  const page = await browser.open(app, `/products?columns=ourPrice&view=${id}`);
  const dialog = page.getByRole("dialog", { name: "Ansicht ändern" });
  const open = async (name: string) => {
    await page.getByRole("button", { name: "Ansicht ändern" }).click();
    await dialog.getByLabel("Name").fill(name);
  };
  const press = (name: string) => dialog.getByRole("button", { name, exact: true }).click();

  await open("Von mir");
  await other({ name: "Von ihr" });
  await press("Speichern");
  await dialog.getByRole("alert").getByText("Meine → Von ihr").waitFor();
  assertEquals(await stored(), ["Von ihr", "stock=true"]);
  await press("Meine Eingaben darüber speichern");
  await page.getByRole("link", { name: /^Von mir/ }).waitFor();
  assertEquals(await stored(), ["Von mir", ""]);

  await open("Noch einmal");
  await other({ query: "stock=false" });
  await press("Speichern");
  await press("Neuere Fassung laden");
  await page.waitForURL(/stock=false/);
  assertEquals(await dialog.getByLabel("Name").inputValue(), "Von mir");
  await press("Speichern");
  await dialog.waitFor({ state: "detached" });
  assertEquals(await stored(), ["Von mir", "stock=false"]);

  await page.getByRole("button", { name: "Ansicht ändern" }).click();
  await other({ name: "Wieder anders" });
  await press("Löschen");
  const question = page.getByRole("dialog", { name: "Ansicht löschen?" });
  await question.getByRole("button", { name: "Löschen" }).click();
  await question.getByText("Jemand anders hat das geändert").waitFor();
  await question.getByRole("button", { name: "Abbrechen" }).click();
  await question.waitFor({ state: "detached" });
  assertEquals((await stored())[0], "Wieder anders");
  // The list behind the dialog now has the newer version.
  await press("Löschen");
  await question.getByRole("button", { name: "Löschen" }).click();
  await dialog.waitFor({ state: "detached" });
  assertEquals((await app.owner.get(path)).status, 404);
});

interface Removal {
  readonly what: string;
  /** Creates the object and returns its path in the API. */
  make(app: TestApp): Promise<string>;
  /** The change that another person makes. */
  readonly change: Readonly<Record<string, unknown>>;
  /** Opens the screen with the delete button. */
  open(page: Page, id: string): Promise<unknown>;
  readonly button: string;
}

const nextTo = (page: Page, name: string) => page.getByRole("button", { name }).first().click();

const made = async (app: TestApp, path: string, body: unknown) => {
  const { id } = await bodyOf(app.owner.post(path, body), 201);
  return `${path}/${id}`;
};

const REMOVALS: readonly Removal[] = [
  {
    what: "rule",
    make: async (app) => `/api/rules/${await addRule(app.owner, { name: "Alt", enabled: false })}`,
    change: { name: "Neu" },
    open: (page, id) => page.goto(`/rules/${id}`),
    button: "Löschen",
  },
  {
    what: "product",
    make: async (app) =>
      `/api/products/${(await addProducts(app, [{ sku: "A-1", title: "Alt" }]))[0]}`,
    change: { title: "Neu" },
    open: (page, id) => page.goto(`/products/${id}`),
    button: "Produkt löschen",
  },
  {
    what: "shop",
    make: (app) => made(app, "/api/competitors", { domain: "acme.example" }),
    change: { displayName: "Neu" },
    open: async (page, id) => {
      await page.goto(`/competitors/${id}`);
      await nextTo(page, "Einstellungen");
    },
    button: "Löschen",
  },
  {
    what: "source",
    make: (app) => made(app, "/api/import-sources", { name: "Nachts" }),
    change: { name: "Morgens" },
    open: async (page) => {
      await page.goto("/imports/sources");
      await nextTo(page, "Nachts");
    },
    button: "Löschen",
  },
  {
    what: "webhook",
    make: (app) =>
      made(app, "/api/webhooks", { url: "https://hooks.example/a", events: ["price.changed"] }),
    change: { enabled: false },
    open: async (page) => {
      await page.goto("/settings/webhooks");
      await page.locator("tbody button.link").first().click();
    },
    button: "Löschen",
  },
];

onNow.test("what another person has changed is deleted only after a second question", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  for (const { what, make, change, open, button } of REMOVALS) {
    const path = await make(app);
    await open(page, path.split("/").at(-1) ?? "");
    const remove = page.getByRole("button", { name: button, exact: true }).first();
    await remove.waitFor();
    await bodyOf(app.owner.patch(path, change), 200);
    await remove.click();
    const question = page.getByRole("dialog").filter({ hasText: "löschen?" });
    const yes = question.getByRole("button", { name: button, exact: true });
    await yes.click();
    const again = question.filter({ hasText: "Jemand anders hat das geändert" });
    await again.getByRole("button", { name: "Abbrechen" }).click();
    await again.waitFor({ state: "detached" });
    assertEquals([what, (await app.owner.get(path)).status], [what, 200]);

    await remove.click();
    await yes.click();
    await again.or(page.locator("main").filter({ hasNot: remove })).first().waitFor();
    if (await again.count() > 0) await yes.click();
    await until(`the ${what} is gone`, async () => await isGone(app, path));
  }
});

/** Deleted products stay readable, with `deletedAt`. */
async function isGone(app: TestApp, path: string): Promise<boolean> {
  const answer = await app.owner.get(path);
  return answer.status === 404 || (await answer.json()).deletedAt !== undefined;
}

onNow.test("a mapping is not saved over a profile that another person has changed", async ({ app, browser }) => {
  const rows = Array.from({ length: 6 }, (_, n) => `A-${n};Artikel ${n};1${n}99;${n + 5}40\r\n`);
  const bytes = new TextEncoder().encode(`Nr;Titel;VK;EK\r\n${rows.join("")}`);
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const map = async (unit: string) => {
    await page.goto("about:blank");
    await chooseUpload(page, "artikel.csv", bytes);
    await page.getByText("Schreibweise, feste Werte und anderes").click();
    await page.getByLabel("Beträge").selectOption(unit);
  };
  const start = () => page.getByRole("button", { name: "Probelauf starten" }).click();
  const ended = () => page.getByText("Probelauf: Es wurde nichts geändert.").waitFor();
  await map("minor");
  await start();
  await ended();
  const { items } = await bodyOf(app.owner.get("/api/import-profiles?limit=200"), 200);
  const own = items.find(({ builtIn }: { builtIn: boolean }) => !builtIn);
  const path = `/api/import-profiles/${own.id}`;

  await map("major");
  await bodyOf(app.owner.patch(path, { name: "Von ihr" }), 200);
  await start();
  const note = page.getByRole("alert").filter({ hasText: "Jemand anders hat das inzwischen" });
  await note.waitFor();
  assertEquals((await bodyOf(app.owner.get(path), 200)).name, "Von ihr");
  await note.getByRole("button", { name: "Meine Eingaben darüber speichern" }).click();
  await ended();
  assertEquals((await bodyOf(app.owner.get(path), 200)).name, own.name);
});
