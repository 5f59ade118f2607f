import { sha256 } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import type { AppEnv } from "../../platform/http/app_context.ts";
import { jsonAnswer, Ok, route } from "../../platform/http/http.ts";
import type { RequestMetrics } from "../../platform/metrics.ts";
import type { Store } from "../../platform/store/kv.ts";
import { createStoreHealth } from "../../platform/store/store_health.ts";
import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { timingSafeEqual } from "node:crypto";

export interface HealthDeps {
  readonly store: Store;
  readonly metrics: RequestMetrics | null;
  readonly metricsToken: string | null;
  diagnose(): Promise<readonly z.output<typeof Point>[]>;
}

const Point = z.object({
  name: z.string().meta({ description: "What was examined", example: "backup" }),
  level: z.enum(["ok", "note", "problem"])
    .meta({ description: "Only a `problem` is worth an alarm" }),
  text: z.string().meta({ description: "What is the case, in English" }),
  remedy: z.string().nullable().meta({ description: "What to do" }),
}).meta({ id: "DiagnosisPoint" });

const Ready = Ok.extend({
  points: z.array(Point).optional().meta({ description: "With `verbose`: as by `kurant doctor`" }),
}).meta({ id: "Ready" });

const healthz = route({
  method: "get",
  path: "/healthz",
  access: { by: "anyone" },
  summary: "Check that the process is alive",
  tags: ["Operation"],
  responses: { 200: jsonAnswer(Ok, "The process answers") },
});

const readyz = route({
  method: "get",
  path: "/readyz",
  access: { by: "anyone" },
  summary: "Check that the service accepts requests",
  description:
    "503 while the store does not answer or takes no writes, and while the process shuts down. " +
    "`verbose` needs the `METRICS_TOKEN`, as `/metrics` does, and adds what `kurant doctor` says",
  tags: ["Operation"],
  request: {
    query: z.strictObject({
      verbose: z.string().max(10).optional().meta({ description: "Anything except `false`" }),
    }),
  },
  responses: {
    200: jsonAnswer(Ready, "The store answers"),
    401: { description: "With `verbose`: the token is missing or wrong" },
  },
});

const metrics = route({
  method: "get",
  path: "/metrics",
  access: { by: "anyone" },
  summary: "Figures in Prometheus text format",
  description: "404 unless `METRICS_TOKEN` is set; that token is the bearer token.",
  tags: ["Operation"],
  responses: {
    200: {
      description: "Prometheus text format 0.0.4",
      content: { "text/plain": { schema: z.string() } },
    },
    401: { description: "The token is missing or wrong" },
  },
});

/**
 * `/healthz` for the process, `/readyz` for the store, `/metrics` with its token
 * (docs/decisions/running.md).
 */
export function addHealth(routes: OpenAPIHono<AppEnv>, deps: HealthDeps): void {
  const health = createStoreHealth(deps.store);
  routes.openapi(healthz, (c) => c.json({ ok: true as const }, 200));
  routes.openapi(readyz, async (c) => {
    const { verbose = "false" } = c.req.valid("query");
    if (verbose !== "false") requireMetrics(deps, c.req.header("Authorization"), "/readyz?verbose");
    await health.requireAnswer();
    const ok = true as const;
    if (verbose === "false") return c.json({ ok }, 200);
    const points = [...await deps.diagnose()];
    return c.json({ ok, points }, 200, { "Cache-Control": "no-store" });
  });
  routes.openapi(metrics, async (c) => {
    const figures = requireMetrics(deps, c.req.header("Authorization"), "/metrics");
    return c.text(await figures.render(), 200, {
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
      "Cache-Control": "no-store",
    });
  });
}

function requireMetrics(
  { metrics, metricsToken }: HealthDeps,
  authorization: string | undefined,
  address: string,
): RequestMetrics {
  if (metrics === null || metricsToken === null) {
    throw new Failure("not_found", `There is nothing at "${address}"`);
  }
  if (authorization === undefined) {
    throw new Failure("missing_credentials", "Send the METRICS_TOKEN as bearer token");
  }
  const given = authorization.replace(/^Bearer +/i, "");
  if (!timingSafeEqual(sha256(given), sha256(metricsToken))) {
    throw new Failure("not_authenticated", "The bearer token is not the METRICS_TOKEN");
  }
  return metrics;
}
