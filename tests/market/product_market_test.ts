import { HOUR_MS } from "../../src/base/time.ts";
import { COMPARED } from "../../src/client/paths.ts";
import type { Caller } from "../caller.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { addProduct, addRule, push, untilJudged } from "../rules/evaluation/market.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { column, pagesOf, refuses } from "../api/answers.ts";
import { shopId } from "../shops/shop.ts";

interface Listed {
  readonly id: string;
  readonly sku: string;
  readonly market: Record<string, unknown>;
}

async function list(caller: Caller, query = "") {
  const page: { items: Listed[]; total: number; moved: number; nextCursor: string | null } =
    await caller.read(`/api/products?limit=200&${query}`);
  return page;
}

const skus = async (caller: Caller, query = "") =>
  (await list(caller, query)).items.map(({ sku }) => sku).join("");

async function fill(app: TestApp): Promise<Record<string, string>> {
  const fields: Record<string, Record<string, unknown>> = {
    A: { brand: "Bosch", category: "Bohrer" },
    B: { brand: "BOSCH", category: "Sägen" },
    C: { brand: "Makita", tier: "B2C" },
    D: { ourPrice: null },
    E: { costPrice: 90 },
    F: {},
  };
  const ids: Record<string, string> = {};
  for (const [sku, more] of Object.entries(fields)) {
    ids[sku] = await addProduct(app.owner, sku, more);
  }
  await push(app, [["A", "acme", 80], ["A", "bolt", 90], ["B", "acme", 100], ["B", "bolt", 110]]);
  await push(app, [["C", "bolt", 125], ["D", "acme", 50], ["E", "acme", 99.99]]);
  return ids;
}

withApp.test("each product has its market, in a list and alone, before a table is loaded and after", async (app) => {
  const ids = await fill(app);
  const key = await app.key([]);
  const now = app.clock.now().toISOString();
  const expected = {
    ...{ state: "ok", links: 2, offers: 2, newestAt: now, proposal: null, rule: null },
    ...{ cheapestCents: 8_000, cheapestCompetitor: "acme.example", cheapestCount: 1 },
    ...{ cheapestMatchType: "exact", cheapestInStock: true, cheapestAt: now },
    ...{ cheapestLacksShipping: false, comparedCents: 10_000, gapCents: 2_000, gapPct: 25 },
    ...{ roomPct: -20, marginPct: 50, rank: 3, of: 3, position: "dearest" },
    ...{ medianCents: 8_500, averageCents: 8_500, indexPct: 117.65 },
  };
  for (const look of ["first", "second"]) {
    const { items, total, moved } = await list(app.viewer);
    const { cheapestCompetitorId, ...market } = items[0]!.market;
    assertEquals(market, expected, look);
    assertEquals(typeof cheapestCompetitorId, "string");
    assertEquals([total, moved], [6, 0]);
    const single = await app.viewer.read(`/api/products/${ids.A}`);
    assertEquals(single.market, items[0]!.market);
    const outside = await key.read("/api/public/v1/products/A");
    assertEquals(outside.data, single);
    // A sorted list loads the market table into memory; the second round reads from this table.
    await list(app.viewer, "sort=gapPct");
  }
  await app.owner.remove(`/api/products/${ids.A}`);
  const { items: [deleted] } = await list(app.viewer, "includeDeleted=true");
  assertEquals([deleted?.sku, deleted?.market], ["A", null]);
  await refuses(app.viewer.get("/api/products?includeDeleted=true&sort=rank"), "validation_failed");
});

withApp.test("the cheapest price keeps its own age when another shop was seen later", async (app) => {
  await addProduct(app.owner, "A");
  await addProduct(app.owner, "B");
  const atFirst = app.clock.now().toISOString();
  await push(app, [["A", "acme", 80], ["B", "acme", 80]]);
  app.clock.advance(11 * HOUR_MS);
  await push(app, [["A", "bolt", 90], ["B", "acme", 79]]);
  const { items: [first] } = await list(app.viewer, "sku=A");
  const { cheapestAt, newestAt } = first!.market;
  assertEquals([cheapestAt, newestAt], [atFirst, app.clock.now().toISOString()]);
  assertEquals(await skus(app.viewer, "sort=cheapestAt"), "AB");
  assertEquals(await skus(app.viewer, "sort=cheapestAt&order=desc"), "BA");
});

withApp.test("lists sort by each value in both directions, missing values last, equal ones by id, and are narrowed by each filter, as are their CSV files", async (app) => {
  await fill(app);
  const cases: Record<string, [asc: string, desc: string]> = {
    sku: ["ABCDEF", "FEDCBA"],
    title: ["ABCDEF", "FEDCBA"],
    ourPrice: ["ABCEFD", "ABCEFD"],
    cheapest: ["DAEBCF", "CBEADF"],
    gapPct: ["CBEADF", "AEBCDF"],
    gapCents: ["CBEADF", "AEBCDF"],
    room: ["AEBCDF", "CBEADF"],
    rank: ["BCEADF", "AEBCDF"],
    offers: ["FCDEAB", "ABCDEF"],
    median: ["DAEBCF", "CBEADF"],
    average: ["DAEBCF", "CBEADF"],
    index: ["CBEADF", "AEBCDF"],
    newestAt: ["ABCDEF", "ABCDEF"],
    cheapestAt: ["ABCDEF", "ABCDEF"],
    margin: ["EABCFD", "ABCFED"],
    proposal: ["ABCDEF", "ABCDEF"],
    rule: ["ABCDEF", "ABCDEF"],
  };
  for (const [sort, [asc, desc]] of Object.entries(cases)) {
    assertEquals(await skus(app.viewer, `sort=${sort}`), asc, sort);
    assertEquals(await skus(app.viewer, `sort=${sort}&order=desc`), desc, `${sort} desc`);
  }

  const [acme, bolt] = await Promise.all(["acme", "bolt"].map((name) => shopId(app, name)));
  const filters: Record<string, string> = {
    "dearerThanPct=0": "AE",
    // Our 100.00 is 0.010001 % above 99.99.
    "dearerThanPct=0.01": "AE",
    "dearerThanPct=0.02": "A",
    "dearerThanPct=25": "",
    "dearerThanPct=24.99": "A",
    "undercutAbovePct=0": "AE",
    // 99.99 is exactly 0.01 % below our 100.00.
    "undercutAbovePct=0.01": "A",
    "undercutAbovePct=19.99": "A",
    "undercutAbovePct=20": "",
    "roomAbovePct=0": "C",
    "roomAbovePct=25": "",
    "marginBelowPct=50": "E",
    "rankMin=2": "AE",
    "rankMax=1": "BC",
    "position=cheapest": "BC",
    "position=dearest": "AE",
    "state=no_links": "F",
    "state=ok": "ABCDE",
    "hasProposal=true": "",
    "hasProposal=false": "ABCDEF",
    [`competitorId=${bolt}`]: "ABC",
    [`cheapestCompetitorId=${bolt}`]: "C",
    [`undercutBy=${acme}`]: "AE",
    [`undercutBy=${bolt}`]: "A",
    [`undercutBy=${"0".repeat(24)}`]: "",
    "newestBefore=2030-01-01": "ABCDE",
    "dearerThanPct=0&brand=bosch": "A",
    "state=ok&category=säg": "B",
    "state=ok&tier=B2C": "C",
    "state=ok&q=product%20e": "E",
    "state=ok&sku=D": "D",
    "state=ok&updatedSince=2030-01-01": "",
  };
  const csvSkus = async (query: string) => {
    const csv = await app.viewer.get(`/api/products.csv?columns=sku&${query}`);
    return (await csv.text()).match(/(?<=^")[A-F](?="\r?$)/gm)?.join("") ?? "";
  };
  for (const [query, expected] of Object.entries(filters)) {
    const { items: found, total } = await list(app.viewer, query);
    assertEquals([found.map(({ sku }) => sku).join(""), total], [expected, expected.length], query);
    assertEquals(await csvSkus(query), expected, query);
    const sorted = `${query}&sort=gapPct&order=desc`;
    assertEquals(await csvSkus(sorted), await skus(app.viewer, sorted), sorted);
  }
  assertEquals((await list(app.viewer, "brand=bosch")).total, 2);
  const { items: [all] } = await app.viewer.read("/api/market/summary");
  assertEquals([all.compared, (await app.viewer.read(`/api${COMPARED}`)).total], [4, 4]);
});

withApp.test("a proposal and its rule are in the market while it is open, and lists find them", async (app) => {
  const { owner } = app;
  const ruleId = await addRule(owner, { name: "Match", scope: { mode: "sku", list: ["A", "B"] } });
  await fill(app);
  await untilJudged(app);
  assertEquals(await skus(owner, "hasProposal=true"), "A");
  assertEquals(await skus(owner, `ruleId=${ruleId}`), "AB");
  assertEquals(await skus(owner, "sort=proposal"), "ABCDEF");
  const [{ market }] = (await list(owner, "hasProposal=true")).items as [Listed];
  const { items: [open] } = await owner.read("/api/proposals?status=open");
  assertEquals(market.proposal, { id: open.id, proposedCents: 8_000, changePct: -20 });
  assertEquals(market.rule, { id: ruleId, name: "Match" });
  await owner.act(`/api/proposals/${open.id}/reject`);
  assertEquals(await skus(owner, "hasProposal=true"), "");
});

withApp.test("pages of a sorted list show every unmoved product once, and report moved ones", async ({ owner }) => {
  const ids = new Map<string, string>();
  for (let n = 0; n < 25; n++) {
    const sku = `S${String(n).padStart(2, "0")}`;
    ids.set(sku, await addProduct(owner, sku, { ourPrice: 100 + n % 5 }));
  }
  const path = "/api/products?sort=ourPrice&order=desc&limit=7";
  const seen: string[] = [];
  let moved = 0;
  for await (const answer of pagesOf(owner, path)) {
    assertEquals([answer.moved, answer.total], [moved, 25]);
    seen.push(...column(answer.items, "sku"));
    if (moved > 1) continue;
    // S04 is on the page that was just read, S00 on a later page.
    const sku = moved === 0 ? "S04" : "S00";
    await owner.change(`/api/products/${ids.get(sku)}`, { ourPrice: 50 + moved });
    moved++;
  }
  const times = (sku: string) => seen.filter((one) => one === sku).length;
  const unmoved = [...ids.keys()].filter((sku) => !["S04", "S00"].includes(sku));
  assertEquals(unmoved.filter((sku) => times(sku) !== 1), []);
  ok([1, 2].includes(times("S04")) && times("S00") <= 2, seen.join());
  const { nextCursor } = await owner.read(path);
  await refuses(owner.get(`/api/products?sort=rank&cursor=${nextCursor}`), "invalid_cursor");
});

Deno.test("a catalogue whose market does not fit in memory is listed with facts, but not sorted by them", async () => {
  await using app = await startTestApp({ env: { MARKET_MEMORY_BYTES: "1000" } });
  await fill(app);
  const { items, total } = await list(app.viewer);
  assertEquals([items[0]?.market.rank, total], [3, 6]);
  assertEquals((await list(app.viewer, "brand=bosch")).total, 2);
  await refuses(app.viewer.get("/api/products?sort=gapPct"), "market_too_large");
});
