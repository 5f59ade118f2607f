/**
 * Routes of pages: the API reference at `/docs`, and the web client at all addresses that it knows.
 */
import { type OpenAPIHono } from "@hono/zod-openapi";
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
export function createPages(clientPaths: readonly string[]): Pages {
  const files = createStaticFiles();
  const routes = room();
  for (const path of ["/docs", "/docs/:name", "/assets/:name"]) {
    routes.get(path, (c) => files.answer(c, c.req.path));
  }
  for (const path of clientPaths) {
    routes.get(path, (c) => files.answer(c, "/", { headers: CLIENT_HEADERS }));
  }
  return {
    routes,
    forUnknown: async (c) =>
      wantsPage(c) ? await files.answer(c, "/", { status: 404, headers: CLIENT_HEADERS }) : null,
  };
}

/** True for navigation by a browser; programs request JSON or any type. */
function wantsPage(c: AppContext): boolean {
  const isPage = (c.req.header("Accept") ?? "").includes("text/html");
  return isPage && c.req.method === "GET" && !/^\/(api|assets|docs)(\/|$)/.test(c.req.path);
}
