import { deepStrictEqual as assertEquals, doesNotMatch, match, ok } from "node:assert/strict";
import { PATHS } from "../../../src/client/paths.ts";
import { createPages } from "../../../src/app/reference/reference_routes.ts";
import { refuses, statusOf } from "../../api/answers.ts";
import { inFolder } from "../../temporary_folder.ts";
import { buildClient } from "../../built_client.ts";
import { withApp } from "../../harness.ts";

await buildClient();

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
