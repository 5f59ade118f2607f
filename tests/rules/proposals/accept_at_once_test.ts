import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { bodyOf } from "../../api/answers.ts";
import { withApp } from "../../harness.ts";
import { addProducts, addRule, proposals, push, untilJudged } from "../evaluation/market.ts";

const COUNT = 60;

interface Result {
  readonly id: string;
  readonly ok: boolean;
  readonly error?: { readonly code: string };
}

withApp.test("two people who accept the same proposals at the same moment decide each once", async (app) => {
  const skus = Array.from({ length: COUNT }, (_, at) => `P-${at + 10}`);
  await addProducts(app, skus.map((sku) => ({ sku })));
  await addRule(app.owner);
  await push(app, skus.map((sku, at) => [sku, "acme", 95 - at * 0.1] as const));
  await untilJudged(app);
  const open = await proposals(app.owner, "status=open");
  assertEquals(open.length, COUNT);
  const ids = open.map(({ id }) => id);

  const answers: { results: Result[] }[] = await Promise.all([
    bodyOf(app.owner.post("/api/proposals/bulk", { action: "approve", filter: {} }), 200),
    bodyOf(app.manager.post("/api/proposals/bulk", { action: "approve", ids }), 200),
  ]);
  const accepted = answers.flatMap(({ results }) => results.filter(({ ok }) => ok));
  const refused = answers.flatMap(({ results }) => results.filter(({ ok }) => !ok));
  assertEquals(accepted.map(({ id }) => id).sort(), ids.toSorted());
  // The slower person gets a conflict.
  assertEquals(new Set(refused.map(({ error }) => error?.code)), new Set(["conflict"]));

  await untilJudged(app);
  assertEquals((await proposals(app.owner, "status=applied")).length, COUNT);
  const { items } = await bodyOf(
    app.owner.get("/api/audit-logs?action=proposal.approve&limit=200"),
    200,
  );
  assertEquals(items.length, COUNT);
  for (const { productId, proposedCents } of open) {
    const history = await bodyOf(app.owner.get(`/api/products/${productId}/price-history`), 200);
    const steps = history.items.filter(({ toCents }: { toCents: number }) =>
      toCents === proposedCents
    );
    assertEquals(steps.length, 1);
  }
});
