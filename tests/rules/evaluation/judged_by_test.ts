import { reckonsAnew } from "../../../src/accounts/change_settings.ts";
import { WORKSPACE_DEFAULTS } from "../../../src/accounts/workspace.ts";
import { isJudgedAnew } from "../../../src/catalogue/products/product.ts";
import { TRIGGERS } from "../../../src/engine/pricing/triggers.ts";
import { blankProduct } from "../../../src/catalogue/products/product.ts";
import {
  pricedProductOf,
  pricingOffersOf,
  pricingSettingsOf,
  shopsOf,
} from "../../../src/rules/proposals/priced_product.ts";
import { shopTerms } from "../../../src/shops/change_competitor.ts";
import { blankCompetitor } from "../../../src/shops/competitor_store.ts";
import { movedOffer } from "../../../src/shops/offers/offer_store.ts";
import type { Offer } from "../../../src/shops/offers/offer.ts";
import { BLANK_OFFER } from "../../shops/offers/blank_offer.ts";
import { type TestApp, withApp } from "../../harness.ts";
import { importXml, itemsXml } from "../../imports/import_calls.ts";
import { addProduct, addRule, push, untilJudged } from "./market.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const AT = "2026-03-02T09:00:00.000Z";
const ID = "64f0c2a1e4b0a1b2c3d4e5f6";
const PRODUCT = blankProduct({ id: ID, sku: "A", title: "A", currency: "EUR", createdAt: AT });
const WORKSPACE = { id: ID, name: "Muster", ...WORKSPACE_DEFAULTS, createdAt: AT };
const SHOP = blankCompetitor({ id: ID, domain: "acme.example", colour: 1, createdAt: AT });
const OFFER: Offer = { ...BLANK_OFFER, competitorId: ID, priceCents: 9_000, currency: "EUR" };

function readOf<T extends object>(whole: T, read: (seen: T) => unknown): string[] {
  const names = new Set<string>();
  read(
    new Proxy(whole, {
      get(target, name) {
        names.add(String(name));
        return Reflect.get(target, name);
      },
    }),
  );
  return [...names].sort();
}

/** A copy of `whole` in which one field has another value. */
function withOther<T extends object>(whole: T, name: string): T {
  const now = Reflect.get(whole, name);
  const other = typeof now === "boolean" ? !now : Array.isArray(now) ? [...now, "other"] : 7;
  return { ...whole, [name]: other };
}

Deno.test("a change of any product fact that rules can see makes them judge the product again", () => {
  const seen = readOf(PRODUCT, pricedProductOf).filter((name) => name !== "id");
  const forgotten = seen.filter((name) => !isJudgedAnew(PRODUCT, withOther(PRODUCT, name)));
  assertEquals(forgotten, []);
});

Deno.test("no trigger fires for a new product without price and cost, which rules do not judge", () => {
  assertEquals(isJudgedAnew(null, PRODUCT), false);
  // Triggers that depend on the clock are excluded, because they will soon evaluate each product
  // again.
  const able = TRIGGERS.filter(({ needs, isClockDriven }) => !needs.ownPrice && !isClockDriven);
  assertEquals(able.map(({ value }) => value), []);
});

Deno.test("a change of any offer fact that rules can see is an observation or an event of the offer", () => {
  const shops = shopsOf(WORKSPACE, new Map([[ID, SHOP]]));
  const byObservation = ["priceCents", "currency", "availability", "confidence", "observedAtMs"];
  const bySale = ["condition", "seller", "shippingCents", "status"];
  const byLink = ["enabled", "packFactor", "matchType", "verdict"];
  const fixed = ["matchId", "competitorId"];
  assertEquals(
    readOf(OFFER, (offer) => pricingOffersOf([offer], shops)),
    [...byObservation, ...bySale, ...byLink, ...fixed].sort(),
  );
  const others: Record<string, Partial<Offer>> = {
    enabled: { enabled: false },
    packFactor: { packFactor: 2 },
    matchType: { matchType: "equivalent" },
    verdict: { verdict: "different" },
  };
  const forgotten = byLink.filter((name) =>
    movedOffer({ before: [OFFER], after: [{ ...OFFER, ...others[name] }] }) === null
  );
  assertEquals(forgotten, []);
});

Deno.test("a change of any shop fact that rules can see, except its name, makes them judge its products again", () => {
  const seen = readOf(
    SHOP,
    (shop) => pricingOffersOf([OFFER], shopsOf(WORKSPACE, new Map([[ID, shop]]))),
  );
  const forgotten = seen.filter((name) => shopTerms(withOther(SHOP, name)) === shopTerms(SHOP));
  assertEquals(forgotten, ["displayName"]);
});

Deno.test("a change of any setting that affects prices makes rules judge all products again", () => {
  const seen = readOf(WORKSPACE, (workspace) => {
    pricingSettingsOf(workspace);
    shopsOf(workspace, new Map());
  });
  const waiting = seen.filter((name) => !reckonsAnew(WORKSPACE, withOther(WORKSPACE, name)));
  // These settings do not change the price that a rule computes. Products are not queued, but wait
  // for another cause (docs/decisions/rules.md).
  assertEquals(waiting, ["approval", "autoApply", "automationStop", "budgetPerDay"]);
});

/** A rule that fires at every evaluation. */
const ALWAYS = {
  when: { trigger: "market_index", always: true },
  actions: [{ type: "alert_inapp" }],
};

const fires = async (app: TestApp): Promise<number> => {
  await untilJudged(app);
  return (await app.owner.read("/api/alerts?limit=200")).count;
};

withApp.test("a change of one fact has the product judged once, by a person and by a file", async (app) => {
  const id = await addProduct(app.owner, "A");
  await addRule(app.owner, ALWAYS);
  const erp = await app.key(["products:write"]);
  const judged: Record<string, number> = {};
  const counted = async (name: string, write: () => Promise<unknown>) => {
    const before = await fires(app);
    await write();
    judged[name] = await fires(app) - before;
  };
  const facts = {
    title: "Anders",
    mpn: "M-1",
    stock: 7,
    scrapeIntervalHours: 12,
    brand: "Sony",
    costPrice: 51,
    vatRatePct: 7,
    condition: "used",
    shippingPrice: 4.9,
  };
  for (const [name, value] of Object.entries(facts)) {
    const patch = { [name]: value };
    await counted(name, () => app.owner.change(`/api/products/${id}`, patch));
  }
  const file = (more: string) => itemsXml([{ sku: "A", title: "Anders", price: "100,00", more }]);
  await importXml(erp, file(""));
  await counted("stock of a file", () => importXml(erp, file("<STOCK>3</STOCK>")));
  await counted("the same stock", () => importXml(erp, file("<STOCK>3</STOCK>")));
  const one = Object.keys(facts).map((name) => [name, 1]);
  assertEquals(judged, {
    ...Object.fromEntries(one),
    title: 0,
    mpn: 0,
    "stock of a file": 1,
    "the same stock": 0,
  });
});

withApp.test("enabling or disabling a link by a file is judged, and so is its undo", async (app) => {
  await addProduct(app.owner, "A");
  const erp = await app.key(["products:write", "products:read"]);
  const file = (enabled: 0 | 1) => {
    const url = "https://acme.example/A";
    const link = `<COMPETITOR><URL>${url}</URL><ENABLED>${enabled}</ENABLED></COMPETITOR>`;
    return itemsXml([{ sku: "A", title: "Product A", price: "100,00", more: link }]);
  };
  await importXml(erp, file(1));
  await push(app, [["A", "acme", 90]]);
  await addRule(app.owner, ALWAYS);
  const stands = [await fires(app)];
  app.clock.advance(60_000);
  const off = await importXml(erp, file(0));
  stands.push(await fires(app));
  app.clock.advance(60_000);
  await app.owner.act(`/api/imports/${off.data.jobId}/undo`, {});
  stands.push(await fires(app));
  assertEquals(stands, [1, 2, 3]);
});
