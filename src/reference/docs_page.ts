/** The reading page at `/docs`: files that the build put together, no inline script, nothing from elsewhere. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { Failure } from "../base/failure.ts";
import { sha256Hex } from "../base/sha256.ts";
import type { AppContext, AppEnv } from "../platform/http.ts";

const BUILT = new URL("../../dist/docs/", import.meta.url);

/** Every file of the page, by path: a table, so that no path of a request ever reaches the disk. */
const FILES = {
  "/docs": { name: "index.html", type: "text/html; charset=utf-8" },
  "/docs/page.js": { name: "page.js", type: "text/javascript; charset=utf-8" },
  "/docs/page.css": { name: "page.css", type: "text/css; charset=utf-8" },
  "/docs/swagger-ui-bundle.js": {
    name: "swagger-ui-bundle.js",
    type: "text/javascript; charset=utf-8",
  },
  "/docs/swagger-ui.css": { name: "swagger-ui.css", type: "text/css; charset=utf-8" },
  "/docs/favicon-32x32.png": { name: "favicon-32x32.png", type: "image/png" },
} as const;

interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** A file is read once, at its first request; without a build the page is `not_found` and says what to do. */
export function addDocsPage(routes: OpenAPIHono<AppEnv>): void {
  const read = new Map<string, Promise<PageFile>>();
  for (const [path, { name, type }] of Object.entries(FILES)) {
    routes.get(path, async (c) => {
      const file = read.get(name) ?? readPageFile(name);
      read.set(name, file);
      try {
        return answerFile(c, await file, type);
      } catch (error) {
        read.delete(name);
        throw error;
      }
    });
  }
}

async function readPageFile(name: string): Promise<PageFile> {
  try {
    const bytes = await Deno.readFile(new URL(name, BUILT));
    return { bytes, etag: `"${sha256Hex(bytes).slice(0, 32)}"` };
  } catch (cause) {
    const message = 'The reading page is not built: run "deno task build"';
    throw new Failure("not_found", message, undefined, { cause });
  }
}

/** Names are plain, so a browser asks each time whether its copy is still the right one. */
function answerFile(c: AppContext, { bytes, etag }: PageFile, type: string): Response {
  const headers = { "Content-Type": type, "Cache-Control": "no-cache", ETag: etag };
  // The server compresses on its way out and marks the tag as weak then.
  const known = c.req.header("If-None-Match")?.replace(/^W\//, "");
  if (known === etag) return new Response(null, { status: 304, headers });
  return new Response(bytes, { headers });
}
