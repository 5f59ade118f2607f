import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { startTestApp, type TestApp } from "../harness.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      // Not there: the test that needs a browser says so by its name.
      return false;
    }
  });

await new Deno.Command(Deno.execPath(), { args: ["task", "--quiet", "build"] }).output();

Deno.test("GET /docs is a page without inline script that names both documents", async () => {
  await using app = await startTestApp();
  const answer = await app.anyone.get("/docs");
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("Content-Type"), "text/html; charset=utf-8");
  match(answer.headers.get("Content-Security-Policy")!, /^default-src 'self';/);
  const page = await answer.text();
  ok(page.includes('"/api/openapi.json"') && page.includes('"/api/public/v1/openapi.json"'));
  assertEquals(/<script(?![^>]*\ssrc="\/docs\/)|<style|\son\w+=|https?:/.test(page), false);
});

Deno.test("GET /docs/… answers each file with its type, and 304 to who has it", async () => {
  await using app = await startTestApp();
  const page = await (await app.anyone.get("/docs")).text();
  const paths = [...page.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path!);
  assertEquals(paths.length, 5);
  for (const path of paths) {
    const answer = await app.anyone.get(path);
    const bytes = await answer.bytes();
    assertEquals([path, answer.status, bytes.length > 100], [path, 200, true]);
    match(answer.headers.get("Content-Type")!, /^(text\/(javascript|css)|image\/png)/);
    const known = await app.anyone.get(path, { "If-None-Match": answer.headers.get("ETag")! });
    await known.body?.cancel();
    assertEquals([path, known.status], [path, 304]);
  }
});

Deno.test("GET /docs/… knows no other file, whatever the path says", async () => {
  await using app = await startTestApp();
  for (
    const path of ["/docs/", "/docs/LICENSE", "/docs/%2e%2e/%2e%2e/deno.json", "/docs/page.js/"]
  ) {
    const answer = await app.anyone.get(path);
    await answer.body?.cancel();
    assertEquals([path, answer.status], [path, 404]);
  }
});

Deno.test({
  name: `/docs shows both documents in a browser, and the browser has nothing to complain about${
    CHROMIUM ? "" : " (Chromium is not installed)"
  }`,
  ignore: CHROMIUM === undefined,
  async fn() {
    await using app = await startTestApp();
    for (
      const [query, title, path] of [
        ["", "Kurant: external interface, v1", "/api/public/v1/products"],
        ["?interface=in-app", "Kurant: in-app interface", "/api/products"],
      ] as const
    ) {
      const { dom, complaints } = await browse(app, `/docs${query}`);
      assertEquals(complaints, []);
      ok(dom.includes(title), `no title "${title}"`);
      ok(dom.includes(`data-path="${path}"`), `no operation "${path}"`);
    }
  },
});

/** The page after its scripts have run, and what the browser's console said meanwhile. */
async function browse(app: TestApp, path: string) {
  const profile = await Deno.makeTempDir({ prefix: "kurant-browser-" });
  const { stdout, stderr } = await new Deno.Command(CHROMIUM!, {
    args: ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`]
      .concat(
        "--enable-logging=stderr",
        "--virtual-time-budget=10000",
        "--dump-dom",
        app.base + path,
      ),
  }).output();
  await Deno.remove(profile, { recursive: true });
  const decoder = new TextDecoder();
  const lines = decoder.decode(stderr).split("\n");
  return { dom: decoder.decode(stdout), complaints: lines.filter((line) => /CONSOLE/.test(line)) };
}
