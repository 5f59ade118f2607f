/** Tests how Kurant fetches import files: allowed addresses, unchanged files, retries, alerts. */
import { sha256Hex } from "../../src/base/bytes.ts";
import { sumOf } from "../../src/base/collections.ts";
import { dateIn, DAY_MS, MINUTE_MS } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { createApp } from "../../src/app/composition/app.ts";
import { readConfig } from "../../src/app/composition/config.ts";
import { beginPlannedPulls } from "../../src/imports/jobs/pull_kind.ts";
import { raiseOverdueImports, raiseSilentSources } from "../../src/messages/system_alerts.ts";
import { bodyOf, column, refusalOf, refusedField, refuses, valuesOf } from "../api/answers.ts";
import { startTestApp, type TestAppOptions } from "../harness.ts";
import { serveHere } from "../local_server.ts";
import { withStore } from "../memory_store.ts";
import { type Change, watchedStore } from "../watched_store.ts";
import { testWith } from "../opened.ts";
import { createGate, readUntil, until } from "../patience.ts";
import { articles, importXml, type Item, itemsXml, withBench } from "./import_calls.ts";
import { extent } from "../proof.ts";

const env = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" };
const ITEMS = [{ sku: "A", title: "Artikel", price: "10,00" }];

const SOURCE = "/api/import-sources/erp";
const PULL = `${SOURCE}/pull`;

type Answer = (request: Request) => Response | Promise<Response>;

/** A server with a file for imports; a test may set `answer` to serve something else. */
class Erp {
  readonly asked: Headers[] = [];
  answer: Answer = () => fileOf(ITEMS);
  readonly server = serveHere((request) => {
    this.asked.push(new Headers(request.headers));
    return this.answer(request);
  });

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.server[Symbol.asyncDispose]();
  }
}

const fileOf = (items: readonly Item[], headers = {}) => new Response(itemsXml(items), { headers });

const pulled = (erp: Erp, more: object = {}) => ({
  name: "ERP",
  id: "erp",
  kind: "pull",
  hold: null,
  pull: { url: `${erp.server.url}/export/artikel.xml?id=7`, ...more },
});

async function openPull({ more = {}, ...options }: TestAppOptions & { more?: object } = {}) {
  const erp = new Erp();
  const app = await startTestApp({ env, ...options });
  await app.manager.create("/api/import-sources", pulled(erp, more));
  const jobs = async () => (await app.viewer.read("/api/imports")).items;
  const areDone = async () => column(await jobs(), "status").every((one) => one === "succeeded");
  return {
    app,
    erp,
    jobs,
    lastPull: async () => (await app.viewer.read(SOURCE)).lastPull,
    pull: async () => (await app.manager.act(PULL)).lastPull,
    settled: () => until("imports have ended", areDone),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await erp[Symbol.asyncDispose]();
    },
  };
}

const withPull = testWith(() => openPull());

withPull.test("a pull creates an import with the name in the header or URL; a file with the same ETag, date or content creates none", async ({ app, erp, jobs, pull, settled }) => {
  const sentLast = (header: string) => erp.asked.at(-1)?.get(header);
  const tagged = (etag: string) => (request: Request) =>
    request.headers.get("If-None-Match") === etag
      ? new Response(null, { status: 304 })
      : fileOf(ITEMS, { ETag: etag });
  erp.answer = tagged('"one"');
  const first = await pull();
  assertEquals(first.outcome, "imported");
  await settled();
  const [job] = await jobs();
  assertEquals([job.jobId, job.source, job.label], [first.jobId, "erp", "artikel.xml"]);
  assertEquals([job.files[0].name, job.stats.inserted], ["artikel.xml", 1]);
  assertEquals(job.createdBy.type, "user");

  const second = await pull();
  assertEquals([second.outcome, second.jobId], ["unchanged", job.jobId]);
  assertEquals(sentLast("If-None-Match"), '"one"');
  // The ETag has changed, but the bytes are the same.
  erp.answer = tagged('"two"');
  for (const etag of ['"one"', '"two"']) {
    assertEquals([(await pull()).outcome, sentLast("If-None-Match")], ["unchanged", etag]);
  }
  assertEquals((await jobs()).length, 1);
  // An unchanged file is imported again if the import could now read it differently.
  const profile = { name: "Feed", detect: { root: "feed" }, itemPath: "feed/entry" };
  const changes = [
    () => app.manager.change(SOURCE, { mode: "update" }),
    () => app.owner.change("/api/settings", { pricesIncludeVat: true, vatRatePct: 19 }),
    () =>
      app.manager.create("/api/import-profiles", { ...profile, fields: { sku: { path: "@id" } } }),
  ];
  for (const change of changes) {
    await change();
    assertEquals([(await pull()).outcome, sentLast("If-None-Match")], ["imported", null]);
  }
  const dated = "Mon, 02 Mar 2026 04:00:00 GMT";
  const named = { "Last-Modified": dated, "Content-Disposition": "attachment; filename=neu.xml" };
  erp.answer = () => fileOf([{ ...ITEMS[0]!, price: "11,00" }], named);
  assertEquals((await pull()).outcome, "imported");
  await pull();
  assertEquals(sentLast("If-Modified-Since"), dated);
  await settled();
  const all = await jobs();
  assertEquals([all.length, all[0].label], [5, "neu.xml"]);
});

withPull.test("an unchanged file is imported again after its import was undone", async ({ app, pull, settled }) => {
  const { jobId } = await pull();
  await settled();
  const undo = `/api/imports/${jobId}/undo`;
  assertEquals((await app.manager.act(`${undo}?dryRun=true`)).pausesSource, true);
  await app.manager.act(`${undo}?pause=false`);
  await settled();
  assertEquals((await pull()).outcome, "imported");
  await settled();
  assertEquals((await pull()).outcome, "unchanged");
});

withStore.test("an unchanged file is imported again after the undo of its import was cancelled", async (memory) => {
  const cancelled = createGate();
  const isWork = ({ value }: Change) => /"undoes":.*"startedAt":"/.test(JSON.stringify(value ?? 0));
  const committing = (changes: readonly Change[]) =>
    changes.some(isWork) ? cancelled.passed : undefined;
  await using opened = await openPull({ store: watchedStore(memory, { committing }) });
  const { app: { manager }, pull, settled } = opened;
  const { jobId } = await pull();
  await settled();
  const later = { Prefer: "respond-async" };
  const undo = await manager.begin(`/api/imports/${jobId}/undo?pause=false`, undefined, later);
  await manager.act(`/api/imports/${undo.jobId}/cancel`);
  cancelled.open();
  assertEquals((await manager.read(`/api/imports/${undo.jobId}`)).status, "cancelled");
  assertEquals((await pull()).outcome, "imported");
});

withPull.test("an unchanged file is imported again on the days on which a dated price begins and ends", async ({ app, erp, pull, settled }) => {
  const headers = { ETag: '"one"', "Content-Disposition": 'attachment; filename="feed.csv"' };
  const row = "4711,Artikel,19.99 EUR,14.99 EUR,2026-03-04T00:00+01:00/2026-03-05T23:59+01:00";
  erp.answer = (request) => {
    const isKnown = request.headers.get("If-None-Match") === '"one"';
    const head = "id,title,price,sale_price,sale_price_effective_date";
    return isKnown
      ? new Response(null, { status: 304 })
      : new Response(`${head}\n${row}\n`, { headers });
  };
  const seen = [];
  for (let day = 0; day < 6; day++) {
    const { outcome } = await pull();
    await settled();
    const { items: [{ ourPriceCents }] } = await app.viewer.read("/api/products?sku=4711");
    seen.push([dateIn(app.clock.now(), "Europe/Berlin"), outcome, ourPriceCents]);
    app.clock.advance(DAY_MS);
  }
  assertEquals(seen, [
    ["2026-03-02", "imported", 1_999],
    ["2026-03-03", "unchanged", 1_999],
    ["2026-03-04", "imported", 1_499],
    ["2026-03-05", "unchanged", 1_499],
    ["2026-03-06", "imported", 1_999],
    ["2026-03-07", "unchanged", 1_999],
  ]);
});

withPull.test("credentials are sent only to their server, and never read back", async ({ app, erp, pull }) => {
  await using other = new Erp();
  const basic = `Basic ${new TextEncoder().encode("jürgen:s3cret").toBase64()}`;
  const kinds: [string, Record<string, string>, string, string][] = [
    ["basic", { user: "jürgen", password: "s3cret" }, "Authorization", basic],
    ["bearer", { token: "t0ken-s3cret" }, "Authorization", "Bearer t0ken-s3cret"],
    ["header", { name: "X-Api-Key", value: "k3y-s3cret" }, "X-Api-Key", "k3y-s3cret"],
  ];
  for (const [kind, secret, header, value] of kinds) {
    const auth = { kind, ...secret };
    const shown = await app.manager.change(SOURCE, { pull: pulled(erp, { auth }).pull });
    assertEquals(shown.pull.auth, { kind });
    // Responses omit the secret, and saving such a response keeps the stored secret.
    await app.manager.change(SOURCE, { pull: shown.pull });
    await pull();
    assertEquals(erp.asked.at(-1)?.get(header), value);
    erp.answer = () => Response.redirect(`${other.server.url}/elsewhere`, 302);
    await pull();
    assertEquals(other.asked.at(-1)?.get(header), null);
    erp.answer = () => fileOf(ITEMS);
    // The stored secret is not sent to another server.
    const moved = { ...shown.pull, url: `${other.server.url}/a.xml` };
    assertEquals(await refusedField(app.manager.patch(SOURCE, { pull: moved })), "pull.auth");
  }
  const rows = await Array.fromAsync(app.store.kv.list({ prefix: [] }));
  const texts = rows.map(({ value }) =>
    value instanceof Uint8Array
      ? new TextDecoder("latin1").decode(value)
      : Deno.inspect(value, { depth: 20, iterableLimit: 100_000 })
  );
  assertEquals(texts.filter((text) => /s3cret/.test(text)), []);
  const audited = JSON.stringify(await app.owner.read("/api/audit-logs?limit=200"));
  ok(audited.includes("import_source.pull") && !audited.includes("s3cret"));
});

withPull.test("a non-public address is refused when it is saved and when it is fetched", async ({ app, erp }) => {
  await using bare = await startTestApp();
  const saved = bare.manager.post("/api/import-sources", pulled(erp));
  assertEquals(await refusedField(saved), "pull.url");
  // The second app forbids the address, which was allowed when the source was saved.
  await app.app.close();
  const config = readConfig(() => undefined);
  const strict = await createApp({ store: app.store, config, now: app.clock.now });
  const headers = { Cookie: app.ownerCookie };
  const answer = strict.fetch(new Request(app.base + PULL, { method: "POST", headers }));
  const { lastPull: last } = await bodyOf(answer, 200);
  assertEquals([last.outcome, last.errorCode], ["failed", "private_address"]);
  await strict.close();
  assertEquals(erp.asked.length, 0);
});

withPull.test("a failed fetch is retried after 5, 15 and 60 minutes, then reported once", async ({ app, erp, lastPull, pull }) => {
  erp.answer = () => new Response("not yet", { status: 404 });
  const alerts = async () =>
    (await app.viewer.read("/api/alerts")).items
      .filter(({ facts }: { facts: { code: string } }) => facts.code === "not_fetched");
  const chain = async () => {
    const last = await pull();
    assertEquals([last.outcome, last.errorCode], ["waiting", "http_404"]);
    for (const [tries, minutes] of [[2, 5], [3, 15], [4, 60]] as const) {
      const before = await lastPull();
      const delayMs = Date.parse(before.nextTryAt) - app.clock.now().getTime();
      assertEquals(delayMs, minutes * MINUTE_MS);
      app.clock.advance(minutes * MINUTE_MS);
      await until("the fetch was repeated", async () => (await lastPull()).failures === tries);
    }
    assertEquals((await lastPull()).outcome, "failed");
  };
  await chain();
  assertEquals(erp.asked.length, 4);
  const [alert] = await readUntil("an alert reports it", alerts, ({ length }) => length === 1);
  assertEquals([alert.severity, alert.facts.name], ["high", "ERP"]);
  match(alert.body, /404/);
  await chain();
  erp.answer = () => fileOf(ITEMS);
  await pull();
  erp.answer = () => new Response("gone", { status: 404 });
  await chain();
  await until("a later failure is reported again", async () => (await alerts()).length === 2);
});

withPull.test("a manual pull replaces a waiting retry, and is refused during another fetch", async ({ app, erp, jobs, pull, settled }) => {
  erp.answer = () => new Response("", { status: 503 });
  await pull();
  erp.answer = () => fileOf(ITEMS);
  assertEquals((await pull()).outcome, "imported");
  await settled();
  app.clock.advance(10 * MINUTE_MS);
  await until("the waiting retry has ended", async () => {
    const jobs = await Array.fromAsync(app.store.kv.list({ prefix: ["jr", "import_pull"] }));
    return jobs.length === 0;
  });
  assertEquals([erp.asked.length, (await jobs()).length], [2, 1]);

  const gate = createGate();
  erp.answer = () => gate.passed.then(() => fileOf(ITEMS));
  const slow = app.manager.post(PULL);
  await until("the fetch has begun", () => erp.asked.length === 3);
  await refuses(app.manager.post(PULL), "conflict");
  gate.open();
  assertEquals((await bodyOf(slow, 200)).lastPull.outcome, "unchanged");
});

Deno.test("at a planned time, the file is fetched once by any number of processes, and never while paused", async () => {
  await using bench = await openPull({ more: { schedule: { every: "15m" } } });
  const { app, erp, jobs, lastPull, settled } = bench;
  const setup = { store: app.store, clock: app.app.clock };
  const ask = () => Promise.all(Array.from({ length: 4 }, () => beginPlannedPulls(setup)));
  await ask();
  assertEquals(await lastPull(), null);
  app.clock.advance(16 * MINUTE_MS);
  // A second app on the same store, as if in a second process.
  const config = readConfig((name) => new Map(Object.entries(env)).get(name));
  const second = await createApp({ store: app.store, config, now: app.clock.now });
  await ask();
  await until("the file is fetched", async () => (await lastPull())?.outcome === "imported");
  await ask();
  await settled();
  assertEquals(erp.asked.length, 1);
  const [job] = await jobs();
  await second.close();
  assertEquals(job.createdBy, { type: "system", id: "import_source", name: "ERP" });
  app.clock.advance(15 * MINUTE_MS);
  await ask();
  await until("the file is fetched again", async () => (await lastPull())?.outcome === "unchanged");
  const pausedAt = app.clock.now().toISOString();
  await app.manager.change(SOURCE, { pausedAt });
  app.clock.advance(60 * MINUTE_MS);
  await ask();
  assertEquals(erp.asked.length, 2);
  const refused = await refusalOf(app.manager.post(PULL));
  assertEquals([refused.code, refused.details.pausedAt], ["conflict", pausedAt]);
  match(refused.message, /PATCH import-sources\/erp with \{"pausedAt": null\}/);
});

Deno.test("an oversized file and an interrupted one leave nothing behind", async () => {
  await using bench = await openPull({ env: { ...env, IMPORT_MAX_BODY_BYTES: "200000" } });
  const { app, erp, jobs, pull } = bench;
  erp.answer = () => new Response(new Uint8Array(1_000_000));
  const outcome = async () => valuesOf([await pull()], "outcome", "errorCode");
  assertEquals(await outcome(), [["failed", "too_large"]]);
  const interrupted = {
    start: (stream: ReadableStreamDefaultController) => stream.enqueue(new Uint8Array(100_000)),
    pull: (stream: ReadableStreamDefaultController) => stream.error(new Error("off")),
  };
  erp.answer = () => new Response(new ReadableStream(interrupted));
  assertEquals(await outcome(), [["waiting", "unreachable"]]);
  const blobs = await Array.fromAsync(app.store.kv.list({ prefix: ["bh"] }));
  assertEquals(blobs.length, 0);
  assertEquals(await jobs(), []);
});

withBench.test("a source without an import at the expected time is reported once until the next import", async ({ app, key }) => {
  const expected = { by: "06:00" };
  await app.manager.create("/api/import-sources", { name: "Own", id: "own", expected });
  const setup = { store: app.store, clock: app.app.clock, deps: { isMailOn: false } };
  const ask = async () =>
    sumOf(await Promise.all([raiseSilentSources(setup), raiseSilentSources(setup)]), Number);
  const nextDay = async () => {
    app.clock.advance(DAY_MS);
    return await ask();
  };
  assertEquals(await ask(), 0);
  assertEquals([await nextDay(), await ask(), await nextDay()], [1, 0, 0]);
  const { items } = await app.viewer.read("/api/alerts");
  const { code, name, lastAt } = items[0].facts;
  assertEquals([code, name, lastAt], ["source_silent", "Own", null]);
  await importXml(key, itemsXml(ITEMS), "?source=own");
  assertEquals([await nextDay(), await nextDay(), await ask()], [0, 1, 0]);
});

withPull.test("a large file is received completely, compressed in transit or of unknown length", async ({ app, erp, pull, settled }) => {
  const items = articles(extent(4_000, 1_500), { title: "ü".repeat(150) });
  for (const [n, encoding] of ([null, "gzip"] as const).entries()) {
    const bytes = new TextEncoder().encode(itemsXml(items.slice(n)));
    erp.answer = () =>
      encoding === null
        ? new Response(new Blob([bytes]).stream())
        : new Response(new Uint8Array(gzipSync(bytes)), {
          headers: { "Content-Encoding": encoding },
        });
    const last = await pull();
    assertEquals(last.outcome, "imported");
    await settled();
    const job = await app.viewer.read(`/api/imports/${last.jobId}`);
    assertEquals([job.files[0].bytes, job.files[0].sha256], [bytes.length, sha256Hex(bytes)]);
  }
});

withPull.test("a fetched file that has not changed counts as arrived", async ({ app, pull, settled }) => {
  await app.manager.change(SOURCE, { expected: { by: "06:00" } });
  await app.owner.change("/api/settings", { importExpectedHours: 36 });
  const setup = { store: app.store, clock: app.app.clock, deps: { isMailOn: false } };
  const late = async () => [
    await raiseSilentSources(setup),
    await raiseOverdueImports(setup),
    (await app.viewer.read("/api/overview")).erp.isLate,
  ];
  const outcomes = [];
  for (let day = 0; day < 3; day++) {
    outcomes.push((await pull()).outcome);
    await settled();
    app.clock.advance(DAY_MS);
    assertEquals(await late(), [0, 0, false]);
  }
  assertEquals(outcomes, ["imported", "unchanged", "unchanged"]);
  app.clock.advance(DAY_MS);
  assertEquals([await late(), await late()], [[1, 1, true], [0, 0, true]]);
});
