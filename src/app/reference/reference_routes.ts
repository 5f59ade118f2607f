/**
 * Declares routes for health, metrics, OpenAPI documents, pages, and the built files of `dist/`.
 */
import { type RouteConfig, z } from "@hono/zod-openapi";
import { type Context as HonoContext, Hono } from "hono";
import { gzipSync } from "node:zlib";
import { once } from "../../base/collections.ts";
import { Failure } from "../../base/failure.ts";
import { type AppContext, type AppEnv, jsonAnswer, Ok } from "../../platform/http/http.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { etagOf, isKnown, takesCoding } from "../../platform/http/answer.ts";
import type { RequestMetrics } from "../../platform/metrics.ts";
import { createStoreCheck, type Store } from "../../platform/store/kv.ts";
import { describeRoutes } from "./openapi.ts";
import type { Schema } from "./openapi_schemas.ts";
import { sha256 } from "../../base/bytes.ts";
import { timingSafeEqual } from "node:crypto";

interface HealthDeps {
  readonly store: Store;
  readonly metrics: RequestMetrics | null;
  readonly metricsToken: string | null;
  diagnose(): Promise<readonly DiagnosisPoint[]>;
}

const DiagnosisPoint = z.object({
  name: z.string().meta({ description: "What was examined", example: "backup" }),
  level: z.enum(["ok", "note", "problem"])
    .describe("Only a `problem` is worth an alarm"),
  text: z.string().describe("What is the case, in English"),
  remedy: z.string().nullable().describe("What to do"),
}).meta({ id: "DiagnosisPoint" });

export type DiagnosisPoint = Readonly<z.output<typeof DiagnosisPoint>>;

const Ready = Ok.extend({
  points: z.array(DiagnosisPoint).optional().describe("With `verbose`: as by `kurant doctor`"),
}).meta({ id: "Ready" });

const Verbosity = z.strictObject({
  verbose: z.string().max(10).optional().describe("Anything except `false`"),
});

const shared = {
  method: "get" as const,
  access: { by: "anyone" as const },
  tags: ["Operation"],
};

/** `/healthz` checks the process, `/readyz` checks the store (docs/operations.md). */
function healthRoutes(deps: HealthDeps): Route[] {
  const requireAnswer = createStoreCheck(deps.store);
  const healthz = route({
    ...shared,
    path: "/healthz",
    summary: "Check that the process is alive",
    responses: () => ({ 200: jsonAnswer(Ok, "The process answers") }),
  }, (c) => c.json({ ok: true }));
  const readyz = route({
    ...shared,
    path: "/readyz",
    summary: "Check that the service accepts requests",
    description:
      "503 while the store does not answer or takes no writes, and while the process shuts down. " +
      "`verbose` needs the `METRICS_TOKEN`, as `/metrics` does, and adds what `kurant doctor` says",
    query: Verbosity,
    responses: () => ({
      200: jsonAnswer(Ready, "The store answers"),
      401: { description: "With `verbose`: the token is missing or wrong" },
    }),
  }, async (c: HonoContext<AppEnv, string, { out: { query: z.output<typeof Verbosity> } }>) => {
    const { verbose = "false" } = c.req.valid("query");
    if (verbose !== "false") requireMetrics(deps, c.req.header("Authorization"), "/readyz?verbose");
    await requireAnswer();
    if (verbose === "false") return c.json({ ok: true });
    const points = await deps.diagnose();
    return c.json({ ok: true, points }, 200, { "Cache-Control": "no-store" });
  });
  const metrics = route({
    ...shared,
    path: "/metrics",
    summary: "Figures in Prometheus text format",
    description: "404 unless `METRICS_TOKEN` is set; that token is the bearer token.",
    responses: () => ({
      200: {
        description: "Prometheus text format 0.0.4",
        content: { "text/plain": { schema: z.string() } },
      },
      401: { description: "The token is missing or wrong" },
    }),
  }, async (c) => {
    const figures = requireMetrics(deps, c.req.header("Authorization"), "/metrics");
    return c.text(await figures.render(), 200, {
      "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
      "Cache-Control": "no-store",
    });
  });
  return [healthz, readyz, metrics];
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

interface ReferenceDeps extends HealthDeps {
  documented(): readonly RouteConfig[];
}

/** Stays constant, because version 1 of the API only gets additions. */
const DOCUMENT_VERSION = "1.0.0";

const Document = z.looseObject({ openapi: z.literal("3.1.0") });

export function referenceRoutes({ documented, ...deps }: ReferenceDeps): Route[] {
  const documents = once(() => {
    const { external, inApp } = describeRoutes(documented(), DOCUMENT_VERSION);
    return { external: packedDocument(external), inApp: packedDocument(inApp) };
  });
  const documentRoute = (path: string, interfaceName: string, name: "external" | "inApp") =>
    route({
      ...shared,
      path,
      summary: "This document",
      tags: ["Reference"],
      responses: () => ({
        200: jsonAnswer(Document, `OpenAPI 3.1 of the ${interfaceName} interface`),
      }),
    }, (c) => answerFile(c, documents()[name]));
  return [
    ...healthRoutes(deps),
    documentRoute("/api/public/v1/openapi.json", "external", "external"),
    documentRoute("/api/openapi.json", "in-app", "inApp"),
  ];
}

function packedDocument(document: Schema) {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  const packed = new Uint8Array(gzipSync(bytes));
  return { bytes, packed, etag: etagOf(bytes), type: "application/json", isLasting: false };
}

const CLIENT_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Kurant</title>
<h1>The web client is not built</h1>
<p>Run <code>deno task build</code> and reload this page. The API works: see <code>/api/public/v1/openapi.json</code>.</p>
<h1 lang="de">Die Weboberfläche ist nicht gebaut</h1>
<p lang="de"><code>deno task build</code> ausführen und diese Seite neu laden. Die API läuft: siehe <code>/api/public/v1/openapi.json</code>.</p>
</html>
`;

const CLIENT_HEADERS = { "Content-Security-Policy": CLIENT_CSP };

/** Serves the client's only HTML page at all `clientPaths`. */
export function createPages(clientPaths: readonly string[], folder?: URL) {
  const answer = createStaticFiles(folder);
  const routes = new Hono<AppEnv>();
  for (const path of ["/docs", "/docs/:name", "/assets/:name"]) {
    routes.get(path, (c) => answer(c, c.req.path));
  }
  const page = async (c: AppContext, status: 200 | 404) => {
    try {
      return await answer(c, "/", { status, headers: CLIENT_HEADERS });
    } catch (error) {
      if (!(error instanceof Failure) || !wantsPage(c)) throw error;
      return c.html(NOT_BUILT, 503, CLIENT_HEADERS);
    }
  };
  for (const path of clientPaths) routes.get(path, (c) => page(c, 200));
  return { routes, forUnknown: async (c: AppContext) => wantsPage(c) ? await page(c, 404) : null };
}

/** True if a browser asks for a page: unlike programs, browsers accept `text/html` explicitly. */
function wantsPage(c: AppContext): boolean {
  const isPage = (c.req.header("Accept") ?? "").includes("text/html");
  return isPage && c.req.method === "GET" && !/^\/(api|assets|docs)(\/|$)/.test(c.req.path);
}

const BUILT = new URL("../../../dist/", import.meta.url);

const FileTable = z.record(
  z.string(),
  z.object({
    file: z.string(),
    type: z.string(),
    /** True if the file's name changes with its content, so that browsers may cache it for ever. */
    isLasting: z.boolean(),
    isPacked: z.boolean(),
    hasBrotli: z.boolean(),
  }),
);

type Entry = z.infer<typeof FileTable>[string];

interface PackedFile extends Pick<Entry, "type" | "isLasting"> {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packed: Uint8Array<ArrayBuffer> | null;
  readonly brotli?: Uint8Array<ArrayBuffer> | null;
  readonly etag: string;
}

interface AnswerOptions {
  readonly status?: number;
  readonly headers?: Record<string, string>;
}

/**
 * The returned function throws `not_found` if the path is not in the list of built files, or if a
 * built file is missing. Each file stays in memory after its first successful read.
 */
export function createStaticFiles(folder: URL = BUILT) {
  let table: Readonly<Record<string, Entry>> | null = null;
  const files = new Map<string, PackedFile>();
  const fileOf = async (path: string): Promise<PackedFile | null> => {
    table ??= FileTable.parse(JSON.parse(await Deno.readTextFile(new URL("files.json", folder))));
    const entry = Object.hasOwn(table, path) ? table[path] : undefined;
    if (!entry) return null;
    const file = files.get(entry.file) ?? await readBuilt(folder, entry);
    files.set(entry.file, file);
    return file;
  };
  return async (c: AppContext, path: string, options?: AnswerOptions): Promise<Response> => {
    const file = await fileOf(path).catch((cause: unknown) => {
      const message = 'The pages are not built: run "deno task build"';
      throw new Failure("not_found", message, undefined, { cause });
    });
    if (file === null) throw new Failure("not_found", `There is nothing at "${path}"`);
    return answerFile(c, file, options);
  };
}

async function readBuilt(folder: URL, entry: Entry): Promise<PackedFile> {
  const read = (ending: string) => Deno.readFile(new URL(entry.file + ending, folder));
  const bytes = await read("");
  const packed = entry.isPacked ? await read(".gz") : null;
  const brotli = entry.hasBrotli ? await read(".br") : null;
  return { ...entry, bytes, packed, brotli, etag: etagOf(bytes) };
}

const FOR_EVER = "public, max-age=31536000, immutable";

/** Browsers must ask again for a file whose name does not change with its content (`no-cache`). */
function answerFile(
  c: AppContext,
  { bytes, packed, brotli, etag, ...file }: PackedFile,
  { status = 200, headers: more }: AnswerOptions = {},
): Response {
  const headers = new Headers({
    ...more,
    "Content-Type": file.type,
    "Cache-Control": file.isLasting ? FOR_EVER : "no-cache",
    ETag: etag,
  });
  if (isKnown(c, etag)) return new Response(null, { status: 304, headers });
  if (packed === null) return new Response(bytes, { status, headers });
  headers.set("Vary", "Accept-Encoding");
  const isBrotli = brotli && takesCoding(c, "br");
  if (!isBrotli && !takesCoding(c, "gzip")) return new Response(bytes, { status, headers });
  headers.set("Content-Encoding", isBrotli ? "br" : "gzip");
  headers.set("ETag", `W/${etag}`);
  return new Response(isBrotli ? brotli : packed, { status, headers });
}
