import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { bodyOf, valuesOf } from "../api/answers.ts";
import { addRule, proposals, untilJudged } from "../rules/evaluation/market.ts";
import { startTestApp } from "../harness.ts";
import { sendXml } from "../imports/import_calls.ts";
import { startReceiver } from "../messages/receiver.ts";

const ERP_FILE = `<?xml version="1.0" encoding="UTF-8"?>
<ITEMS>
  <ITEM>
    <SKU>4711-A</SKU><TITLE>Kühlschrank KS 300</TITLE><BRAND>Bosch</BRAND>
    <CURRENCY>EUR</CURRENCY><COSTPRICE>812,40</COSTPRICE><TIER>STANDARD</TIER>
    <SALESPRICE><TIER>STANDARD</TIER><PRICE>1.234,56</PRICE><VALIDFROM>01.01.2026</VALIDFROM>
      <VALIDUNTIL/></SALESPRICE>
    <SALESPRICE><TIER>B2B</TIER><PRICE>1.150,00</PRICE><VALIDUNTIL/></SALESPRICE>
    <COMPETITORS><COMPETITOR><NAME>Acme</NAME><DOMAIN>acme.example</DOMAIN>
      <URL>https://acme.example/p/1.html</URL></COMPETITOR></COMPETITORS>
  </ITEM>
  <ITEM><SKU>4712</SKU><TITLE>Toaster</TITLE><BRAND>Bosch</BRAND><COSTPRICE>10,00</COSTPRICE>
    <SALESPRICE><PRICE>29,99</PRICE><VALIDUNTIL/></SALESPRICE></ITEM>
</ITEMS>`;

Deno.test("import → match → push → rule → proposal → approval → history, audit, webhook → export → import", async () => {
  let secret: string | null = null;
  await using hooks = startReceiver(() => secret);
  await using app = await startTestApp({
    // The real clock, because the receiver refuses signatures that are minutes old.
    now: () => new Date(),
    env: {
      SCRAPE_ALLOW_PRIVATE: `127.0.0.1:${hooks.port}`,
      SCRAPE_ALLOW_PORTS: String(hooks.port),
    },
  });
  const erp = await app.key(["products:write", "observations:write", "proposals:read"]);
  const events = ["rule.fired", "proposal.created", "proposal.decided", "price.changed"];
  const stranger = await app.strangerOwner();
  await stranger.create("/api/webhooks", { url: `${hooks.url}/other`, events });
  ({ secret } = await app.owner.create("/api/webhooks", { url: `${hooks.url}/hook`, events }));

  const imported = await bodyOf(sendXml(erp, ERP_FILE), 200);
  const none = { inserted: 0, updated: 0, skipped: 0, errors: 0, competitorsLinked: 0 };
  assertEquals(imported.data.stats, { ...none, inserted: 2, competitorsLinked: 1 });
  const ruleId = await addRule(app.owner, {
    scope: { mode: "attribute", matches: { brand: "bosch" } },
    marginFloor: { pct: 15 },
  });
  await untilJudged(app);
  const lastNight = (await erp.read("/api/public/v1/price-changes")).nextSince;

  const observation = {
    sku: "4711-A",
    url: "https://acme.example/p/1.html?utm_source=feed",
    price: 1199,
    currency: "EUR",
    inStock: true,
    observedAt: app.clock.now().toISOString(),
  };
  const pushed = await erp.act("/api/public/v1/observations", { observations: [observation] });
  assertEquals(pushed.data.accepted, 1);
  await untilJudged(app);

  const [proposal, ...others] = await proposals(app.manager, "status=open");
  assertEquals(others, []);
  ok(proposal);
  const terms = [proposal.ruleId, proposal.sku, proposal.currentCents, proposal.proposedCents];
  assertEquals(terms, [ruleId, "4711-A", 123_456, 119_900]);
  const applied = await app.manager.act(`/api/proposals/${proposal.id}/approve`);
  assertEquals([applied.status, applied.decidedBy.type], ["applied", "user"]);

  const { productId } = proposal;
  const product = await app.owner.read(`/api/products/${productId}`);
  assertEquals([product.ourPrice, product.competitorPrices[0].price], [119_900, 119_900]);
  const standard = product.prices.find(({ tier }: { tier: string }) => tier === "STANDARD");
  assertEquals(standard.amountCents, 119_900, "the tier that the price came from follows");
  const history = await app.owner.read(`/api/products/${productId}/price-history`);
  const causes = [["proposal", proposal.id], ["import", imported.data.jobId]];
  assertEquals(valuesOf(history.items, "source", "ref"), causes);
  const log = await app.owner.read(`/api/audit-logs?resource=proposal:${proposal.id}`);
  assertEquals(log.items[0].action, "proposal.approve");
  match(log.items[0].actor.name, /^manager-/);

  await hooks.received(4);
  assertEquals(hooks.forged, []);
  const received = hooks.receipts.map(({ body }) => body.type).sort();
  assertEquals(received, ["price.changed", "proposal.created", "proposal.decided", "rule.fired"]);
  assertEquals(new Set(hooks.receipts.map(({ id }) => id)).size, 4);

  assertEquals(new Set(hooks.receipts.map(({ path }) => path)), new Set(["/hook"]));
  const change = hooks.receipts.find(({ body }) => body.type === "price.changed");
  const { fromCents, toCents, source, ref } = Object(change?.body.data);
  assertEquals([fromCents, toCents, source, ref], [123_456, 119_900, "proposal", proposal.id]);

  const path = `/api/public/v1/price-changes?since=${encodeURIComponent(lastNight)}`;
  const { data, nextSince } = await erp.read(path);
  assertEquals(valuesOf(data, "sku", "toCents", "ref"), [["4711-A", 119_900, proposal.id]]);
  const xml = await (await erp.get(`${path}&format=xml`)).text();
  match(xml, /<SKU>4711-A<\/SKU>/);
  match(xml, /<PRICE>1\.199,00<\/PRICE>/);
  const later = `/api/public/v1/price-changes?since=${encodeURIComponent(nextSince)}&format=xml`;
  match(await (await erp.get(later)).text(), /^<\?xml [^>]*\?>\s*<ITEMS>\s*<\/ITEMS>\s*$/);
  const again = await bodyOf(sendXml(erp, xml), 200);
  assertEquals(again.data.stats, { ...none, skipped: 1 });
  assertEquals(await app.owner.read(`/api/products/${productId}`), product);

  const overview = await app.viewer.read("/api/overview");
  const counts = [overview.imports.length, overview.proposals.open, overview.priceMoves.down];
  assertEquals(counts, [2, 0, 1]);
});
