import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import type { Route } from "playwright-core";
import { statusOf } from "../../api/answers.ts";
import { buildClient } from "../../built_client.ts";
import { onScreen } from "../../client/browser.ts";
import { withApp } from "../../harness.ts";
import { IS_LONG } from "../../proof.ts";

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

withApp.test("GET /docs/… answers each file with its type, and 304 if cached", async (app) => {
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
});

withApp.test("GET /docs/… serves no other file, whatever the path says", async (app) => {
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
    // The short form reduces each document to one path with few schemas, which is displayed in the
    // same way in a tenth of the time.
    if (!IS_LONG) await page.route("**/openapi.json", onlyWith(path));
    await page.goto(`/docs${query}`);
    await page.locator(`.opblock-tag[data-tag="${tag}"]`).click();
    await page.locator(`[data-path="${path}"]`).first().waitFor({ state: "attached" });
    ok((await page.content()).includes(title), `no title "${title}"`);
  }
});

/** Reduces the document to one of its paths and the schemas of that path. */
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
