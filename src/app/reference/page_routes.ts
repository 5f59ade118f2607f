/**
 * Routes of pages: the API reference at `/docs`, and the web client at all addresses that it knows.
 */
import { type OpenAPIHono } from "@hono/zod-openapi";
import { Failure } from "../../base/failure.ts";
import type { AppContext, AppEnv } from "../../platform/http/app_context.ts";
import { room } from "../../platform/http/http.ts";
import { createStaticFiles } from "./static_files.ts";

/**
 * Allows only the client's own scripts, styles and typeface, no connections to other servers, and no
 * conversion of text to markup by the DOM.
 */
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

/** What browsers get of a server without the files of the client. */
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

export interface Pages {
  readonly routes: OpenAPIHono<AppEnv>;
  /**
   * Returns the client's page for an address that does not exist; null if the caller wants no page.
   */
  forUnknown(c: AppContext): Promise<Response | null>;
}

/**
 * `clientPaths` are the addresses of the client, all of which are answered with its single page.
 */
export function createPages(clientPaths: readonly string[], folder?: URL): Pages {
  const files = createStaticFiles(folder);
  const routes = room();
  for (const path of ["/docs", "/docs/:name", "/assets/:name"]) {
    routes.get(path, (c) => files.answer(c, c.req.path));
  }
  const page = async (c: AppContext, status: 200 | 404) => {
    try {
      return await files.answer(c, "/", { status, headers: CLIENT_HEADERS });
    } catch (error) {
      if (!(error instanceof Failure) || !wantsPage(c)) throw error;
      return c.html(NOT_BUILT, 503, CLIENT_HEADERS);
    }
  };
  for (const path of clientPaths) routes.get(path, (c) => page(c, 200));
  return {
    routes,
    forUnknown: async (c) => wantsPage(c) ? await page(c, 404) : null,
  };
}

/** True for navigation by a browser; programs request JSON or any type. */
function wantsPage(c: AppContext): boolean {
  const isPage = (c.req.header("Accept") ?? "").includes("text/html");
  return isPage && c.req.method === "GET" && !/^\/(api|assets|docs)(\/|$)/.test(c.req.path);
}
