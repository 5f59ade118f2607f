/** Typical work with Kurant, each in a real browser against the whole service, with a limit of actions. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Page } from "playwright-core";
import { onNow } from "../client/browser.ts";
import { figuresOf, pricesOf } from "../client/shown.ts";
import { addProduct, addRule, decideOnce, push, untilJudged } from "../rules/evaluation/market.ts";
import type { TestApp } from "../harness.ts";
import { until } from "../patience.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { countPerson } from "./counted_person.ts";

/** A button with exactly this name. */
const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: true });

const skusOf = (count: number) => Array.from({ length: count }, (_, n) => `A-${1_000 + n}`);

/** Yesterday's file of an ERP in windows-1252, with five records without a SKU. */
function erpFile(articles: number): Uint8Array {
  const items = skusOf(articles).map((sku, n) =>
    `<ITEM><SKU>${n < 5 ? "" : sku}</SKU><TITLE>Kühlgerät ${n}</TITLE>` +
    `<SALESPRICE><PRICE>1.${100 + n},90</PRICE></SALESPRICE></ITEM>`
  );
  const text = `<?xml version="1.0" encoding="windows-1252"?><ITEMS>${items.join("")}</ITEMS>`;
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

onNow.test("the night job: a key, shown once with its command, in 5 actions, and the same file again changes nothing", async ({ app, browser }) => {
  await using folder = await temporaryFolder();
  await Deno.writeFile(`${folder.path}/preise.xml`, erpFile(30));
  const { page } = await browser.visit(app.base, { cookie: app.ownerCookie });
  const person = countPerson(page);
  await person.open("/settings/keys");
  await person.click(button(page, "Schlüssel anlegen").first());
  const dialog = page.getByRole("dialog");
  await person.write(dialog.getByLabel("Name"), "ERP nachts");
  await person.click(dialog.getByLabel("Produkte schreiben und importieren"));
  await person.click(dialog.getByRole("button", { name: "Schlüssel anlegen" }));
  const command = await dialog.locator("pre", { hasText: "preise.xml" }).innerText();
  person.didAtMost(5);

  const night = async () => {
    const shell = { args: ["-c", command], cwd: folder.path };
    const { success, stdout } = await new Deno.Command("bash", shell).output();
    ok(success);
    return JSON.parse(new TextDecoder().decode(stdout)).data.jobId;
  };
  const [first, second] = [await night(), await night()];
  await dialog.getByRole("button", { name: "Schließen" }).last().click();
  await page.getByText("pk_live_").waitFor();
  const [key = ""] = /pk_live_\w+/.exec(command) ?? [];
  assertEquals([key.length > 20, (await page.content()).includes(key)], [true, false]);
  for (const [jobId, counts] of [[first, ["25", "0"]], [second, ["0", "25"]]] as const) {
    await page.goto(`/imports/${jobId}`);
    await page.locator(".page-title").getByText("übernommen", { exact: true }).waitFor();
    assertEquals(await figuresOf(page, ["Neu", "Unverändert"]), counts);
  }
  // Nothing is wrong, so no rule has raised an alert.
  const { items } = await app.owner.read("/api/alerts");
  assertEquals(items.filter(({ ruleId }: { ruleId: unknown }) => ruleId !== null), []);
});

/** `count` proposals of two rules, each one percent lower than the one before. */
async function fillInbox(app: TestApp, count: number): Promise<void> {
  const brands = ["Odd", "Even"];
  for (const brand of brands) {
    const scope = { mode: "attribute", matches: { brand: [brand] } };
    // Rolled back proposals are open again at once, and nothing else is proposed.
    const calm = { marginFloor: { pct: 10 }, cooldownMinutes: 60 };
    await addRule(app.owner, { name: `Marke ${brand}`, ...calm, scope });
  }
  const skus = skusOf(count);
  for (const [n, sku] of skus.entries()) await addProduct(app.owner, sku, { brand: brands[n % 2] });
  await push(app, skus.map((sku, n) => [sku, "acme", 99 - n] as const));
  await untilJudged(app);
  await decideOnce(app);
}

async function statusCounts(app: TestApp): Promise<Record<string, number>> {
  const { items } = await app.viewer.read("/api/proposals?limit=200");
  const counts: Record<string, number> = {};
  for (const { status } of items) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Waits for the server, since key presses are faster than responses. */
const untilStatuses = (app: TestApp, expected: Record<string, number>) =>
  until(`proposals are ${JSON.stringify(expected)}`, async () => {
    const counts = await statusCounts(app);
    return Object.entries(expected).every(([status, count]) => counts[status] === count);
  });

const whyOf = (page: Page) => page.getByRole("complementary", { name: "Warum dieser Preis?" });

onNow.test("the morning's work: read, decide 20 and override one proposal in at most 30 keystrokes; an approval is undone later from the list of decisions", async ({ app, browser }) => {
  await fillInbox(app, 20);
  const page = await browser.open(app, "/");
  await page.getByText("Als Nächstes: 20 Vorschläge warten auf Sie.").waitFor();
  const person = countPerson(page);
  await person.press("g", "i");
  await page.locator(".page-title").getByText("20 offen").waitFor();
  await person.press("j");
  await whyOf(page).locator(".ladder").waitFor();
  const overridden = (await whyOf(page).locator(".proposal-title small").textContent()) ?? "";
  await person.press("e", ..."97,5", "Enter");
  await page.locator(".page-title").getByText("19 offen").waitFor();
  await person.press("s", "r", ...Array.from({ length: 17 }, () => "a"));
  await untilStatuses(app, { applied: 18, rejected: 1 });
  person.didAtMost(30);
  assertEquals((await pricesOf(app))[overridden], 9_750);
  const { items } = await app.viewer.read("/api/proposals?limit=200&later=true");
  assertEquals(items.length, 1);

  // An approved price is undone later, from the list of decisions.
  await person.click(page.getByRole("button", { name: "entschieden" }));
  await person.click(page.locator("tbody tr.opens").first());
  await person.click(whyOf(page).getByRole("button", { name: "Preis zurücknehmen" }));
  await person.click(page.getByRole("dialog").getByRole("button", { name: "zurücknehmen" }));
  await untilStatuses(app, { applied: 17, rolled_back: 2, open: 2 });
  person.didAtMost(4);
});
