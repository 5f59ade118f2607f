import { deepStrictEqual as assertEquals, doesNotMatch, match, ok } from "node:assert/strict";
import type { Route } from "playwright-core";
import { bodyOf, refuses, statusOf } from "../../api/answers.ts";
import { buildClient } from "../../built_client.ts";
import { onScreen } from "../../client/browser.ts";
import { startTestApp, withApp } from "../../harness.ts";
import { IS_LONG } from "../../proof.ts";
import { PATHS } from "../../../src/client/paths.ts";
import { createPages, createStaticFiles } from "../../../src/app/reference/reference_routes.ts";
import { inFolder } from "../../temporary_folder.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { pathToFileURL } from "node:url";
import { Hono } from "hono";
import type { AppEnv } from "../../../src/platform/http/http.ts";

await buildClient();

withApp.test("GET /docs is a page without inline script that names both documents", async (app) => {
  const answer = await app.anyone.get("/docs");
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("Content-Type"), "text/html; charset=utf-8");
  match(answer.headers.get("Content-Security-Policy")!, /^default-src 'self';/);
  const page = await answer.text();
  ok(page.includes('"/api/openapi.json"') && page.includes('"/api/public/v1/openapi.json"'));
  assertEquals(/<script(?![^>]*\ssrc="\/docs\/)|<style|\son\w+=|https?:/.test(page), false);
});

withApp.test("GET /docs/… answers each file with its type, and 304 if cached, and serves no other file", async (app) => {
  const page = await (await app.anyone.get("/docs")).text();
  const paths = [...page.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path!);
  assertEquals(paths.length, 5);
  for (const path of paths) {
    const answer = await app.anyone.get(path);
    const bytes = await answer.bytes();
    assertEquals([path, answer.status, bytes.length > 100], [path, 200, true]);
    match(answer.headers.get("Content-Type")!, /^(text\/(javascript|css)|image\/png)/);
    const known = { "If-None-Match": answer.headers.get("ETag")! };
    assertEquals(await statusOf(app.anyone.get(path, known)), 304, path);
  }
  for (const path of ["/", "/LICENSE", "/%2e%2e/%2e%2e/deno.json", "/page.js/"]) {
    assertEquals(await statusOf(app.anyone.get(`/docs${path}`)), 404, path);
  }
});

onScreen.test("/docs shows both documents in a browser, without a browser error", async ({ app, browser }) => {
  const { page } = await browser.visit(app.base);
  for (
    const [query, title, tag, path] of [
      ["", "Kurant: external interface, v1", "Settings", "/api/public/v1/settings"],
      ["?interface=in-app", "Kurant: in-app interface", "Alerts", "/api/alerts/unread-count"],
    ] as const
  ) {
    // Short test runs display only one path of each document, which is ten times as fast.
    if (!IS_LONG) await page.route("**/openapi.json", onlyWith(path));
    await page.goto(`/docs${query}`);
    await page.locator(`.opblock-tag[data-tag="${tag}"]`).click();
    await page.locator(`[data-path="${path}"]`).first().waitFor({ state: "attached" });
    ok((await page.content()).includes(title), `no title "${title}"`);
  }
});

function onlyWith(path: string): (route: Route) => Promise<void> {
  return async (route) => {
    const response = await route.fetch();
    const whole = await response.json();
    const paths = { [path]: whole.paths[path] };
    const schemas: Record<string, unknown> = {};
    const keepNamed = (part: unknown) => {
      for (const [, name = ""] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
        if (name in schemas) continue;
        schemas[name] = whole.components.schemas[name];
        keepNamed(schemas[name]);
      }
    };
    const { schemas: _, ...others } = whole.components;
    keepNamed([paths, others]);
    await route.fulfill({
      response,
      json: { ...whole, paths, components: { ...others, schemas } },
    });
  };
}

const BROWSER = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const pathOf = (pattern: string) => pattern.replaceAll(/:\w+/g, "abc");

withApp.test("GET of every address of the client is its page, under a policy without inline code", async (app) => {
  for (const path of Object.values(PATHS).map(pathOf)) {
    const answer = await app.anyone.get(path, BROWSER);
    assertEquals([path, answer.status], [path, 200]);
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
    match(policy, /require-trusted-types-for 'script'/);
    doesNotMatch(policy, /unsafe/);
    assertEquals(answer.headers.get("Cache-Control"), "no-cache");
    const inline = /<script(?![^>]*\ssrc="\/assets\/)|<style|\son\w+=|\sstyle=|https?:/;
    doesNotMatch(await answer.text(), inline);
  }
});

withApp.test("GET /assets/… is compressed, cached forever, and found by the page's names only", async (app) => {
  const page = await (await app.anyone.get("/")).text();
  const paths = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  const packed = paths.filter((path) => !path.endsWith(".woff2"));
  assertEquals([paths.length, packed.length], [4, 3]);
  for (const path of packed) {
    match(path, /-[0-9a-f]{12}\.\w+$/);
    for (const coding of ["br", "gzip", "gzip, br", "br;q=0, gzip", "identity"]) {
      const answer = await app.anyone.get(path, { "Accept-Encoding": coding });
      ok((await answer.bytes()).length > 100);
      const isSmall = !path.endsWith(".svg") && /br(?!;q=0)/.test(coding);
      assertEquals(
        answer.headers.get("Content-Encoding"),
        coding === "identity" ? null : isSmall ? "br" : coding === "br" ? null : "gzip",
      );
      assertEquals(
        [path, answer.status, answer.headers.get("Cache-Control")],
        [path, 200, "public, max-age=31536000, immutable"],
      );
      match(answer.headers.get("Vary") ?? "", /Accept-Encoding/i);
    }
  }
  const none = ["/assets/main.js", "/assets/", "/assets/%2e%2e%2ffiles.json", "/files.json"];
  for (const path of none) assertEquals(await statusOf(app.anyone.get(path)), 404, path);
});

withApp.test("an unknown address is a page for browsers and an error for programs, both 404", async (app) => {
  const page = await app.anyone.get("/gibt/es/nicht", BROWSER);
  assertEquals([page.status, page.headers.get("Content-Type")], [404, "text/html; charset=utf-8"]);
  await page.body?.cancel();
  await refuses(app.anyone.get("/gibt/es/nicht"), "not_found");
  for (const path of ["/api/gibt/es/nicht", "/api/public/v1/nicht"]) {
    await refuses(app.anyone.get(path, BROWSER), "not_found", path);
  }
});

inFolder.test("a server without the client's files tells browsers what is missing", async (folder) => {
  const { routes } = createPages(["/"], new URL(`file://${folder.path}/`));
  const page = await routes.request("/", { headers: { Accept: "text/html" } });
  assertEquals([page.status, page.headers.get("Content-Type")], [503, "text/html; charset=UTF-8"]);
  match(await page.text(), /deno task build/);
});

withApp.test("GET /healthz answers while the process lives, GET /readyz until it drains", async (app) => {
  const { anyone } = app;
  for (const path of ["/healthz", "/readyz"]) assertEquals(await anyone.read(path), { ok: true });
  const drained = app.app.drain();
  const [alive, ready] = await Promise.all([anyone.read("/healthz"), anyone.get("/readyz")]);
  assertEquals(alive, { ok: true });
  assertEquals((await bodyOf(ready, 503)).error.code, "unavailable");
  await drained;
});

Deno.test("GET /readyz answers 503 when the store is gone", async () => {
  const store = await openMemoryStore();
  await using app = await startTestApp({ store });
  store.kv.close();
  assertEquals((await bodyOf(app.anyone.get("/readyz"), 503)).error.code, "unavailable");
});

Deno.test("GET /metrics counts requests, needs the bearer METRICS_TOKEN, and is 404 without one", async () => {
  await using app = await startTestApp({ env: { METRICS_TOKEN: "figures" } });
  const wrong = { Authorization: "Bearer figure" };
  await refuses(app.anyone.get("/metrics"), "missing_credentials");
  await refuses(app.anyone.get("/metrics", wrong), "not_authenticated");
  await refuses(app.owner.get("/metrics"), "missing_credentials");
  const answer = await app.anyone.get("/metrics", { Authorization: "Bearer figures" });
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  match(text, /^kurant_http_requests_total\{method="GET",status="401"\} 3$/m);
  match(text, /^process_resident_memory_bytes \d+$/m);
  await using silent = await startTestApp();
  await refuses(silent.anyone.get("/metrics", { Authorization: "Bearer " }), "not_found");
});

const PLAIN = { type: "text/html", isLasting: false, isPacked: false, hasBrotli: false };
const TABLE = { "/docs": { file: "docs.html", ...PLAIN }, "/": { file: "page.html", ...PLAIN } };

function openFiles(folder: string) {
  const app = new Hono<AppEnv>();
  const answer = createStaticFiles(pathToFileURL(`${folder}/`));
  app.get("*", (c) => answer(c, c.req.path));
  app.onError((_, c) => c.text("none", 404));
  return async (path: string) => {
    const answer = await app.request(path);
    return [answer.status, await answer.text()];
  };
}

async function build(folder: string, content: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/files.json`, JSON.stringify(TABLE));
  for (const { file } of Object.values(TABLE)) {
    await Deno.writeTextFile(`${folder}/${file}`, content);
  }
}

inFolder.test("a build that is finished after the start is found, and a request for a path that does not exist keeps it", async (folder) => {
  const get = openFiles(folder.path);
  assertEquals(await get("/docs"), [404, "none"]);
  await build(folder.path, "built");
  assertEquals(await get("/docs"), [200, "built"]);
  // From now on, the server can return only cached files.
  for await (const { name } of Deno.readDir(folder.path)) {
    await Deno.remove(`${folder.path}/${name}`);
  }
  assertEquals(await get("/docs/none"), [404, "none"]);
  // The file of `/` was never requested, so it is not cached.
  assertEquals(await get("/"), [404, "none"]);
  assertEquals(await get("/docs"), [200, "built"]);
});
