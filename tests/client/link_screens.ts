/** A link check with a line per outcome, and suggested links. No page is fetched. */

import { waitForJob } from "../../src/platform/jobs/job_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { CHECK_KIND } from "../../src/scraping/link_checks/link_check.ts";
import { CheckRows } from "../../src/scraping/link_checks/link_check_store.ts";
import { blankLine } from "../../src/scraping/link_checks/check_kind.ts";
import { suggestions } from "../../src/shops/discovery/suggestion_store.ts";
import type { TestApp } from "../harness.ts";
import { PATIENCE_MS } from "../patience.ts";
import { openSuggestion, shopPage } from "../scraping/discovery/made_shop.ts";
import { hostileTitles } from "./hostile_titles.ts";

const GTIN = "9521234567899";

export async function fillLinks(app: TestApp, productId: string, shopId: string): Promise<string> {
  const [title = ""] = hostileTitles();
  const lines = [{ sku: title, url: title }, { sku: "X-0", url: "https://nowhere.example/p" }];
  const { jobId } = await app.owner.begin("/api/link-checks", { lines });
  await waitForJob(app, CHECK_KIND, jobId, PATIENCE_MS);
  const raw = { sku: "X-0", gtin: null, url: "https://shop.example/p/2", packFactor: null };
  const reason = { code: "title", side: "for", ours: title, theirs: title } as const;
  const page = {
    title,
    brand: title,
    gtin: null,
    mpn: null,
    sku: null,
    condition: null,
    seller: null,
    isThirdParty: false,
    unitPrice: null,
  };
  await transact(app, (write) => {
    for (const [at, outcome] of (["sure", "check", "failed"] as const).entries()) {
      new CheckRows(app, jobId).putChecked(write, {
        ...blankLine(raw, at + 3, app.clock.now().toISOString()),
        outcome,
        productId,
        title,
        competitorId: shopId,
        verdict: outcome === "failed" ? null : outcome === "sure" ? "same" : "probably",
        reasons: outcome === "failed" ? [] : [reason],
        page: outcome === "failed" ? null : page,
        price: outcome === "failed" ? null : 123_456_789,
        currency: "EUR",
        errorCode: outcome === "failed" ? "gone" : null,
      }, null);
    }
  });
  await transact(app, (write) => {
    for (const [at, verdict] of (["same", "probably", "unknown"] as const).entries()) {
      const isRejected = verdict === "unknown";
      suggestions.put(write, app, {
        ...openSuggestion({
          id: String(at).padStart(24, "a"),
          productId,
          competitorId: shopId,
          urlHash: String(at).padStart(32, "b"),
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
