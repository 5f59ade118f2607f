/**
 * Sessions that expire, second factors (with a virtual authenticator), and sign-in by a provider.
 */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Page } from "playwright-core";
import { addFirstPerson, outcome, PASSWORD } from "../accounts/people.ts";
import { follow, onScreen, type Visit, withBrowser } from "./browser.ts";
import { Secret, TOTP } from "otpauth";
import { MINUTE_MS } from "../../src/base/time.ts";
import { startOpenIdProvider } from "../accounts/openid_provider.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { kurantHere } from "../kurant_here.ts";
import { askIdleStore } from "../left_store.ts";
import { kurant, startServer } from "../program.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { violationsOf } from "./see_all_ways.ts";

const EMAIL = "anna@shop.example";

const panelOf = (page: Page) => page.getByRole("dialog", { name: "Neues Produkt" });
const save = (page: Page) => panelOf(page).getByRole("button", { name: "Anlegen" }).click();

async function openForm(page: Page, sku: string): Promise<void> {
  const data = { email: EMAIL, password: PASSWORD };
  assertEquals((await page.request.post("/api/auth/login", { data })).status(), 200);
  await page.goto("/products");
  await page.getByRole("button", { name: /^(Von Hand|Produkt) anlegen$/ }).first().click();
  await panelOf(page).getByLabel("SKU").fill(sku);
  await panelOf(page).getByLabel("Titel").fill("Kühlschrank KS 300");
  await panelOf(page).getByLabel("Unser Preis").fill("1.234,56");
  await panelOf(page).getByText(/= 1\.234,56\s€/).waitFor();
}

onScreen.test("a session that ends in the middle of a form costs a password, nothing else; a form keeps its input when it is closed by mistake, cannot be sent or is refused", async ({ app, browser }) => {
  await addFirstPerson(app, EMAIL);
  const { page, context } = await browser.visit(app.base);
  await openForm(page, "4711-A");
  await context.clearCookies();
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Bitte neu anmelden" });
  await dialog.getByLabel("Passwort").fill("falsch, ganz falsch");
  await dialog.getByRole("button", { name: "Anmelden" }).click();
  await dialog.getByText("E-Mail-Adresse oder Passwort stimmt nicht").waitFor();
  await dialog.getByLabel("Passwort").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Anmelden" }).click();
  await page.getByText("4711-A angelegt").waitFor();
  await page.getByRole("row", { name: /4711-A.*1\.234,56\s€/ }).waitFor();

  await openForm(page, "4711-B");
  const title = () => panelOf(page).getByLabel("Titel").inputValue();
  const question = page.getByRole("dialog", { name: "Eingaben verwerfen?" });
  // After several Escape keys in a row, browsers close a dialog even if the page prevents it.
  for (let times = 0; times < 5; times++) {
    await page.keyboard.press("Escape");
    await question.waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
  }
  assertEquals(await panelOf(page).isVisible(), true);
  assertEquals(await title(), "Kühlschrank KS 300");

  await context.setOffline(true);
  await save(page);
  await page.getByText("Keine Verbindung zum Dienst").waitFor();
  assertEquals(await title(), "Kühlschrank KS 300");
  await context.setOffline(false);

  await panelOf(page).getByLabel("EAN").fill("4006381333930");
  await save(page);
  await page.getByRole("alert").getByText(/req_[0-9A-Z]{26}/).waitFor();
  await page.locator(".field-error").waitFor();
  await panelOf(page).getByLabel("EAN").fill("4006381333931");
  await save(page);
  await page.getByText("4711-B angelegt").waitFor();
});

onScreen.test("when another person signs in in another tab, nobody's work continues in their name", async ({ app, browser }) => {
  await addFirstPerson(app, EMAIL);
  const { page, context } = await browser.visit(app.base, { cookie: app.ownerCookie });
  await page.goto("/products");
  await page.locator(".me-name").waitFor();
  await context.clearCookies();
  const other = await context.newPage();
  await typePassword(other);
  await page.locator(".me-name", { hasText: EMAIL }).waitFor();
  await other.close();
});

/** Browsers allow passkeys without https only on `localhost`. */
const LOCAL = { env: { HOST: "localhost" } };

const placeOf = ({ base }: TestApp) => base.replace("127.0.0.1", "localhost");

async function withAuthenticator({ page, context }: Visit): Promise<AsyncDisposable> {
  const session = await context.newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal" },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
  return { [Symbol.asyncDispose]: async () => void await session.send("WebAuthn.disable") };
}

async function typePassword(page: Page, password = PASSWORD): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("E-Mail-Adresse").fill(EMAIL);
  await page.getByLabel("Passwort").fill(password);
  const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/auth/login"));
  await page.getByRole("button", { name: "Anmelden", exact: true }).click();
  assertEquals((await answered).status(), 200);
}

async function signOut(page: Page): Promise<void> {
  assertEquals((await page.request.post("/api/auth/logout")).status(), 200);
}

async function addLaptop(page: Page, password = PASSWORD): Promise<void> {
  await typePassword(page, password);
  // Waits for the start page, which would otherwise replace the next screen.
  await page.waitForURL("/");
  await follow(page, "/settings/security");
  await page.getByRole("button", { name: "Passkey anlegen" }).click();
  const dialog = page.getByRole("dialog", { name: "Passkey anlegen" });
  await dialog.getByLabel("Name").fill("Laptop");
  await dialog.getByRole("button", { name: "Passkey anlegen" }).click();
  await page.getByRole("button", { name: "Codes sind aufbewahrt" }).click();
  await page.getByRole("cell", { name: "Laptop" }).waitFor();
}

onScreen.test("an authenticator app is set up by key on a phone, and completes a sign-in", async ({ app, browser }) => {
  await addFirstPerson(app, EMAIL);
  const { page } = await browser.visit(app.base, { viewport: { width: 390, height: 844 } });
  await typePassword(page);
  await page.waitForURL("/");
  await follow(page, "/settings/security");
  await page.getByRole("button", { name: "App einrichten" }).click();
  const dialog = page.getByRole("dialog", { name: "App einrichten" });
  await dialog.getByRole("img", { name: "QR-Code" }).waitFor();
  assertEquals(await violationsOf(page), []);
  const secret = await dialog.locator(".copy-text code").textContent() ?? "";
  const codeNow = () =>
    new TOTP({ secret: Secret.fromBase32(secret) })
      .generate({ timestamp: app.clock.now().getTime() });
  await dialog.getByLabel("Code aus der Authenticator-App").fill(codeNow());
  await dialog.getByRole("button", { name: "Bestätigen" }).click();
  const codes = page.getByRole("dialog", { name: "Wiederherstellungscodes" });
  await codes.getByRole("listitem").first().waitFor();
  assertEquals(await codes.getByRole("listitem").count(), 10);
  await codes.getByRole("button", { name: "Codes sind aufbewahrt" }).click();
  await page.getByText("Unbenutzt: 10").waitFor();
  await page.getByText("Dieses Gerät").waitFor();
  assertEquals(await violationsOf(page), []);
  await signOut(page);
  app.clock.advance(MINUTE_MS);
  await typePassword(page);
  await page.getByLabel("Code aus der Authenticator-App").fill(codeNow());
  assertEquals(await violationsOf(page), []);
  await page.getByRole("button", { name: "Bestätigen" }).click();
  await page.getByRole("navigation").first().waitFor();
});

/** Returns the passkey's answer to a challenge, made on the page's present origin. */
async function answerTo(page: Page, options: unknown): Promise<unknown> {
  return await page.evaluate(`(async () => {
    const sent = ${JSON.stringify(options)};
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(sent);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  })()`);
}

withBrowser.test("a passkey completes a password sign-in, signs in alone, and is refused from another origin, when repeated, and when it is old", async (browser) => {
  await using app = await startTestApp(LOCAL);
  await using other = await startTestApp(LOCAL);
  const visit = await browser.visit(placeOf(app));
  const { page } = visit;
  await using _ = await withAuthenticator(visit);
  await addFirstPerson(app, EMAIL);
  await addLaptop(page);
  await signOut(page);
  await typePassword(page);
  await page.getByRole("button", { name: "Mit Passkey bestätigen" }).click();
  await page.getByRole("navigation").first().waitFor();
  await signOut(page);
  await page.goto("/login");
  await page.getByRole("button", { name: "Passkey verwenden" }).click();
  await page.getByRole("navigation").first().waitFor();
  const { passkeys: [{ id }] } = await (await page.request.get("/api/auth/factors")).json();
  await page.request.patch(`/api/auth/passkeys/${id}`, { data: { name: "Notebook" } });
  const log = await page.request.get("/api/audit-logs?action=user.factor_rename");
  const { items: [row] } = await log.json();
  assertEquals([row.before, row.after], [{ name: "Laptop" }, { name: "Notebook" }]);

  const challenge = () => app.anyone.act("/api/auth/passkey-login/challenge", {});
  const send = async (passkey: unknown) =>
    await outcome(await app.anyone.post("/api/auth/passkey-login", { passkey }));
  const right = await answerTo(page, await challenge());
  assertEquals(await send(right), [200, null]);
  assertEquals(await send(right), [401, "invalid_login"], "a replayed challenge");
  const late = await answerTo(page, await challenge());
  app.clock.advance(5 * MINUTE_MS);
  assertEquals(await send(late), [401, "invalid_login"], "an old challenge");
  // Passkeys belong to a host name, and only the port differs here.
  await page.goto(`${placeOf(other)}/login`);
  const foreign = await answerTo(page, await challenge());
  assertEquals(await send(foreign), [401, "invalid_login"], "another origin");
});

onScreen.test("a sensitive action asks for a proof in one dialog and then continues", async ({ app, browser }) => {
  await addFirstPerson(app, EMAIL);
  const { page } = await browser.visit(app.base);
  await typePassword(page);
  await page.getByRole("navigation").first().waitFor();
  app.clock.advance(11 * MINUTE_MS);
  await follow(page, "/settings/keys");
  await page.getByRole("button", { name: "Schlüssel anlegen" }).first().click();
  const form = page.getByRole("dialog", { name: "Schlüssel anlegen" });
  await form.getByLabel("Name").fill("ERP");
  await form.getByRole("button", { name: "Schlüssel anlegen" }).click();
  const proof = page.getByRole("dialog", { name: "Sind Sie es?" });
  await proof.getByLabel("Passwort").fill("falsch-falsch-1");
  await proof.getByRole("button", { name: "Bestätigen" }).click();
  await proof.locator(".field-error").waitFor();
  assertEquals(await violationsOf(page), []);
  await proof.getByLabel("Passwort").fill(PASSWORD);
  await proof.getByRole("button", { name: "Bestätigen" }).click();
  await page.getByText(/pk_live_/).first().waitFor();
});

onScreen.test("a person whose role needs a factor is led to its set-up and to no other screen", async ({ app, browser }) => {
  await addFirstPerson(app, EMAIL, "viewer");
  await app.owner.change("/api/settings", { secondFactorRoles: ["viewer"] });
  const { page } = await browser.visit(app.base, { viewport: { width: 390, height: 844 } });
  await typePassword(page);
  await page.getByRole("heading", { name: "Zweiten Faktor einrichten" }).waitFor();
  await page.getByRole("button", { name: "App einrichten" }).waitFor();
  assertEquals(await violationsOf(page), []);
  await page.goto("/products");
  await page.getByRole("heading", { name: "Zweiten Faktor einrichten" }).waitFor();
});

withBrowser.test("the server accepts a passkey with the permissions of its task, and user factor-reset removes it", async (browser) => {
  await using folder = await temporaryFolder();
  const settings = { DATA_DIR: folder.path, HOST: "localhost" };
  const password = "siebzehn Kühlschränke";
  const command = ["user", "add", "--email", EMAIL, "--role", "owner"];
  const added = await kurantHere(command, settings, password);
  assertEquals([added.code, added.err], [0, ""]);
  await using server = await startServer(settings);
  const visit = await browser.visit(server.url.replace("127.0.0.1", "localhost"));
  const { page } = visit;
  await using _ = await withAuthenticator(visit);
  await addLaptop(page, password);
  await signOut(page);
  await typePassword(page, password);
  await page.getByRole("button", { name: "Mit Passkey bestätigen" }).click();
  await page.getByRole("navigation").first().waitFor();
  await server.stop("SIGTERM");
  const reset = await kurant(["user", "factor-reset", "--email", EMAIL], settings);
  assertEquals([reset.code, reset.out], [0, `Removed the second factors of ${EMAIL}\n`]);
  const login = { email: EMAIL, password };
  const { awaits, hasSecondFactor } = await askIdleStore(
    folder.path,
    (owner) => owner.act("/api/auth/login", login),
  );
  assertEquals([awaits, hasSecondFactor], [undefined, false]);
});

const JANA = {
  ...{ sub: "jana-1", email: "jana@shop.example", email_verified: true },
  ...{ name: "Jana Petersen", groups: ["pricing"] },
};

withBrowser.test("a person signs in and confirms a step at the provider, at 390 px", async (browser) => {
  let shiftMs = 0;
  await using provider = await startOpenIdProvider("kurant", JANA);
  await using app = await startTestApp({
    now: () => new Date(Date.now() + shiftMs),
    env: {
      ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: "kurant", OIDC_LABEL: "Firmenkonto" },
      ...{ OIDC_ROLES: "groups: pricing=manager", SCRAPE_ALLOW_PRIVATE: "127.0.0.1" },
    },
  });
  await addFirstPerson(app, "owner@shop.example");
  const viewport = { width: 390, height: 844 };
  const { page } = await browser.visit(app.base, { viewport });
  await page.goto("/login");
  const button = page.getByRole("button", { name: "Mit Firmenkonto anmelden" });
  await button.waitFor();
  assertEquals(await violationsOf(page), []);
  assertEquals(await page.evaluate("document.documentElement.scrollWidth"), 390);
  await button.click();
  await page.waitForURL((url) => url.pathname === "/");
  const me = await page.request.get("/api/auth/me");
  assertEquals([(await me.json()).name, new URL(page.url()).pathname], ["Jana Petersen", "/"]);
  // A sign-in of 11 minutes ago is too old for a protected step, so the provider asks again.
  shiftMs = 11 * 60_000;
  await page.goto("/settings/security");
  await page.getByRole("button", { name: "App einrichten" }).click();
  const prove = page.getByRole("button", { name: "Bei Firmenkonto erneut anmelden" });
  await prove.waitFor();
  assertEquals(await violationsOf(page), []);
  const order: string[] = [];
  page.on("request", (asked) => order.push(`asks ${new URL(asked.url()).pathname}`));
  page.on("response", (got) => order.push(`has ${new URL(got.url()).pathname}`));
  const returned = page.waitForURL((url) => url.pathname === "/sign-in");
  await prove.click();
  await returned;
  await page.waitForURL((url) => url.pathname === "/settings/security");
  await page.getByRole("button", { name: "App einrichten" }).click();
  // A late response to a request with the old cookie would overwrite the new session's cookie.
  const atFinish = order.indexOf("has /api/auth/provider/finish");
  assertEquals(order.slice(0, atFinish).includes("asks /api/auth/me"), false);
  await page.getByRole("img", { name: /QR/ }).waitFor();
});
