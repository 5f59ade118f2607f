/** The pages: the reading page at `/docs`, and the web client at the addresses that it knows. */
import { type OpenAPIHono } from "@hono/zod-openapi";
import type { AppContext, AppEnv } from "../../platform/http/app_context.ts";
import { room } from "../../platform/http/http.ts";
import { createStaticFiles } from "./static_files.ts";

/**
 * No script and no style but the client's own files, no connection elsewhere, and no text that
 * becomes markup on its way through a sink of the DOM.
 */
const CLIENT_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
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
  /** The client's own page for an address that does not exist; null for who wants no page. */
  forUnknown(c: AppContext): Promise<Response | null>;
}

/** `clientPaths` are the addresses of the client: each is answered with its one page. */
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

/** A browser that goes to an address by itself; programs ask for JSON or for anything. */
function wantsPage(c: AppContext): boolean {
  const isPage = (c.req.header("Accept") ?? "").includes("text/html");
  return isPage && c.req.method === "GET" && !/^\/(api|assets|docs)(\/|$)/.test(c.req.path);
}
