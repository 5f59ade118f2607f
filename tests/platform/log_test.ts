import { deepStrictEqual as assertEquals, equal, match, ok } from "node:assert/strict";
import { droppedLogLines, type LogFormat, roomLog, startLogging } from "../../src/platform/log.ts";
import { keepLog } from "../kept_log.ts";
import { until } from "../patience.ts";
import { commandContext, createClock } from "../../src/platform/store/context.ts";
import { addJob } from "../../src/platform/jobs/job_store.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { quietMetrics } from "./quiet_metrics.ts";
import { openMemoryStore, withStore } from "../memory_store.ts";
import { TimeSlice, watchStalls } from "../../src/platform/event_loop.ts";
import { openStoreFile } from "../../src/platform/store/open_store.ts";
import { serveHere } from "../local_server.ts";
import { connectTo } from "../raw_http.ts";
import { inFolder } from "../temporary_folder.ts";
import { setTimeout as delay } from "node:timers/promises";

/** Terminals or tools may take these for line ends, commands or a change of text direction. */
const HOSTILE = [
  ..."\n\r\0\x7f\u0085\u2028\u2029\u202e\u202a\u2067\u2069\u200f\u061c\u200b\ufeff\u{e0041}\ud800",
  ...["\x1b[2J", "\u009b31m"],
];
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

function linesOf(format: LogFormat, tell: () => void): string {
  using log = keepLog("debug", format);
  tell();
  return log.text();
}

for (const format of ["text", "json"] as const) {
  Deno.test(`a log event is one line of ${format} that contains every value`, () => {
    for (const character of HOSTILE) {
      const name = character.codePointAt(0)?.toString(16) ?? "";
      const path = `/a${character}2026-01-01T00:00:00.000Z error   http forged`;
      const error = new Error(`of ${path}`, { cause: new TypeError(character) });
      const fields = { path, error, [`x${character}`]: 1, absent: undefined };
      const text = linesOf(format, () => roomLog("http").info(`request ${character}`, fields));
      ok(text.endsWith("\n"), name);
      const line = text.slice(0, -1);
      assertEquals([name, UNSEEN.exec(line)], [name, null]);
      match(line, /forged/, name);
      ok(!line.includes("absent"), name);
      if (format === "json") assertEquals([name, JSON.parse(line).path], [name, path]);
      else match(line, /^\d{4}-\d\d-\d\dT/, name);
    }
  });
}

Deno.test("ordinary text is logged as it is", () => {
  const path = "/käse/日本語/שלום/👩\u{1f3fd}";
  const text = linesOf("text", () => roomLog("http").info("request", { path }));
  ok(text.includes(`path="${path}"`), text);
});

Deno.test("texts in the form of a secret are never logged, and nothing else is removed", () => {
  const secrets: readonly (readonly [text: string, logged: string])[] = [
    ["pk_live_4fQ7abcdefghijklmnopqrstuvwxyz012345", "pk_live_4fQ7[redacted]"],
    ["pr_session=0a1b2c; Path=/", "[redacted]; Path=/"],
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw==", "[redacted]"],
    ["https://user:geheim@shop.example/feed", "https://user:[redacted]@shop.example/feed"],
    ["http://proxy.example:8080/a//b", "http://proxy.example:8080/a//b"],
    ["pk_live_", "pk_live_"],
  ];
  for (const format of ["text", "json"] as const) {
    for (const [first, firstLogged] of secrets) {
      for (const [second, secondLogged] of secrets) {
        const fields = { path: `ä ${first}`, error: new Error(`at ${second}`) };
        const text = linesOf(format, () => roomLog("http").warning("asked", fields));
        ok(text.includes(`ä ${firstLogged}`), `${first} in ${text}`);
        ok(text.includes(`at ${secondLogged}`), `${second} in ${text}`);
      }
    }
  }
});

Deno.test("a line that cannot be written is counted, and the next one begins a new line", () => {
  const before = droppedLogLines();
  let [text, isFull] = ["", false];
  const write = (line: string) => {
    text += isFull ? line.slice(0, 5) : line;
    if (isFull) throw new Error("No space left");
  };
  using _log = startLogging({ level: "info", format: "json", write });
  const log = roomLog("test");
  for (isFull of [false, true, false]) log.info("one");
  assertEquals([droppedLogLines() - before, text.trim().split("\n").length], [1, 3]);
  equal(JSON.parse(text.trim().split("\n")[2]!).event, "one");
});

const metricLines = (text: string, name: string) =>
  text.split("\n").filter((line) => line.startsWith(`${name}{`));

withStore.test("request metrics: unknown methods share one series, however many a client invents", async (store) => {
  const metrics = quietMetrics(store);
  metrics.count("GET", 200, 1);
  for (let n = 0; n < 1_000; n++) metrics.count(`BREW${n}`, 405, 1);
  assertEquals(metricLines(await metrics.render(), "kurant_http_requests_total"), [
    'kurant_http_requests_total{method="GET",status="200"} 1',
    'kurant_http_requests_total{method="other",status="405"} 1000',
  ]);
});

Deno.test("job metrics: waiting jobs are counted by kind, and other figures work without the store", async () => {
  const store = await openMemoryStore();
  const clock = await createClock(store, () => new Date());
  const ctx = commandContext({ store, clock }, clock.newId());
  const metrics = quietMetrics(store);
  assertEquals(metricLines(await metrics.render(), "kurant_jobs"), []);
  for (const kind of ["import", "import", "scrape_run"]) {
    const job = { kind, args: {}, stats: {} };
    await transact(ctx, (write) => Promise.resolve(addJob(write, ctx, job)));
  }
  assertEquals(metricLines(await metrics.render(), "kurant_jobs"), [
    'kurant_jobs{kind="import",status="queued"} 2',
    'kurant_jobs{kind="scrape_run",status="queued"} 1',
  ]);
  store.kv.close();
  metrics.count("GET", 503, 1);
  const away = await metrics.render();
  assertEquals(metricLines(away, "kurant_jobs"), []);
  assertEquals(metricLines(away, "kurant_http_requests_total").length, 1);
});

const REQUESTS = 10;

Deno.test("a request waits for no more slices during eight CPU-bound works", async () => {
  await using server = serveHere(() => new Response("here"));
  const state = { isOver: false, steps: 0 };
  const working = Array.from({ length: 8 }, async () => {
    const slice = new TimeSlice();
    for (; !state.isOver; state.steps++) {
      work(5);
      await slice.yield();
    }
  });
  for (let n = 0; n < REQUESTS; n++) {
    const before = state.steps;
    using connection = await connectTo(server.url);
    await connection.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: here\r\n\r\n"));
    await connection.read(new Uint8Array(1_000));
    ok(state.steps - before < 30, `${state.steps - before} steps of work during a request`);
  }
  state.isOver = true;
  await Promise.all(working);
});

inFolder.test("a request is answered within a few store calls of eight works that only wait for the store", async (folder) => {
  const { kv } = await openStoreFile(`${folder.path}/kurant.db`, 5_000);
  const stepsAtRequest: number[] = [];
  let [isOver, steps] = [false, 0];
  const server = serveHere(() => {
    stepsAtRequest.push(steps);
    return new Response("here");
  });
  const works = Array.from({ length: 8 }, async () => {
    for (; !isOver; steps++) {
      work(5);
      await kv.get(["a"]);
    }
  });
  await requestFromOutside(server.url, REQUESTS);
  isOver = true;
  await Promise.all(works);
  await server[Symbol.asyncDispose]();
  kv.close();
  equal(stepsAtRequest.length, REQUESTS);
  // About 40 store calls happen between two requests; without yields in the store, about 240.
  const [first = 0] = stepsAtRequest;
  const perRequest = ((stepsAtRequest.at(-1) ?? Infinity) - first) / (REQUESTS - 1);
  ok(perRequest < 100, `${perRequest} calls of the store between two requests`);
});

/** Sends requests one after another from a separate process, each on a new connection. */
async function requestFromOutside(url: string, count: number): Promise<void> {
  const program = `for (let n = 0; n < ${count}; n++) ` +
    `await (await fetch("${url}", { headers: { Connection: "close" } })).text();`;
  const { code } = await new Deno.Command(Deno.execPath(), { args: ["eval", program] }).output();
  equal(code, 0);
}

function work(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

withStore.test("work that blocks the thread is counted in /metrics, and logged above a second", async (store) => {
  using log = keepLog();
  const logged = () => log.lines().filter((line) => line.includes("stalled"));
  {
    using _ = watchStalls();
    await delay(60);
    work(1_300);
    await until("the stall is logged", () => logged().length > 0);
  }
  ok(JSON.parse(logged()[0]!).stalledMs >= 1_000);
  const shown = /^kurant_event_loop_stall_seconds (\S+)$/m.exec(await quietMetrics(store).render());
  ok(Number(shown?.[1]) >= 1);
});
