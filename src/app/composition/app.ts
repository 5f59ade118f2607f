/** The composition root: creates the parts of the service and connects them. */
import { createAdmission, KeyRing, RateLimiter } from "../../accounts/admission.ts";
import { type IdentityDeps, pageLink } from "../../accounts/session_routes.ts";
import { forgetFactors } from "../../accounts/factors/change_factors.ts";
import { PasswordPermits } from "../../accounts/passwords/password.ts";
import { Provider } from "../../accounts/sessions/provider.ts";
import { Visits } from "../../accounts/sessions/session.ts";
import { forgetOwnViews } from "../../accounts/views/view.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { once } from "../../base/collections.ts";
import { createUlidSource } from "../../base/id.ts";
import { PATHS } from "../../client/paths.ts";
import { FairQueue } from "../../platform/event_loop.ts";
import type { AppEnv, Authentication } from "../../platform/http/http.ts";
import { BodyMemory, DEFAULT_BODY_PACE } from "../../platform/http/body.ts";
import { createHttpApp, DrainGate } from "../../platform/http/http_app.ts";
import { JobRunner } from "../../platform/jobs/job_runner.ts";
import type { RequestMetrics } from "../../platform/metrics.ts";
import {
  type ClockAndIds,
  type Context,
  createClock,
  type WorkspaceStore,
} from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { createPages, referenceRoutes } from "../reference/reference_routes.ts";
import { createBackground } from "./background.ts";
import { type Config, urlOf } from "./config.ts";
import { diagnose, fileFolder } from "./diagnosis.ts";
import { figuresOf } from "./figures.ts";
import { type AppParts, guardedFetch, type Shared, shareParts } from "./room_deps.ts";
import type { Hono } from "hono";
import { randomBytes } from "node:crypto";
import { createKinds, roomRoutes } from "./room_routes.ts";

const STRANGERS_BODY_BYTES = 16 * 1024 * 1024;
/**
 * Maximum number of simultaneous requests; more would not be faster, because all share one thread.
 * A single workspace may use at most half of this number.
 */
const REQUESTS_AT_ONCE = 16;
const ADMITTED_BODY_BYTES = 64 * 1024 * 1024;

export interface App {
  readonly clock: ClockAndIds;
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  fetch(request: Request, info?: Deno.ServeHandlerInfo): Promise<Response>;
  /**
   * Answers new requests with 503. Resolves when all running requests have ended, and all running
   * jobs have ended or are queued again.
   */
  drain(): Promise<void>;
  /** Stops all background work and completes its writes, so that the store may be closed. */
  close(): Promise<void>;
}

export async function createApp(parts: AppParts): Promise<App> {
  const { store, config, now } = parts;
  const clock = await createClock(store, now);
  const shared = shareParts(parts, clock);
  const identity = identityOf(shared);
  const metrics = await metricsOf(shared);
  const pages = createPages(Object.values(PATHS));
  const drainGate = new DrainGate();
  const app = httpAppOf(parts, { identity, drainGate, metrics, pages });
  const background = createBackground(
    shared,
    (token) => pageLink(identity, PATHS.invitation, token),
  );
  const kinds = createKinds(shared, (kind) => jobs.wake(kind));
  const rooms = roomRoutes(shared, { identity, kinds, background });
  const reference = referenceRoutes({
    documented: () => routes.map((one) => one.document()),
    store,
    metrics,
    metricsToken: config.METRICS_TOKEN,
    diagnose: () => diagnose({ store, config, dataDir: fileFolder(config), now }),
  });
  const routes = [...rooms, ...reference];
  for (const one of routes) one.addTo(app);
  app.route("/", pages.routes);
  const jobs = new JobRunner({ store, clock, kinds: kinds.all });
  await jobs.start();
  background.start();
  // Requests that wait for a cache end when the cache is closed.
  const stop = once(() =>
    Promise.all([jobs.stop(), background.stop(), shared.tables.close(), shared.cache.close()])
  );
  return {
    clock,
    routes: app.routes,
    fetch: (request, info) =>
      drainGate.pass(async () => await app.fetch(request, info), info?.completed),
    drain: async () => void await Promise.all([drainGate.close(), stop()]),
    close: async () => {
      await stop();
      shared.reader[Symbol.dispose]();
      await Promise.all([identity.keyRing.notes.drain(), identity.visits.notes.drain()]);
    },
  };
}

function httpAppOf(
  { config, now }: AppParts,
  { identity, drainGate, metrics, pages }: {
    readonly identity: IdentityDeps;
    readonly drainGate: DrainGate;
    readonly metrics: RequestMetrics | null;
    readonly pages: ReturnType<typeof createPages>;
  },
): Hono<AppEnv> {
  const gate: Authentication = {
    admit: createAdmission(identity),
    dispatch: async (request, c) => await app.fetch(request, c.env),
    timeZoneOf: async (workspace) => (await requireWorkspace(workspace)).timeZone,
    bodyPace: {
      ...DEFAULT_BODY_PACE,
      windowMs: config.REQUEST_BODY_TIMEOUT_MS,
      bytesPerWindowMin: Math.ceil(config.REQUEST_BODY_TIMEOUT_MS * 1.024),
    },
    requests: new FairQueue(REQUESTS_AT_ONCE, { keepsSlotsFree: true }),
    bodyMemory: {
      strangers: new BodyMemory(STRANGERS_BODY_BYTES),
      admitted: new BodyMemory(ADMITTED_BODY_BYTES),
    },
  };
  const newUlid = createUlidSource(() => now().getTime(), randomBytes);
  const app = createHttpApp({
    gate,
    drainGate,
    newRequestId: () => `req_${newUlid()}`,
    isHttps: config.PUBLIC_URL?.startsWith("https:") ?? false,
    metrics,
    pageForUnknown: pages.forUnknown,
  });
  return app;
}

function providerOf(config: Config, port: () => number): Provider | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = config;
  if (issuer === null || clientId === null) return null;
  return new Provider({
    issuer,
    clientId,
    clientSecret: config.OIDC_CLIENT_SECRET,
    label: config.OIDC_LABEL,
    roles: config.OIDC_ROLES,
    isOnly: config.OIDC_ONLY,
    fetch: guardedFetch(config, "Kurant-OIDC/1"),
    redirectUri: () => `${urlOf(config, { port: port() })}${PATHS.provider}`,
  });
}

function identityOf(
  { store, clock, config, now, cache, tables, port = () => config.PORT }: Shared,
) {
  return {
    store,
    clock,
    keyRing: new KeyRing(store),
    visits: new Visits(),
    limiter: new RateLimiter(store, config.RATE_LIMIT_PER_MINUTE),
    publicUrl: config.PUBLIC_URL,
    trustedProxies: config.TRUSTED_PROXIES,
    linkBase: () => urlOf(config, { port: port() }),
    isMailOn: config.SMTP_URL !== null,
    provider: providerOf(config, port),
    permits: new PasswordPermits(),
    onArrival: (workspace: WorkspaceStore) => {
      // Load the search texts first, because the market tables take longer.
      void cache.warm(workspace).then(() => tables.warm({ ...workspace, now }));
    },
    onRemoval: async (write: Write, ctx: Context, userId: string) => {
      await forgetFactors(write, ctx, userId);
      await forgetOwnViews(write, ctx, userId);
    },
  };
}

async function metricsOf(
  { store, config, now, tables, scraper }: Shared,
): Promise<RequestMetrics | null> {
  if (config.METRICS_TOKEN === null) return null;
  const { createRequestMetrics } = await import("../../platform/metrics.ts");
  const dataDir = fileFolder(config);
  return createRequestMetrics(store, figuresOf({ store, now, dataDir, tables, ...scraper }));
}
