/** A check of links with a line on each pile, none of which was fetched. */
import { waitForJob } from "../../src/platform/jobs/wait_for_job.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { CHECK_KIND } from "../../src/scraping/link_checks/link_check.ts";
import { putLooked } from "../../src/scraping/link_checks/link_check_store.ts";
import { blankLine } from "../../src/scraping/link_checks/resolve_lines.ts";
import { bodyOf } from "../api/answers.ts";
import type { TestApp } from "../harness.ts";
import { PATIENCE_MS } from "../patience.ts";
import { hostileTitles } from "./hostile_titles.ts";

/** Answers the id of the check. */
export async function fillLinks(app: TestApp, productId: string, shopId: string): Promise<string> {
  const [title = ""] = hostileTitles();
  const lines = [{ sku: title, url: title }, { sku: "X-0", url: "https://nowhere.example/p" }];
  const { jobId } = await bodyOf(app.owner.post("/api/link-checks", { lines }), 202);
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
      putLooked(write, app.workspaceId, jobId, {
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
  return jobId;
}
