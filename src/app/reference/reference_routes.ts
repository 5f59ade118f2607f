/** Routes that describe the service itself: health, metrics, OpenAPI documents, pages. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../../platform/http/app_context.ts";
import { room } from "../../platform/http/http.ts";
import type { Store } from "../../platform/store/kv.ts";
import type { RequestMetrics } from "../../platform/metrics.ts";
import { addHealth, type HealthDeps } from "./health_routes.ts";
import { addOpenApi } from "./openapi_routes.ts";
import type { Pages } from "./page_routes.ts";

interface ReferenceDeps extends Pick<HealthDeps, "diagnose"> {
  /** The whole application with the routes that the documents describe. */
  readonly app: OpenAPIHono<AppEnv>;
  readonly store: Store;
  /** Null if no token is set; then `/metrics` does not exist. */
  readonly metrics: RequestMetrics | null;
  readonly metricsToken: string | null;
  readonly pages: Pages;
}

/** Can be mounted at any time, because the documents are built at the first request. */
export function referenceRoutes(deps: ReferenceDeps): OpenAPIHono<AppEnv> {
  const routes = room();
  addHealth(routes, deps);
  addOpenApi(routes, deps.app);
  return routes.route("/", deps.pages.routes);
}
