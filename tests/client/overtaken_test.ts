import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { until } from "../patience.ts";
import { addRule } from "../rules/evaluation/market.ts";
import type { TestApp } from "../harness.ts";
import { addProducts, follow, onNow } from "./browser.ts";
import { chooseUpload } from "./choose_file.ts";

/** An object that two people change at once. */
interface Contested {
  /** The path of the object in the API. */
  readonly path: string;
  /** Opens the form of the object and changes a field. */
  edit(page: Page): Promise<void>;
  /** The change that another person makes. */
  readonly change: Readonly<Record<string, unknown>>;
  /** How the form shows that change. */
  readonly shown: RegExp;
  /** Fields of the object after my entries were saved over that change. */
  readonly saved: Readonly<Record<string, unknown>>;
}

async function contested(app: TestApp): Promise<readonly Contested[]> {
  const [productId = ""] = await addProducts(app, [{ sku: "A-1", title: "Alt", ourPrice: 100 }]);
  const shopId = await made(app, "/api/competitors", { domain: "acme.example" });
  const ruleId = await addRule(app.owner, { name: "Alt", enabled: false });
  const hook = { url: "https://erp.example/1", events: ["price.changed"] };
  const hookPath = await made(app, "/api/webhooks", hook);
  const { items } = await app.owner.read("/api/users");
  const viewer = items.find(({ role }: { role: string }) => role === "viewer");
  return [
    {
      path: `/api/products/${productId}`,
      edit: async (page) => {
        await follow(page, `/products/${productId}`);
        await page.getByRole("button", { name: "Stammdaten" }).click();
        await page.getByRole("dialog").getByLabel("Titel").fill("Von mir");
      },
      change: { ourPrice: 120 },
      shown: /100,00\s€ → 120,00\s€/,
      saved: { title: "Von mir", ourPriceCents: 12_000 },
    },
    {
      path: shopId,
      edit: async (page) => {
        await follow(page, shopId.slice("/api".length));
        await page.getByRole("button", { name: "Einstellungen", exact: true }).click();
        await page.getByRole("dialog").getByLabel("Land").fill("AT");
      },
      change: { displayName: "Acme GmbH" },
      shown: /→ Acme GmbH/,
      saved: { displayName: "Acme GmbH", country: "AT" },
    },
    {
      path: "/api/settings",
      edit: async (page) => {
        await follow(page, "/settings");
        await page.getByLabel("Umsatzsteuersatz in Prozent").fill("7,7");
      },
      change: { importExpectedHours: 26 },
      shown: /→ 26/,
      saved: { vatRatePct: 7.7, importExpectedHours: 26 },
    },
    {
      path: `/api/users/${viewer.id}`,
      edit: async (page) => {
        await follow(page, "/settings/people");
        await page.getByRole("button", { name: `Bearbeiten: ${viewer.email}` }).click();
        await page.getByRole("dialog", { name: viewer.email }).getByLabel("Name").fill("Selin");
      },
      change: { role: "manager" },
      shown: /Leser → Preismanager|viewer → manager/,
      saved: { name: "Selin", role: "manager" },
    },
    {
      path: `/api/rules/${ruleId}`,
      edit: async (page) => {
        await follow(page, `/rules/${ruleId}`);
        await page.getByRole("button", { name: "Umbenennen" }).click();
        await page.getByLabel("Name der Regel").fill("Von mir");
      },
      change: { cooldownMinutes: 30 },
      shown: /→ 30\smin/,
      saved: { name: "Von mir" },
    },
    {
      path: hookPath,
      edit: async (page) => {
        await follow(page, "/settings/webhooks");
        await page.getByRole("button", { name: hook.url }).click();
        await page.getByRole("dialog").getByLabel("Adresse").fill("https://erp.example/2");
      },
      change: { enabled: false, events: ["rule.fired"] },
      shown: /\d: Ereignisse/,
      saved: { url: "https://erp.example/2", enabled: false, events: ["rule.fired"] },
    },
  ];
}

const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).first().click();

onNow.test("what another person has changed is shown before it is overwritten", async ({ app, browser }) => {
  const page = await browser.open(app, "/settings");
  for (const { path, edit, change, shown, saved } of await contested(app)) {
    const stored = async () => {
      const whole = await app.owner.read(path);
      return Object.fromEntries(Object.keys(saved).map((name) => [name, whole[name]]));
    };
    await edit(page);
    await app.owner.change(path, change);
    const before = await stored();
    await press(page, "Speichern");
    await page.getByRole("alert").getByText(shown).waitFor();
    assertEquals(await page.getByRole("alert").getByText(/\bID\b/).count(), 0, path);
    assertEquals(await stored(), before, path);
    await press(page, "Meine Eingaben darüber speichern");
    await until(`${path} is saved`, async () => isDeepStrictEqual(await stored(), saved));
    await page.getByRole("alert").waitFor({ state: "detached" });
  }
});

onNow.test("the newer version is loaded into the form of a product or a rule", async ({ app, browser }) => {
  const [id] = await addProducts(app, [{ sku: "A-1", title: "Alt" }]);
  const ruleId = await addRule(app.owner, { name: "Alt", enabled: false });
  const page = await browser.open(app, `/products/${id}`);
  const ask = async (path: string, change: Readonly<Record<string, unknown>>) => {
    await app.owner.change(path, change);
    await press(page, "Speichern");
    await press(page, "Neuere Fassung laden");
  };
  await press(page, "Stammdaten");
  const title = page.getByRole("dialog").getByLabel("Titel");
  await title.fill("Von mir");
  await ask(`/api/products/${id}`, { title: "Von ihr" });
  await until("the title is theirs", async () => await title.inputValue() === "Von ihr");

  await follow(page, `/rules/${ruleId}`);
  await press(page, "Umbenennen");
  const name = page.getByLabel("Name der Regel");
  await name.fill("Von mir");
  await ask(`/api/rules/${ruleId}`, { name: "Von ihr" });
  await until("the name is theirs", async () => await name.inputValue() === "Von ihr");

  const paths = [`/api/products/${id}`, `/api/rules/${ruleId}`];
  const stored = await Promise.all(paths.map((path) => app.owner.read(path)));
  assertEquals(stored.map((one) => one.title ?? one.name), ["Von ihr", "Von ihr"]);
});

onNow.test("two tabs edit one view: changes of the other tab are shown before overwriting or deleting", async ({ app, browser }) => {
  await addProducts(app, [{ sku: "A-1", title: "Topf", ourPrice: 10 }]);
  const body = { name: "Meine", query: "stock=true", columns: ["ourPrice"], isShared: true };
  const { id } = await app.owner.create("/api/views", body);
  const path = `/api/views/${id}`;
  const stored = async () => {
    const { name, query } = await app.owner.read(path);
    return [name, query];
  };
  const other = async (patch: Readonly<Record<string, unknown>>) =>
    await app.owner.change(path, patch);
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
  const { id } = await app.owner.create(path, body);
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
  const page = await browser.open(app, "/rules");
  for (const { what, make, change, open, button } of REMOVALS) {
    const path = await make(app);
    await open(page, path.split("/").at(-1) ?? "");
    const remove = page.getByRole("button", { name: button, exact: true }).first();
    await remove.waitFor();
    await app.owner.change(path, change);
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
