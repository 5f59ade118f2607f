/** Fills screens with links, rules and proposals, for the test that opens every screen. */
import type { Page } from "playwright-core";
import { waitForJob } from "../../src/platform/jobs/job_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { blankLine } from "../../src/scraping/link_checks/check_kind.ts";
import { CHECK_KIND } from "../../src/scraping/link_checks/link_check.ts";
import { CheckRows } from "../../src/scraping/link_checks/link_check_store.ts";
import { suggestions } from "../../src/shops/pages/found_page_store.ts";
import type { TestApp } from "../harness.ts";
import { PATIENCE_MS } from "../patience.ts";
import { addRule, decideOnce, push, untilJudged } from "../rules/evaluation/market.ts";
import { openSuggestion, shopPage } from "../scraping/discovery/made_shop.ts";

const GTIN = "9521234567899";

export async function fillLinks(app: TestApp, productId: string, shopId: string): Promise<string> {
  const [title = ""] = hostileTitles();
  const lines = [{ sku: title, url: title }, { sku: "X-0", url: "https://nowhere.example/p" }];
  const { jobId } = await app.owner.begin("/api/link-checks", { lines });
  await waitForJob(app, CHECK_KIND, jobId, PATIENCE_MS);
  const raw = { sku: "X-0", gtin: null, url: "https://shop.example/p/2", packFactor: null };
  const reason = { code: "title", side: "for", ours: title, theirs: title } as const;
  const page = {
    ...{ title, brand: title, gtin: null, mpn: null, sku: null },
    ...{ condition: null, seller: null, isThirdParty: false, unitPrice: null },
  };
  await transact(app, (write) => {
    const outcomes = [["sure", "same"], ["check", "probably"], ["failed", null]] as const;
    for (const [at, [outcome, verdict]] of outcomes.entries()) {
      new CheckRows(app, jobId).putChecked(write, {
        ...blankLine({ ...raw, line: at + 3 }, app.clock.now().toISOString()),
        ...{ outcome, verdict, productId, title, competitorId: shopId, currency: "EUR" },
        ...(verdict ? { reasons: [reason], page, price: 123_456_789 } : { errorCode: "gone" }),
      }, null);
    }
    for (const [at, verdict] of (["same", "probably", "unknown"] as const).entries()) {
      const isRejected = verdict === "unknown";
      suggestions.put(write, app, {
        ...openSuggestion({
          ...{ id: String(at).padStart(24, "a"), urlHash: String(at).padStart(32, "b") },
          ...{ productId, competitorId: shopId },
          page: shopPage(title, {
            ...{ title, brand: title, gtin: GTIN, gtins: [GTIN], mpn: title.slice(0, 50) },
            ...{ condition: "used", price: 123_456_789, currency: "EUR" },
          }),
          verdict,
        }),
        reasons: [reason, { ...reason, code: "gtin_differs", side: "against" }],
        packFactor: 6,
        ...(isRejected && { status: "rejected", rejectedAs: "other" }),
      });
    }
  });
  return jobId;
}

const openDetails = async (page: Page) => {
  const closed = page.locator("button.piece[aria-expanded=false]");
  while (await closed.count() > 0) await closed.first().click();
  await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
};

const rejectWithReason = async (page: Page) => {
  await page.keyboard.press("j");
  if (await page.locator(".decide-buttons").count() === 0) await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Mit Grund ablehnen …" }).click();
  await page.locator(".decide [aria-pressed=true]").waitFor();
};

/** Product `X-0` gets a rule with hostile texts and a proposal. */
export async function fillPricing(app: TestApp, productId: string) {
  const [name = ""] = hostileTitles();
  const scope = { mode: "attribute", matches: { brand: [name] } };
  const ruleId = await addRule(app.owner, { name, description: name, scope });
  await push(app, [["X-0", "acme", 9.5]]);
  await untilJudged(app);
  await decideOnce(app);
  return [
    { path: "/rules", sign: "tbody tr.opens" },
    { path: "/rules/new?template=lowest", sign: ".sum-bar", act: openDetails },
    { path: "/rules/new", sign: ".sum-bar", act: openDetails },
    { path: `/rules/${ruleId}`, sign: ".sum-bar", act: openDetails },
    { path: "/proposals", sign: "tbody tr.opens" },
    { path: "/proposals", sign: "tbody tr.opens", act: (page: Page) => page.keyboard.press("j") },
    { path: "/proposals", sign: "tbody tr.opens", act: rejectWithReason },
    { path: "/proposals?status=rejected", sign: ".empty" },
    { path: `/products/${productId}`, sign: ".verdict", act: openDetails },
  ];
}

/** Texts that are dangerous if a page does not escape them; if run as code, they set `__pwned`. */
export function hostileTitles(): readonly string[] {
  return [
    '<img src=x onerror="window.__pwned=1">',
    "<script>window.__pwned=1</script>",
    '"><svg onload=window.__pwned=1>',
    "javascript:window.__pwned=1",
    '<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>',
    "{{constructor.constructor('window.__pwned=1')()}}",
    "${window.__pwned=1}",
    "</title><style>*{display:none}</style>",
    "'-window.__pwned=1-'",
    "\u202e<b>umgekehrt</b>",
  ];
}
