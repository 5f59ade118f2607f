import {
  bodyOf,
  column,
  everyItem,
  refusalOf,
  refusedField,
  refuses,
  statusOf,
  valuesOf,
} from "../api/answers.ts";
import { type TestApp, withApp } from "../harness.ts";
import {
  articles,
  type Item,
  itemsXml,
  sendItems as send,
  sendXml,
  withBench,
} from "./import_calls.ts";
import { extent } from "../proof.ts";
import { DAYS } from "../../src/imports/choices.ts";
import { missedTime, plannedTime } from "../../src/imports/state/import_source.ts";
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";

const COUNT = 20;
const DEFAULTS = {
  movePct: 50,
  sharePct: 20,
  costMovePct: 50,
  currencyPct: 1,
  changedPct: 60,
  deletedPct: 20,
  newPct: 50,
};
const SOURCES = "/api/import-sources";

async function skusOf(app: TestApp): Promise<string[]> {
  const { items } = await app.owner.read("/api/products?limit=200");
  return column(items, "sku").sort();
}

const newSource = (app: TestApp, source: Record<string, unknown>) =>
  app.manager.create(SOURCES, source);

withApp.test("a source gets defaults, and an id made from its name", async (app) => {
  const source = await newSource(app, { name: "JTL, näçhts" });
  assertEquals([source.id, source.kind, source.mode], ["jtl-naechts", "api", "upsert"]);
  assertEquals([source.hold, source.isDefault], [DEFAULTS, false]);
  const path = `${SOURCES}/${source.id}`;
  const patch = { mode: "replace", hold: { movePct: 10 }, tier: "B2B" };
  const changed = await app.manager.change(path, patch);
  assertEquals(changed, { ...source, ...patch, hold: { ...DEFAULTS, movePct: 10 } });
  assertEquals((await app.manager.change(path, { hold: null })).hold, null);
  await refuses(app.manager.post(SOURCES, { name: "Other", id: source.id }), "conflict");
  assertEquals((await newSource(app, { name: "JTL, näçhts" })).id, "jtl-naechts-2");
});

withApp.test("an invalid source is refused with the path of the field", async (app) => {
  const url = "https://erp.example/a.csv";
  const pulled = (pull?: Record<string, unknown>) => ({ kind: "pull", pull });
  const cases: [Record<string, unknown>, string][] = [
    [{ name: "" }, "name"],
    [{ id: "Ä" }, "id"],
    [{ profile: "nobody-s" }, "profile"],
    [pulled(), "pull"],
    [{ pull: { url } }, "pull"],
    [pulled({ url: "https://127.0.0.1/a" }), "pull.url"],
    [pulled({ url: "https://a:b@erp.example/a" }), "pull.url"],
    [pulled({ url, auth: { kind: "basic", user: "x" } }), "pull.auth"],
    [{ expected: { by: "25:00" } }, "expected.by"],
    [{ expected: { by: "06:00", days: ["mon", "mon"] } }, "expected.days"],
    [{ hold: { movePct: -1 } }, "hold.movePct"],
  ];
  for (const [part, path] of cases) {
    const refused = await refusedField(app.manager.post(SOURCES, { name: "A", ...part }));
    assertEquals(refused, path, JSON.stringify(part));
  }
  const bounds = app.manager.patch(`${SOURCES}/default`, { hold: DEFAULTS });
  assertEquals(await refusedField(bounds), "hold");
  await refuses(app.manager.delete(`${SOURCES}/default`), "forbidden");
});

withBench.test("an import uses the settings of its source, and an unknown source is refused", async ({ app, key }) => {
  await newSource(app, { name: "Update", id: "upd", mode: "update", tier: "B2B", hold: null });
  const job = await send(app, articles(1), "?source=upd");
  assertEquals([job.source, job.mode, job.tier, job.stats.skipped], ["upd", "update", "B2B", 1]);
  const over = await send(app, articles(1), "?source=upd&mode=upsert");
  assertEquals([over.source, over.mode, over.stats.inserted], ["upd", "upsert", 1]);
  assertEquals((await send(app, articles(1))).source, "default");
  assertEquals(await refusedField(sendXml(key, "<ITEMS/>", "?source=nobody")), "source");
  const { lastImport } = await app.viewer.read(`${SOURCES}/upd`);
  assertEquals([lastImport.jobId, lastImport.status], [over.jobId, "succeeded"]);
});

withBench.test("a paused source applies nothing until it resumes, but allows dry runs", async ({ app, key }) => {
  const pausedAt = app.clock.now().toISOString();
  await newSource(app, { name: "Own", id: "own" });
  for (const [n, id] of ["default", "own"].entries()) {
    const file = articles(1, { from: n });
    await app.manager.change(`${SOURCES}/${id}`, { pausedAt });
    await refuses(sendXml(key, itemsXml(file), `?source=${id}`), "conflict");
    const rehearsal = await send(app, file, `?source=${id}&dryRun=true`);
    assertEquals([rehearsal.status, rehearsal.stats.inserted], ["succeeded", 1]);
    const path = `/api/imports/${rehearsal.jobId}/apply`;
    await refuses(app.manager.post(path, {}), "conflict");
    await app.manager.change(`${SOURCES}/${id}`, { pausedAt: null });
    const { status, stats } = await app.manager.act(path);
    assertEquals([status, stats.inserted], ["succeeded", 1]);
  }
});

withApp.test("replace spares products of other sources and of people", async (app) => {
  for (const id of ["a", "b"]) await newSource(app, { name: id, id, hold: null, mode: "replace" });
  await app.owner.create("/api/products", { sku: "HAND", title: "Hand" });
  const replace = (source: string, from: number, count: number, ...others: Item[]) => {
    const items = [...articles(count, { from }), ...others];
    return send(app, items, `?source=${source}&mode=replace&force=true`);
  };
  const removedBy = async (...sent: Parameters<typeof replace>) => (await replace(...sent)).removed;
  await replace("default", 0, 4);
  await replace("a", 10, 4);
  await replace("b", 20, 4);
  const all = await skusOf(app);
  assertEquals(all.length, 13);

  // Source B also sends products of source A, but they still belong to A.
  assertEquals(await removedBy("b", 20, 4, ...articles(2, { from: 10 })), 0);
  const rehearsal = await send(app, articles(1, { from: 10 }), "?source=a&dryRun=true");
  const gone = ["S-11", "S-12", "S-13"];
  assertEquals([rehearsal.removed, column(rehearsal.removals, "sku").sort()], [3, gone]);
  assertEquals(await skusOf(app), all);
  assertEquals(await removedBy("a", 10, 1), 3);
  assertEquals(await skusOf(app), all.filter((sku) => !gone.includes(sku)));
  assertEquals(await removedBy("default", 0, 1), 3);

  // A deleted product that a source restores belongs to this source from then on.
  await replace("b", 20, 4, ...articles(1, { from: 11 }));
  assertEquals([await removedBy("a", 10, 1), await removedBy("b", 20, 4)], [0, 1]);
  // A product that a person changed still belongs to its source.
  const { items: [one] } = await app.owner.read("/api/products?sku=S-20");
  await app.owner.change(`/api/products/${one.id}`, { title: "Anders" });
  assertEquals(await removedBy("b", 21, 3), 1);
});

type GuardCase = readonly [code: string, file: Item[], count: number, of: number, mode?: string];

const rest = (from: number) => articles(COUNT - from, { from });

const CASES: readonly GuardCase[] = [
  ["price_guard", [...articles(5, { price: "151,00" }), ...rest(5)], 5, 20],
  ["cost_guard", [...articles(5, { cost: "" }), ...rest(5)], 5, 20],
  ["change_guard", articles(COUNT, { title: "Neu" }), 20, 20],
  ["new_guard", articles(21, { from: 19 }), 20, 21],
  ["currency_guard", [...articles(1, { currency: "CHF" }), ...rest(1)], 1, 20],
  ["replace_guard", articles(15), 5, 20, "&mode=replace"],
];

withApp.test("an import of a source is held by each guard with a reason, and is applied by force or looser bounds", async (app) => {
  await newSource(app, { name: "Own", id: "own" });
  // A first import is not held, although all its products are new.
  assertEquals((await send(app, articles(), "?source=own")).status, "succeeded");
  for (const [code, file, count, of, mode = ""] of CASES) {
    const rehearsal = await send(app, file, `?source=own&dryRun=true${mode}`);
    const held = await send(app, file, `?source=own${mode}`);
    assertEquals([held.status, held.error.code], ["failed", code]);
    assertEquals(column(held.errors, "code"), [code]);
    const { guards } = held.hold;
    const binding = guards.filter(({ binds }: { binds: boolean }) => binds);
    assertEquals(valuesOf(binding, "code", "count", "of"), [[code, count, of]]);
    assertEquals(guards.length, mode === "" ? 5 : 6);
    // The file of `cost_guard` only deletes costs, so there is no new cost to show as a sample.
    const samples = code === "cost_guard" ? 0 : Math.min(10, count);
    assertEquals(binding[0].samples.length, samples, code);
    assertEquals([rehearsal.status, rehearsal.hold], ["succeeded", held.hold], code);
    match(held.error.message, new RegExp(`^${count} of ${of} .*force=true`));
  }
  const wild = articles(COUNT, { price: "1,00", cost: "6000,00", title: "Neu" });
  const held = await send(app, wild, "?source=own");
  const codes = ["price_guard", "cost_guard", "change_guard", "unit_guard"];
  assertEquals(column(held.errors, "code"), codes);
  assertEquals([held.error.code, held.errorCount], ["price_guard", 4]);
  const loose = { movePct: 10_000, costMovePct: 10_000, changedPct: 100 };
  await app.manager.change(`${SOURCES}/own`, { hold: loose });
  // A named source has its own limits for holds; the default source has the workspace's limits.
  assertEquals((await send(app, wild)).error.code, "price_guard");
  assertEquals((await send(app, wild, "?source=own")).status, "succeeded");
  await app.manager.change(`${SOURCES}/own`, { hold: null });
  const bare = await send(app, articles(), "?source=own");
  assertEquals([bare.status, bare.warnings[0].code], ["succeeded", "price_moved"]);
  const path = `/api/imports/${held.jobId}/apply`;
  const forced = await app.manager.act(path, { force: true });
  assertEquals([forced.status, forced.source, forced.hold], ["succeeded", "own", null]);
});

withBench.test("records can be excluded when an import is applied, and stay excluded if it is held again", async ({ app, key }) => {
  await send(app, articles());
  const held = await send(app, articles(COUNT, { price: "1,00" }));
  const path = `/api/imports/${held.jobId}/apply`;
  const again = await app.manager.act(path, { exclude: ["S-0", " S-1 ", "nobody"] });
  assertEquals([again.status, again.error.code, again.excluded], ["failed", "price_guard", 3]);
  const external = `/api/public/v1/products/import/${again.jobId}/apply`;
  const { data } = await key.act(external, { force: true, exclude: ["S-2"] });
  assertEquals([data.status, data.excluded], ["succeeded", 4]);
  const { updated, skipped } = data.stats;
  assertEquals([updated, skipped, data.warningCount], [17, 3, 3]);
  const excluded = ["S-0", "S-1", "S-2"].map((sku) => ["excluded", sku]);
  assertEquals(valuesOf(data.warnings, "code", "sku"), excluded);
  const { items } = await app.owner.read("/api/products?limit=4");
  const prices = [["S-0", 10_000], ["S-1", 10_000], ["S-2", 10_000], ["S-3", 100]];
  assertEquals(valuesOf(items, "sku", "ourPrice"), prices);
  const { impact } = data;
  assertEquals([impact.priceChanges, impact.down, impact.largest.length], [17, 17, 10]);
});

withApp.test("excluded records do not count as missing in replace mode, and excluded products that a full load lacks are not deleted; too many exclusions are refused", async (app) => {
  await send(app, articles());
  const rehearsal = await send(app, articles(COUNT, { title: "Neu" }), "?mode=replace&dryRun=true");
  const path = `/api/imports/${rehearsal.jobId}/apply`;
  const many = Array.from({ length: 10_001 }, (_, n) => `X-${n}`);
  await refuses(app.manager.post(path, { exclude: many }), "validation_failed");
  const most = ["S-0", ...many.slice(0, 9_999)];
  const applied = await app.manager.act(path, { exclude: most });
  assertEquals([applied.removed, applied.stats.updated, applied.excluded], [0, 19, 10_000]);
  assertEquals((await skusOf(app)).length, COUNT);
  assertEquals((await Array.fromAsync(app.store.kv.list({ prefix: ["jn"] }))).length, 2);

  const held = await send(app, articles(15), "?mode=replace");
  const apply = async (exclude: readonly string[], { jobId } = held) =>
    await app.manager.act(`/api/imports/${jobId}/apply`, { exclude });
  const again = await apply([" S-15 "], await apply([]));
  assertEquals([held.error.code, again.removed, again.status], ["replace_guard", 4, "succeeded"]);
  assertEquals(await skusOf(app), column(articles(16), "sku").sort());
});

withBench.test("a held import shows its effect, and can be discarded on both interfaces", async ({ app, key }) => {
  await send(app, articles());
  const held = await send(app, articles(COUNT, { price: "1,00" }));
  assertEquals([held.impact.priceChanges, held.impact.down], [COUNT, COUNT]);
  const dropped = await key.act(`/api/public/v1/products/import/${held.jobId}/discard`);
  assertEquals(dropped.data.keepsUpload, false);
  await app.manager.act(`/api/imports/${held.jobId}/discard`);
  await refuses(app.manager.post(`/api/imports/${held.jobId}/apply?force=true`), "conflict");
});

withBench.test("strict=true gives 422 for a failed or held import, also when replayed by Idempotency-Key", async ({ app, key }) => {
  const strict = (file: string, headers = {}) => sendXml(key, file, "?strict=true", headers);
  const good = await bodyOf(strict(itemsXml(articles())), 200);
  assertEquals(good.data.status, "succeeded");
  const broken = "<ITEMS>\n<ITEM>\n</ITEMS>";
  const retried = { "Idempotency-Key": "night-1" };
  const refused = await refusalOf(strict(broken, retried));
  const { code, line, file } = refused.details;
  assertEquals([refused.code, code, line, file], ["import_refused", "malformed_xml", 3, "upload"]);
  const replayed = await refusalOf(strict(broken, retried));
  assertEquals([replayed.code, replayed.details], [refused.code, refused.details]);
  const held = await refusalOf(strict(itemsXml(articles(COUNT, { price: "1,00" }))));
  assertEquals([held.code, held.details.code], ["import_refused", "price_guard"]);
  assertEquals([held.details.file, held.details.line], [null, null]);
  assertEquals((await send(app, articles(COUNT, { price: "1,00" }))).status, "failed");
  await newSource(app, { name: "Own", id: "own", options: { strict: true } });
  const own = await refusalOf(sendXml(key, broken, "?source=own"));
  assertEquals(own.code, "import_refused");
  assertEquals(await statusOf(sendXml(key, broken, "?source=own&strict=false")), 200);
});

withApp.test("an import of many commits reports the same price impact as its dry run", async (app) => {
  const count = extent(700, 250);
  await send(app, articles(count));
  const file = articles(count).map((item, n) => ({ ...item, price: `${50 + n % 101},00` }));
  const { jobId, impact } = await send(app, file, "?dryRun=true");
  assertEquals(impact.priceChanges, file.filter(({ price }) => price !== "100,00").length);
  const done = await app.manager.act(`/api/imports/${jobId}/apply?force=true`);
  assertEquals(done.stats.updated, impact.priceChanges);
  const figures = ({ largest, ...rest }: typeof impact) => [rest, column(largest, "sku")];
  assertEquals(figures(done.impact), figures(impact));
});

withApp.test("the list of imports can be filtered by source, through all pages", async (app) => {
  await newSource(app, { id: "jtl", name: "JTL" });
  const sent: [source: string, jobId: string][] = [];
  for (const [n, source] of ["jtl", "default", "jtl", "default", "jtl", "default"].entries()) {
    const file = articles(1, { title: `Artikel ${n}` });
    sent.unshift([source, (await send(app, file, `?source=${source}&force=true`)).jobId]);
  }
  const [[, last = ""] = []] = sent.filter(([source]) => source === "jtl");
  const undo = await app.manager.act(`/api/imports/${last}/undo?dryRun=true`);
  sent.unshift(["jtl", undo.jobId]);

  for (const source of ["jtl", "default", "gone"]) {
    const found = await everyItem(app.viewer, `/api/imports?source=${source}&limit=2`);
    const wanted = sent.filter(([of]) => of === source);
    assertEquals(found.map((one) => [one.source, one.jobId]), wanted, source);
  }
});

const march = (text: string) => new Date(`2026-03-${text}Z`);

Deno.test("plannedTime() counts periods from the time of saving, and ignores earlier times", () => {
  const since = march("02T09:07:00");
  const days = [...DAYS];
  const cases: [Parameters<typeof plannedTime>[0], Date, string | null, zone?: string][] = [
    [{ every: "15m" }, march("02T09:21:59"), null],
    [{ every: "15m" }, march("02T09:22:00"), "2026-03-02T09:22"],
    [{ every: "1h" }, march("02T12:00:00"), "2026-03-02T11:07"],
    [{ every: "24h" }, march("05T09:06:59"), "2026-03-04T09:07"],
    [{ at: "06:00", days }, march("02T20:00:00"), null],
    [{ at: "06:00", days }, march("03T04:59:59"), null],
    [{ at: "06:00", days }, march("03T05:00:00"), "2026-03-03T05:00"],
    [{ at: "06:00", days: ["wed"] }, march("03T12:00:00"), null],
    [{ at: "06:00", days: ["wed"] }, march("06T12:00:00"), "2026-03-04T05:00"],
    // Summer time begins on 29 March.
    [{ at: "06:00", days: ["sun"] }, march("29T12:00:00"), "2026-03-29T04:00"],
    [{ at: "02:30", days: ["sun"] }, march("29T12:00:00"), "2026-03-29T01:30"],
    // Summer time ends on 25 October. The first 2:30 of that day counts, not the second.
    [{ at: "02:30", days: ["sun"] }, new Date("2026-10-25T12:00:00Z"), "2026-10-25T00:30"],
    [{ at: "06:00", days: ["tue"] }, march("05T12:00:00"), "2026-03-03T11:00", "America/New_York"],
    [{ at: "06:00", days: ["tue"] }, march("05T12:00:00"), "2026-03-03T00:15", "Asia/Kathmandu"],
    [{ at: "06:00", days: ["tue"] }, march("05T12:00:00"), "2026-03-03T06:00", "UTC"],
  ];
  for (const [schedule, now, wanted, timeZone = "Europe/Berlin"] of cases) {
    const planned = plannedTime(schedule, { since, now, timeZone })?.toISOString() ?? null;
    const what = JSON.stringify([schedule, now, timeZone]);
    assertEquals(planned, wanted && `${wanted}:00.000Z`, what);
  }
});

Deno.test("missedTime() waits for the time, counts imports since the previous one, and ignores paused and new sources", () => {
  const expected = { by: "06:00", days: [...DAYS] };
  const source = { expected, pausedAt: null, updatedAt: "2026-03-01T12:00:00Z" };
  const monday = { expected: { by: "06:00", days: ["mon" as const] } };
  const [dueMonday, due] = ["2026-03-02T05:00:00.000Z", "2026-03-03T05:00:00.000Z"];
  const later = "03T08:00:00";
  const cases: [object, succeededAt: string | null, now: string, string | null][] = [
    [{}, "2026-03-02T23:30:00Z", later, null],
    [{}, "2026-03-02T04:59:00Z", later, due],
    [{}, null, later, due],
    [{}, null, "03T05:00:00", due],
    [{}, "2026-03-01T23:30:00Z", "03T04:59:00", null],
    [{}, "2026-03-03T07:00:00Z", later, null],
    [{ pausedAt: "2026-03-02T12:00:00Z" }, null, later, null],
    [{ updatedAt: "2026-03-03T06:00:00Z" }, null, later, null],
    [monday, "2026-03-01T00:00:00Z", later, null],
    [{ ...monday, updatedAt: "2026-02-01T00:00:00Z" }, "2026-02-23T04:00:00Z", later, dueMonday],
  ];
  for (const [change, succeededAt, now, wanted] of cases) {
    const missed = missedTime({ ...source, ...change }, succeededAt, march(now), "Europe/Berlin");
    assertEquals(missed, wanted, JSON.stringify([change, succeededAt, now]));
  }
});
