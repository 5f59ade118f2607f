/** OpenTelemetry as in docs/operations.md: the runtime's exporter, with a collector on this machine. */
import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { until } from "../../patience.ts";
import { startServer } from "../../program.ts";
import { temporaryFolder } from "../../temporary_folder.ts";
import { serveHere } from "../../local_server.ts";

/** Collects the received bodies as text, by path. */
function startCollector() {
  const received = new Map<string, string>();
  const server = serveHere(async (request) => {
    const { pathname } = new URL(request.url);
    const sent = JSON.stringify(await request.json());
    received.set(pathname, (received.get(pathname) ?? "") + sent);
    return Response.json({});
  });
  return { ...server, received };
}

Deno.test("with OTEL_DENO a server sends spans and metrics of requests to the collector, without credentials", async () => {
  await using collector = startCollector();
  await using folder = await temporaryFolder();
  const server = await startServer({
    DATA_DIR: folder.path,
    OTEL_DENO: "true",
    OTEL_SERVICE_NAME: "kurant",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const headers = { Authorization: "Bearer pk_live_of-nobody", Cookie: "pr_session=of-nobody" };
  const answer = await fetch(`${server.url}/api/products?q=waschen`, { headers });
  assertEquals((await answer.json()).error.code, "not_authenticated");
  const spans = () => collector.received.get("/v1/traces") ?? "";
  await until("the span has come", () => spans().includes("/api/products"));
  const { code, err } = await server.stop("SIGTERM");
  assertEquals(code, 0);

  match(spans(), /"service\.name","value":\{"stringValue":"kurant"\}/);
  match(spans(), /"url\.path","value":\{"stringValue":"\/api\/products"\}/);
  match(spans(), /"http\.response\.status_code","value":\{"stringValue":"401"\}/);
  ok(collector.received.get("/v1/metrics")?.includes("http.server.request.duration"));
  // The log still goes to standard error.
  match(err, /"event":"listening"/);
  ok(!collector.received.has("/v1/logs"));
  for (const text of collector.received.values()) ok(!text.includes("of-nobody"));
});
