import { watchStalls } from "../../src/platform/event_loop.ts";
import { startLogging } from "../../src/platform/log.ts";
import { openMemoryStore } from "../memory_store.ts";
import { until } from "../patience.ts";
import { quietMetrics } from "./quiet_metrics.ts";
import { ok } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

Deno.test("work that blocks the thread is counted in /metrics, and logged above a second", async () => {
  const lines: string[] = [];
  using _log = startLogging({
    level: "info",
    format: "json",
    write: (text) => void lines.push(text),
  });
  const logged = () => lines.join("").split("\n").filter((line) => line.includes("stalled"));
  const store = await openMemoryStore();
  {
    using _ = watchStalls();
    await delay(60);
    holdThread(1_300);
    await until("the stall is logged", () => Promise.resolve(logged().length > 0));
  }
  ok(JSON.parse(logged()[0]!).stalledMs >= 1_000);
  const shown = /^kurant_event_loop_stall_seconds (\S+)$/m.exec(await quietMetrics(store).render());
  ok(Number(shown?.[1]) >= 1);
  store.kv.close();
});

function holdThread(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}
