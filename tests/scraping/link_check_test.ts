import { assertFields, column, refuses, statusOf, valuesOf } from "../api/answers.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { LinkCheck, VisitJob } from "../../src/scraping/link_checks/link_check.ts";
import { actionsOf, addMatch, addProduct, linksOf, listShops } from "../shops/shop.ts";
import { article, heldBack, html, openShop, type Page, redirect } from "./hostile_shop.ts";
import type { TestApp } from "../harness.ts";
import { addShop, startDiscoveryApp } from "./discovery/made_shop.ts";
import {
  addTargets,
  begin,
  checked,
  CHECKS,
  ended,
  linesOf,
  runIdsOf,
  runTick,
  startRun,
  startScrapingApp,
  untilItWaits,
  untilNoJob,
  withTickingApp,
} from "./scraping_app.ts";

const RADIO = { gtin13: "9521234567899" };

const PHILIPS = "Philips Kofferradio KR 200";

async function listedShop(app: TestApp, pages: Record<string, Page>) {
  const shop = openShop(pages);
  const productId = await addProduct(app.manager, "R-1", { title: PHILIPS, ean: RADIO.gtin13 });
  await addShop(app.manager, shop.base);
  return {
    ...shop,
    productId,
    begin: (paths: readonly string[]) =>
      begin(app.manager, { lines: paths.map((path) => ({ sku: "R-1", url: shop.base + path })) }),
  };
}

async function beginCsv(app: TestApp, text: string): Promise<string> {
  return (await app.manager.begin(CHECKS, text, { "Content-Type": "text/csv" })).jobId;
}

withTickingApp.test("pasted lines are checked and sorted into groups, each with its reason", async (app) => {
  await using shop = await listedShop(app, {
    "/robots.txt": () => new Response("User-agent: *\nDisallow: /private"),
    "/same": article("Kofferradio KR 200", RADIO),
    "/moved": redirect("/same"),
    "/probably": article(PHILIPS),
    "/other": article("Wasserkocher WK 3", { gtin13: "9521234567905" }),
    "/silent": () => html("<p>…</p>"),
  });
  const text = [
    "SKU;URL;PACK",
    `R-1;${shop.base}/same?utm_source=list;2`,
    `R-1;${shop.base}/probably`,
    `R-1;${shop.base}/other`,
    `R-1;${shop.base}/gone`,
    `R-1;${shop.base}/private/1`,
    `R-1;${shop.base}/moved`,
    `R-2;${shop.base}/same`,
    `R-1;https://other-shop.example/p/1`,
    `R-1;no-url`,
    `R-1`,
    `R-1;${shop.base}/silent`,
  ].join("\r\n");
  const jobId = await beginCsv(app, text);
  const check = await checked(app, jobId);
  assertEquals(check.counts, { sure: 2, check: 1, wrong: 5, failed: 3, waiting: 0 });
  assertFields(check, { lines: 11, open: { sure: 2, check: 1 }, linked: 0 });
  const lines = await linesOf(app, jobId);
  assertEquals(valuesOf(lines, "line", "outcome", "verdict", "errorCode"), [
    [1, "sure", "same", null],
    [6, "sure", "same", null],
    [2, "check", "probably", null],
    [3, "wrong", "different", null],
    [7, "wrong", null, "unknown_sku"],
    [8, "wrong", null, "unknown_shop"],
    [9, "wrong", null, "bad_url"],
    [10, "wrong", null, "bad_line"],
    [4, "failed", null, "gone"],
    [5, "failed", null, "robots_disallowed"],
    [11, "failed", null, "no_price"],
  ]);
  const [sure] = lines;
  const { productId, base } = shop;
  assertFields(sure, { url: `${base}/same?utm_source=list`, sku: "R-1", productId });
  assertFields(sure, { competitor: `127.0.0.1:${shop.port}`, price: 1000, packFactor: 2 });
  assertEquals(sure?.reasons[0]?.code, "gtin_same");
  assertEquals((await listShops(app.viewer)).length, 1);
  assertEquals((await linksOf(app.viewer)).length, 0);
  assertEquals(column(await linesOf(app, jobId, "&outcome=failed"), "line"), [4, 5, 11]);
  const csv = await (await app.viewer.get(`${CHECKS}/${jobId}/lines.csv?outcome=wrong`)).text();
  match(csv, /"3";"R-1"[^\n]*"different";"gtin_differs"/);
  const path = `${CHECKS}/${jobId}/lines.csv?outcome=wrong&lang=de`;
  const german = await (await app.viewer.get(path)).text();
  match(german, /"3";[^\n]*"Falsch";[^\n]*"Ein anderes Produkt";"Die EAN ist eine andere: unsere /);
  match(german, /"7";[^\n]*"Diese SKU gibt es nicht"/);
});

withTickingApp.test("a page with our GTIN and several prices is as unsure in a check as after a visit", async (app) => {
  const offers = {
    "@type": "AggregateOffer",
    lowPrice: "10.00",
    highPrice: "30.00",
    offerCount: 3,
  };
  await using shop = await listedShop(app, { "/a": article("Kofferradio KR 200", RADIO, offers) });
  const id = await shop.begin(["/a"]);
  assertEquals((await checked(app, id)).counts.check, 1);
  const [line] = await linesOf(app, id);
  assertEquals(line?.verdict, "probably");
  await app.manager.act(`${CHECKS}/${id}/accept`, { outcomes: ["check"] });
  await ended(app, await startRun(app, shop.productId));
  const [link] = await linksOf(app.viewer);
  assertEquals(link?.identity?.verdict, line?.verdict);
  assertEquals(link?.identity?.reasons, line?.reasons);
});

withTickingApp.test("accepted lines become links once, wrong lines never, and dropped lines only when restored", async (app) => {
  await using shop = await listedShop(app, {
    "/a": article("Kofferradio KR 200", RADIO),
    "/b": article("Kofferradio KR 200", RADIO),
    "/c": article(PHILIPS),
    "/d": article("Wasserkocher WK 3", { gtin13: "9521234567905" }),
  });
  const { id: existing } = await addMatch(app.manager, shop.productId, `${shop.base}/b`);
  const others = ["b", "c", "d", "a#again"].map((page) => (
    { sku: "R-1", url: `${shop.base}/${page}` }
  ));
  const first = { gtin: RADIO.gtin13, url: `${shop.base}/a`, packFactor: 6 };
  const id = await begin(app.manager, { lines: [first, ...others] });
  const check = await checked(app, id);
  assertEquals(check.counts, { sure: 3, check: 1, wrong: 1, failed: 0, waiting: 0 });
  assertEquals(check.open, { sure: 2, check: 1 });
  const accept = (body: unknown) => app.manager.act(`${CHECKS}/${id}/accept`, body);
  const drop = (body: unknown) => app.manager.act(`${CHECKS}/${id}/drop`, body);
  assertEquals(await drop({ lines: [3, 3] }), { changed: 1 });
  const sure = await accept({ outcomes: ["sure", "check"] });
  assertFields(sure, { status: "succeeded", linked: 1, existing: 1, refused: 0 });
  const again = await accept({ outcomes: ["sure"] });
  assertFields(again, { linked: 0, existing: 0, refused: 0 });
  assertEquals(await drop({ lines: [3], dropped: false }), { changed: 1 });
  const named = await accept({ lines: [3, 2, 4, 77] });
  assertFields(named, { linked: 1, existing: 1, refused: 2 });
  const refusals = valuesOf(named.refusals, "line", "code");
  assertEquals(refusals, [[4, "conflict"], [77, "not_found"]]);
  const links = await linksOf(app.viewer);
  const facts = links.map((one) => [new URL(one.url).pathname, one.packFactor, one.source]);
  assertEquals(facts.sort(), [["/a", 6, "manual"], ["/b", 1, "manual"], ["/c", 1, "manual"]]);
  const paths = new Map(links.map((link) => [link.id, new URL(link.url).pathname]));
  const states = (await linesOf(app, id)).map((
    { line, status, competitorProductId },
  ) => [line, status, paths.get(competitorProductId ?? "") ?? null]);
  assertEquals(states, [
    [1, "linked", "/a"],
    [2, "existing", "/b"],
    [5, "existing", "/a"],
    [3, "linked", "/c"],
    [4, "open", null],
  ]);
  assertEquals((await app.viewer.read(`${CHECKS}/${id}`)).linked, 4);
  assertEquals(paths.get(existing), "/b");
  const made = links.find(({ url }) => url.endsWith("/a"));
  const actions = await actionsOf(app.owner, `competitor_product:${made?.id}`);
  assertEquals(actions, ["competitor_product.create"]);
});

Deno.test("a page that was seen within a week is not visited again, unless it showed no product", async () => {
  const clock = { ms: Date.parse("2026-03-02T10:00:00Z") };
  const began = performance.now();
  await using app = await startScrapingApp({}, {
    now: () => new Date(clock.ms + performance.now() - began),
  });
  await using shop = await listedShop(app, { "/a": article("Kofferradio", RADIO) });
  const body = { text: `R-1;${shop.base}/a\nR-1;${shop.base}/none` };
  const visited = async () => {
    const before = shop.asked().length;
    await checked(app, await begin(app.manager, body));
    return shop.asked().slice(before);
  };
  assertEquals(await visited(), ["/a", "/none"]);
  assertEquals(await visited(), ["/none"]);
  clock.ms += 8 * 86_400_000;
  assertEquals(await visited(), ["/a", "/none"]);
});

withTickingApp.test("a shop that refuses three visits in a row is not requested again", async (app) => {
  const paths = ["/1", "/2", "/3", "/4", "/5"];
  const no: Page = () => html("no", {}, 403);
  await using shop = await listedShop(app, Object.fromEntries(paths.map((path) => [path, no])));
  const id = await shop.begin(paths);
  assertEquals((await checked(app, id)).counts.failed, 5);
  assertEquals(shop.asked(), ["/1", "/2", "/3"]);
  assertEquals(column(await linesOf(app, id), "errorCode"), Array(5).fill("blocked"));
});

withTickingApp.test("manual runs go before due runs, and these before the pages of a check", async (app) => {
  const page = article("Kofferradio", RADIO);
  const first = heldBack(page);
  const pages = { "/1": first.page, "/2": page, "/due": page, "/manual": page };
  await using shop = await listedShop(app, pages);
  await addMatch(app.manager, shop.productId, `${shop.base}/due`);
  const id = await shop.begin(["/1", "/2"]);
  await first.requested;
  assertEquals(await runTick(app), 1);
  const [due] = await runIdsOf(app, shop.productId);
  await untilItWaits(app, due!);
  await untilItWaits(app, await startRun(app, await addTargets(app, `${shop.base}/manual`)));
  first.release();
  await checked(app, id);
  assertEquals(shop.asked(), ["/1", "/manual", "/due", "/2"]);
});

Deno.test("lines whose visits are aborted fail, and twenty simultaneous checks are the maximum", async () => {
  await using app = await startDiscoveryApp();
  const { page, requested, release } = heldBack(() => html("late"));
  await using shop = await listedShop(app, { "/1": page });
  const id = await shop.begin(["/1", "/2"]);
  await requested;
  for (let n = 1; n < 20; n++) await shop.begin(["/1", "/2"]);
  const lines = [{ sku: "R-1", url: `${shop.base}/1` }];
  await refuses(app.manager.post(CHECKS, { lines }), "rate_limited");
  const jobs = await Array.fromAsync(app.store.kv.list<VisitJob>({ prefix: ["j"] }));
  const visit = jobs.find(({ value }) => value.kind === "link_visit" && value.args.checkId === id);
  ok(visit);
  const job: VisitJob = { ...visit.value, status: "failed", lease: null };
  await app.store.kv.set(visit.key, job);
  release();
  assertEquals((await checked(app, id)).counts.failed, 2);
});

withTickingApp.test("a cancelled check requests no further page, and keeps its results", async (app) => {
  const page = article("Kofferradio", RADIO);
  const second = heldBack(() => html("late"));
  await using shop = await listedShop(app, { "/1": page, "/2": second.page, "/3": page });
  const id = await shop.begin(["/1", "/2", "/3"]);
  await second.requested;
  const running = await app.viewer.read<LinkCheck>(`${CHECKS}/${id}`);
  assertEquals([running.counts.sure, running.counts.waiting], [1, 2]);
  ok(running.etaAt !== null);
  const cancelled = await app.manager.act<LinkCheck>(`${CHECKS}/${id}/cancel`);
  assertEquals(cancelled.status, "cancelled");
  second.release();
  await refuses(app.manager.post(`${CHECKS}/${id}/cancel`), "conflict");
  await untilNoJob(app);
  ok(!shop.asked().includes("/3"));
});

withTickingApp.test("an unknown SKU has suggestions of similar ones, in the response and in the file", async (app) => {
  await using shop = openShop({ "/a": article("Kofferradio", RADIO) });
  await addShop(app.manager, shop.base);
  const catalogue = ["KT-10011", "KT-10012", "KT-1OO12", "Ä & B 1", "AB1", "A-B1", "AB-1", "AB.1"];
  for (const sku of [...catalogue, "..."]) {
    await addProduct(app.manager, sku, sku === "KT-10011" ? { ean: RADIO.gtin13 } : {});
  }
  const gone = await addProduct(app.manager, "WEG-1");
  await app.manager.remove(`/api/products/${gone}`);
  const cases: readonly [object, code: string | null, near: readonly string[]][] = [
    [{ sku: "KT-1O011" }, "unknown_sku", ["KT-10011"]],
    [{ sku: "kt10012" }, "unknown_sku", ["KT-10012", "KT-1OO12"]],
    [{ sku: "ＫＴ１００１１" }, "unknown_sku", ["KT-10011"]],
    [{ sku: "KT-10099" }, "unknown_sku", []],
    // Four SKUs are similar to `ab-1`; if there are more than three, none is suggested.
    [{ sku: "ab-1" }, "unknown_sku", []],
    [{ sku: "---" }, "unknown_sku", []],
    [{ sku: "WEG-1" }, "unknown_sku", []],
    [{ sku: "weg1" }, "unknown_sku", []],
    [{ sku: "\u0000" }, "unknown_sku", []],
    [{ sku: "ä&b1" }, "unknown_sku", ["Ä & B 1"]],
    [{ sku: "KT-10011" }, null, []],
    [{ gtin: RADIO.gtin13.replace("9", "8") }, "unknown_gtin", []],
    [{ gtin: "4" }, "unknown_gtin", []],
  ];
  const lines = cases.map(([number]) => ({ ...number, url: `${shop.base}/a` }));
  const id = await begin(app.manager, { lines });
  await checked(app, id);
  const found = (await linesOf(app, id)).toSorted((a, b) => a.line - b.line);
  assertEquals(valuesOf(found, "errorCode", "nearSkus"), cases.map(([, ...expected]) => expected));
  const csv = await (await app.viewer.get(`${CHECKS}/${id}/lines.csv?outcome=wrong`)).text();
  match(csv, /"kt10012";"KT-10012 \| KT-1OO12";/);
  // Earlier versions stored results without similar SKUs.
  const rows = await Array.fromAsync(app.store.kv.list<Uint8Array>({ prefix: ["lc"] }));
  const row = rows.find(({ key }) => key[3] === "wrong" && key[4] === 1);
  ok(row);
  const { nearSkus: _, ...before } = JSON.parse(new TextDecoder().decode(row.value));
  await app.store.kv.set(row.key, new TextEncoder().encode(JSON.stringify(before)));
  const [first] = await linesOf(app, id, "&outcome=wrong");
  assertFields(first, { line: 1, nearSkus: [] });
});

withTickingApp.test("lines of unknown shops are grouped by shop; the shops are created together, and their lines checked again", async (app) => {
  await using one = openShop({ "/a": article("Kofferradio", RADIO), "/b": article("Kofferradio") });
  await using two = openShop({ "/a": article("Kofferradio", RADIO) });
  await addProduct(app.manager, "R-1", { title: "Kofferradio", ean: RADIO.gtin13 });
  const id = await begin(app.manager, {
    lines: [
      { sku: "R-1", url: `${two.base}/a` },
      { sku: "R-1", url: `${one.base}/a`, packFactor: 2 },
      { gtin: RADIO.gtin13, url: `${one.base}/b` },
      { sku: "nobody", url: "https://third.example/a" },
    ],
  });
  await checked(app, id);
  const path = `${CHECKS}/${id}/shops`;
  const missing = async (of = path) => (await app.viewer.read(of)).shops;
  const [first, second] = [one, two].map(({ port }) => `127.0.0.1:${port}`);
  assertEquals(await missing(), [{ domain: first, lines: 2 }, { domain: second, lines: 1 }]);
  const partly = await app.manager.begin(path, { domains: [second] });
  assertFields(partly, { domains: [second!], lines: 1 });
  assertEquals(column(await missing(), "domain"), [first]);
  const made = await app.manager.begin(path, {});
  assertFields(made, { domains: [first!], lines: 2 });
  assertEquals((await listShops(app.viewer)).length, 2);
  await checked(app, made.jobId);
  const lines = await linesOf(app, made.jobId);
  assertEquals(valuesOf(lines, "outcome", "packFactor"), [["sure", 2], ["check", null]]);
  assertEquals([await missing(), await missing(`${CHECKS}/${made.jobId}/shops`)], [[], []]);
  await refuses(app.manager.post(path, {}), "conflict");
  const dropped = (await linesOf(app, id)).filter(({ status }) => status === "dropped");
  assertEquals(column(dropped, "line"), [1, 2, 3]);
});

withTickingApp.test("a named shop is created although lines of other unknown shops fill a request", async (app) => {
  await using many = openShop({});
  await using late = openShop({ "/a": article("Kofferradio", RADIO) });
  await addProduct(app.manager, "R-1", { title: "Kofferradio", ean: RADIO.gtin13 });
  const lines = Array.from({ length: 2_000 }, (_, n) => ({ sku: "R-1", url: `${many.base}/${n}` }));
  const id = await begin(app.manager, { lines: [...lines, { sku: "R-1", url: `${late.base}/a` }] });
  await checked(app, id);
  const domain = `127.0.0.1:${late.port}`;
  const path = `${CHECKS}/${id}/shops`;
  const made = await app.manager.begin(path, { domains: [domain] });
  assertFields(made, { domains: [domain], lines: 1 });
});

withTickingApp.test("too many lines, no lines, and invalid lists are refused as a whole", async (app) => {
  const many = "A;https://shop.de/1\n".repeat(50_001);
  const texts = [{ text: many }, { text: "SKU;URL" }, { lines: [] }, { text: "a;b", lines: [] }];
  for (const body of texts) await refuses(app.manager.post(CHECKS, body), "validation_failed");
  const large = "x".repeat(8 * 1024 * 1024 + 1);
  const sent = app.manager.post(CHECKS, large, { "Content-Type": "text/plain" });
  assertEquals(await statusOf(sent), 413);
});

withTickingApp.test("a check of 30 shops visits each of them", async (app) => {
  await using shops = new AsyncDisposableStack();
  const lines: string[] = [];
  await addProduct(app.manager, "R-1", { title: "Kofferradio KR 200", ean: RADIO.gtin13 });
  for (let n = 0; n < 30; n++) {
    const shop = shops.use(openShop({ "/p": article("Kofferradio KR 200", RADIO) }));
    await addShop(app.manager, shop.base);
    lines.push(`R-1;${shop.base}/p`);
  }
  const check = await checked(app, await beginCsv(app, ["SKU;URL", ...lines].join("\n")));
  assertEquals(check.counts, { sure: 30, check: 0, wrong: 0, failed: 0, waiting: 0 });
});
