import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { Page } from "playwright-core";
import { bodyOf } from "../api/answers.ts";
import { addProduct, addRule, push, untilJudged } from "../evaluation/market.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { browserTest, type TestBrowser, type Visit } from "./browser.ts";

/** Six open proposals, which go down by 1 to 6 percent. */
async function fill(app: TestApp): Promise<void> {
  await addRule(app.owner, { marginFloor: { pct: 10 } });
  const skus = ["A", "B", "C", "D", "E", "F"];
  for (const sku of skus) await addProduct(app.owner, sku);
  await push(app, skus.map((sku, at) => [sku, "acme", 99 - at]));
  await untilJudged(app);
}

/** Of each SKU the status of its proposal; asked by somebody who stays signed in. */
async function statusesOf(app: TestApp): Promise<Record<string, string>> {
  const { items } = await bodyOf(app.viewer.get("/api/proposals?limit=200"), 200);
  return Object.fromEntries(
    items.map(({ sku, status }: { sku: string; status: string }) => [sku, status]).sort(),
  );
}

async function open(page: Page, count: number): Promise<void> {
  await page.getByText(`${count} offen`).waitFor();
}

/** The inbox of the owner, with the six in it. */
async function visitInbox(browser: TestBrowser, app: TestApp): Promise<Visit> {
  await fill(app);
  const visit = await browser.visit(app.base, { cookie: app.ownerCookie });
  await visit.page.goto("/proposals");
  await open(visit.page, 6);
  return visit;
}

browserTest("the inbox is worked by keys alone: why, approve, reject, undo", async (browser) => {
  await using app = await startTestApp();
  const { page, complaints } = await visitInbox(browser, app);
  await page.keyboard.press("j");
  const panel = page.getByRole("complementary", { name: "Warum dieser Preis?" });
  await panel.getByText("Formel „wie der günstigste Wettbewerber“").waitFor();
  const first = (await panel.locator(".proposal-title small").textContent()) ?? "";

  await page.keyboard.press("a");
  await open(page, 5);
  await page.getByText("1 angenommen").waitFor();
  await page.keyboard.press("r");
  await open(page, 4);
  await page.getByText("1 abgelehnt").waitFor();
  await page.keyboard.press("u");
  await open(page, 5);
  const afterUndo = await statusesOf(app);
  assertEquals(afterUndo[first], "applied");
  assertEquals(Object.values(afterUndo).filter((status) => status === "open").length, 5);

  // A rejection that nobody takes back is made when the screen is left.
  await page.keyboard.press("r");
  await open(page, 4);
  await page.keyboard.press("g");
  const sent = page.waitForResponse((answer) => answer.url().endsWith("/reject"));
  await page.keyboard.press("r");
  assertEquals((await sent).status(), 200);
  const atLast = Object.values(await statusesOf(app)).sort();
  assertEquals(atLast, ["applied", "open", "open", "open", "open", "rejected"]);
  assertEquals(complaints, []);
});

browserTest("a key decides on the row that the key before it has reached", async (browser) => {
  await using app = await startTestApp();
  const { page } = await visitInbox(browser, app);
  // Nothing is drawn any more: who is quick with keys does not wait for it.
  await page.evaluate("window.requestAnimationFrame = () => 0");
  for (const key of ["j", "a"]) await page.keyboard.press(key);
  await open(page, 5);
});

browserTest("keys stay on their proposal while others decide", async (browser) => {
  await using app = await startTestApp();
  const { page } = await visitInbox(browser, app);
  const { items } = await bodyOf(app.owner.get("/api/proposals?status=open"), 200);
  const [first, second, third] = items;
  const panel = page.getByRole("complementary", { name: "Warum dieser Preis?" });
  const shown = panel.locator(".proposal-title small");
  for (const _ of [first, second, third]) await page.keyboard.press("j");
  await shown.getByText(third.sku, { exact: true }).waitFor();

  await rejectElsewhere(app, page, first.id);
  await open(page, 5);
  assertEquals(await shown.textContent(), third.sku);

  await rejectElsewhere(app, page, third.id);
  await open(page, 4);
  await panel.getByText("Wählen Sie eine Zeile").waitFor();
  await page.keyboard.press("a");
  const left = Object.values(await statusesOf(app)).filter((status) => status === "open");
  assertEquals(left.length, 4);
});

browserTest("undo takes back the last approval, whichever is answered first", async (browser) => {
  await using app = await startTestApp();
  const { page } = await visitInbox(browser, app);
  const { items } = await bodyOf(app.owner.get("/api/proposals?status=open"), 200);
  const [slow, quick] = items;
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/api/proposals/${slow.id}/approve`, async (route) => {
    const response = await route.fetch();
    await isFree;
    await route.fulfill({ response });
  });
  const panel = page.getByRole("complementary", { name: "Warum dieser Preis?" });
  const shown = (sku: string) =>
    panel.locator(".proposal-title small").getByText(sku, { exact: true }).waitFor();
  await page.keyboard.press("j");
  await shown(slow.sku);
  await page.keyboard.press("a");
  await open(page, 5);
  await shown(quick.sku);
  const answered = page.waitForResponse((answer) => answer.url().endsWith(`${quick.id}/approve`));
  await page.keyboard.press("a");
  await open(page, 4);
  await answered;
  release();
  await page.getByText("1 angenommen").waitFor();
  await page.keyboard.press("u");
  await page.getByText("1 zurückgenommen").waitFor();
  const statuses = await statusesOf(app);
  assertEquals([statuses[slow.sku], statuses[quick.sku]], ["applied", "rolled_back"]);
});

/** As a colleague does; the page is told to look again, as when somebody comes back to it. */
async function rejectElsewhere(app: TestApp, page: Page, id: string): Promise<void> {
  await bodyOf(app.owner.post(`/api/proposals/${id}/reject`, {}), 200);
  await page.evaluate(`{
    const look = setInterval(() => dispatchEvent(new Event("visibilitychange")), 200);
    const seen = fetch;
    window.fetch = (...asked) => {
      if (String(asked[0]).startsWith("/api/proposals?")) clearInterval(look);
      return seen(...asked);
    };
  }`);
}

browserTest(
  "everything that changes little is approved at once, and rolled back at once",
  async (browser) => {
    await using app = await startTestApp();
    const { page, complaints } = await visitInbox(browser, app);
    await page.getByRole("button", { name: "2 annehmen" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "2 annehmen" }).click();
    await open(page, 4);
    await page.getByText("2 angenommen").waitFor();
    assertEquals(Object.values(await statusesOf(app)).slice(0, 3), ["applied", "applied", "open"]);
    await page.getByRole("button", { name: /Rückgängig/ }).click();
    await page.getByText("2 zurückgenommen").waitFor();
    const { items } = await bodyOf(app.owner.get("/api/products"), 200);
    const prices = items.map((product: { ourPriceCents: number }) => product.ourPriceCents);
    assertEquals(prices, [10_000, 10_000, 10_000, 10_000, 10_000, 10_000]);
    assertEquals(complaints, []);
  },
);

browserTest(
  "what cannot be approved any more says why, and is back in the list",
  async (browser) => {
    await using app = await startTestApp();
    const { page } = await visitInbox(browser, app);
    await page.keyboard.press("j");
    const panel = page.getByRole("complementary", { name: "Warum dieser Preis?" });
    const href = await panel.locator(".proposal-title a").getAttribute("href");
    await bodyOf(app.owner.patch(`/api${href}`, { priceLocked: true }), 200);
    await page.keyboard.press("a");
    const note = page.locator(".toast .note.bad");
    // What the service itself says is English, and stands behind a line on a German screen.
    await note.getByText("Genauer (englisch)").click();
    await note.getByText(/cannot be approved/).waitFor();
    await note.getByText(/^req_/).waitFor();
  },
);

browserTest("after g a key says where to go and decides nothing", async (browser) => {
  await using app = await startTestApp();
  const { page } = await visitInbox(browser, app);
  await page.keyboard.press("j");
  await page.locator(".inbox-panel .why").waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.goto("/proposals");
  await open(page, 6);
  assertEquals(new Set(Object.values(await statusesOf(app))), new Set(["open"]));
});

browserTest("a rejection that waits is sent before its person is signed out", async (browser) => {
  await using app = await startTestApp();
  const { page, complaints } = await visitInbox(browser, app);
  await page.keyboard.press("j");
  await page.locator(".inbox-panel .why").waitFor();
  await page.keyboard.press("r");
  await open(page, 5);
  await page.locator(".nav-foot summary").click();
  await page.getByRole("button", { name: "Abmelden" }).click();
  await page.locator(".nav-foot").waitFor({ state: "detached" });
  const decided = Object.values(await statusesOf(app)).filter((status) => status !== "open");
  assertEquals(decided, ["rejected"]);
  assertEquals(await page.getByText("Bitte neu anmelden").count(), 0);
  assertEquals(complaints, []);
});
