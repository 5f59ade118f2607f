import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../api/answers.ts";
import { startTestApp } from "../harness.ts";

Deno.test("GET /api/scrape-runs lists newest first when asked to, page by page, by each filter", async () => {
  await using app = await startTestApp();
  const ids: string[] = [];
  for (const sku of ["A", "B", "C"]) {
    const { id } = await bodyOf(app.owner.post("/api/products", { sku, title: sku }), 201);
    // Without a page to visit a run ends by itself.
    const { runId } = await bodyOf(app.owner.post(`/api/products/${id}/scrape-now`), 202);
    for (;;) {
      const { status } = await bodyOf(app.owner.get(`/api/scrape-runs/${runId}`), 200);
      if (status === "succeeded") break;
    }
    ids.push(runId);
  }
  const idsOf = async (query: string) => {
    const found: string[] = [];
    for (let cursor = "";;) {
      const path = `/api/scrape-runs?limit=2&${query}${cursor && `&cursor=${cursor}`}`;
      const page = await bodyOf(app.viewer.get(path), 200);
      found.push(...page.items.map(({ id }: { id: string }) => id));
      if (page.nextCursor === null) return found;
      cursor = encodeURIComponent(page.nextCursor);
    }
  };
  assertEquals(await idsOf("order=desc"), ids.toReversed());
  assertEquals(await idsOf("order=desc&status=succeeded"), ids.toReversed());
  assertEquals(await idsOf("order=asc&status=succeeded"), ids);
  assertEquals(await idsOf(""), ids);
  await bodyOf(app.viewer.get("/api/scrape-runs?order=up"), 400);
});
