import { equal, ok } from "node:assert/strict";
import { TimeSlice, watchStalls } from "../../src/platform/event_loop.ts";
import { openStoreFile } from "../../src/platform/store/open_store.ts";
import { serveHere } from "../local_server.ts";
import { connectTo } from "../raw_http.ts";
import { inFolder } from "../temporary_folder.ts";
import { keepLog } from "../kept_log.ts";
import { withStore } from "../memory_store.ts";
import { until } from "../patience.ts";
import { quietMetrics } from "./quiet_metrics.ts";
import { setTimeout as delay } from "node:timers/promises";

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
  // With yields, about 40 store calls happen between two requests; without yields, 240.
  const [first = 0] = stepsAtRequest;
  const perRequest = ((stepsAtRequest.at(-1) ?? Infinity) - first) / (REQUESTS - 1);
  ok(perRequest < 100, `${perRequest} calls of the store between two requests`);
});

/** A client in a separate process sends sequential requests, each on a new connection. */
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
