import { ok } from "node:assert/strict";
import { withApp } from "../harness.ts";
import { extent } from "../proof.ts";

const FLOOD = extent(300, 200);

withApp.test("a flood of lists of one workspace does not delay another workspace's request", async (app) => {
  const key = await app.key(["products:write"]);
  const items = Array.from({ length: 200 }, (_, n) => ({ sku: `S-${n}`, title: "Kessel" }));
  await key.act("/api/public/v1/products/batch", { items });
  const other = await app.strangerOwner();
  let answered = 0;
  const begun = Promise.withResolvers<void>();
  const flood = Array.from({ length: FLOOD }, async () => {
    await app.owner.read("/api/products?limit=200");
    answered++;
    begun.resolve();
  });
  await begun.promise;
  const atFirst = answered;
  await other.read("/api/products");
  const before = answered - atFirst;
  await Promise.all(flood);
  ok(before < FLOOD / 2, `${before} of ${FLOOD} were answered before it`);
});
