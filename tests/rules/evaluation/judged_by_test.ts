import { type RulesApp, withRules } from "./market.ts";
import { reckonsAnew } from "../../../src/accounts/change_settings.ts";
import { WORKSPACE_DEFAULTS } from "../../../src/accounts/workspace.ts";
import { TRIGGERS } from "../../../src/engine/pricing/triggers.ts";
import { blankProduct, isJudgedAnew } from "../../../src/catalogue/products/product.ts";
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
import { BLANK_OFFER } from "../../shops/shop.ts";
import { importXml, itemsXml } from "../../imports/import_calls.ts";
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
  // Clock-driven triggers are left out: they are evaluated regularly, even without a change.
  const able = TRIGGERS.filter(({ needs, isClockDriven }) => !needs.ownPrice && !isClockDriven);
  assertEquals(able.map(({ value }) => value), []);
});

Deno.test("a change of any offer fact that rules can see is an observation or an event of the offer", () => {
  const shops = shopsOf(WORKSPACE, new Map([[ID, SHOP]]));
  const byObservation = ["priceCents", "currency", "availability", "confidence", "observedAtMs"];
  const bySale = ["condition", "seller", "shippingCents", "status"];
  const fixed = ["matchId", "competitorId"];
  // Fields that an offer gets from its link, with other values than in `OFFER`.
  const byLink: Partial<Offer> = {
    enabled: false,
    packFactor: 2,
    matchType: "equivalent",
    verdict: "different",
  };
  assertEquals(
    readOf(OFFER, (offer) => pricingOffersOf([offer], shops)),
    [...byObservation, ...bySale, ...Object.keys(byLink), ...fixed].sort(),
  );
  const forgotten = Object.entries(byLink).filter(([name, other]) =>
    movedOffer({ before: [OFFER], after: [{ ...OFFER, [name]: other }] }) === null
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
  // These settings change no price that a rule computes (docs/decisions/jobs.md, "Evaluation").
  assertEquals(waiting, ["approval", "autoApply", "automationStop", "budgetPerDay"]);
});

const ALWAYS = {
  when: { trigger: "market_index", always: true },
  actions: [{ type: "alert_inapp" }],
};

const fires = async (app: RulesApp): Promise<number> => (await app.alerts()).length;

withRules.test("a change of one fact has the product judged once, by a person and by a file", async (app) => {
  const id = await app.addProduct("A");
  await app.addRule(ALWAYS);
  const erp = await app.key(["products:write"]);
  const requireFires = async (name: string, count: number, write: () => Promise<unknown>) => {
    const before = await fires(app);
    await write();
    assertEquals(await fires(app) - before, count, name);
  };
  const facts = [
    ["title", "Anders", 0],
    ["mpn", "M-1", 0],
    ["stock", 7, 1],
    ["scrapeIntervalHours", 12, 1],
    ["brand", "Sony", 1],
    ["priceLocked", true, 1],
    ["shippingPrice", 4.9, 1],
  ] as const;
  for (const [name, value, count] of facts) {
    const patch = { [name]: value };
    await requireFires(name, count, () => app.owner.change(`/api/products/${id}`, patch));
  }
  const file = (more: string) => itemsXml([{ sku: "A", title: "Anders", price: "100,00", more }]);
  await importXml(erp, file(""));
  await requireFires("stock of a file", 1, () => importXml(erp, file("<STOCK>3</STOCK>")));
  await requireFires("the same stock", 0, () => importXml(erp, file("<STOCK>3</STOCK>")));
});

withRules.test("enabling or disabling a link by a file is judged, and so is its undo", async (app) => {
  await app.addProduct("A");
  const erp = await app.key(["products:write", "products:read"]);
  const file = (enabled: 0 | 1) => {
    const url = "https://acme.example/A";
    const link = `<COMPETITOR><URL>${url}</URL><ENABLED>${enabled}</ENABLED></COMPETITOR>`;
    return itemsXml([{ sku: "A", title: "Product A", price: "100,00", more: link }]);
  };
  await importXml(erp, file(1));
  await app.push([["A", "acme", 90]]);
  await app.addRule(ALWAYS);
  assertEquals(await fires(app), 1);
  app.clock.advance(60_000);
  const off = await importXml(erp, file(0));
  assertEquals(await fires(app), 2);
  app.clock.advance(60_000);
  await app.owner.act(`/api/imports/${off.data.jobId}/undo`, {});
  assertEquals(await fires(app), 3);
});
