import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { createRequestMetrics } from "../../src/platform/metrics.ts";

Deno.test("request metrics: methods that nobody knows share one series, however many a client makes up", async () => {
  const metrics = createRequestMetrics();
  metrics.count("GET", 200, 1);
  for (let n = 0; n < 1_000; n++) metrics.count(`BREW${n}`, 405, 1);
  const lines = (await metrics.render()).split("\n");
  assertEquals(lines.filter((line) => line.startsWith("kurant_http_requests_total{")), [
    'kurant_http_requests_total{method="GET",status="200"} 1',
    'kurant_http_requests_total{method="other",status="405"} 1000',
  ]);
});
