import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { kurantHere } from "../../kurant_here.ts";
import { kurant } from "../../program.ts";
import { html, openShop, redirect } from "../../scraping/hostile_shop.ts";
import { inFolder } from "../../temporary_folder.ts";

const PAGE = `<!doctype html><html lang="de"><title>Gartenbank Eiche</title>
<h1>Gartenbank Eiche</h1><s>279,90 €</s> <b class="price">239,90 €</b>
<button>In den Warenkorb</button></html>`;

inFolder.test("extract prints the verdict on a saved page, every price and why", async (folder) => {
  const path = `${folder.path}/page.html`;
  await Deno.writeTextFile(path, PAGE);
  const settings = { DATA_DIR: folder.path };
  const args = ["extract", path, "--url", "https://shop.example/p/1"];
  const { code, out } = await kurantHere(args, settings);
  assertEquals(code, 0);
  match(out, /^239\.90 EUR, shown, confidence 0\.8/);
  match(out, /shown: 239\.9 EUR, .*far ahead .*near_500/);
  match(out, /shown: 279\.9 EUR, .*struck/);
  match(out, /shown decides: shown clearly/);
});

inFolder.test("extract fails where a page has no price or cannot be read, and says why", async (folder) => {
  const path = `${folder.path}/page.html`;
  await Deno.writeTextFile(path, "<!doctype html><h1>Gartenbank</h1>");
  const settings = { DATA_DIR: folder.path };
  const none = await kurantHere(["extract", path], settings);
  assertEquals(none.code, 1);
  match(none.out, /^no price: no_price, /);
  const missing = await kurantHere(["extract", `${path}.txt`], settings);
  assertEquals([missing.code, missing.out], [2, ""]);
  match(missing.err, /cannot be read/);
  assertEquals((await kurantHere(["extract", path, "--url", "nowhere"], settings)).code, 2);
});

inFolder.test("extract requests a page once, if robots.txt and the address guard allow it", async (folder) => {
  await using shop = openShop({
    "/p": () => html(PAGE),
    "/old": redirect("/p"),
    "/closed": () => html(PAGE),
    "/robots.txt": () => new Response("User-agent: *\nDisallow: /closed"),
  });
  const settings = { DATA_DIR: folder.path, SCRAPE_ALLOW_PRIVATE: "127.0.0.0/8" };
  const found = await kurant(["extract", `${shop.base}/old`], settings);
  assertEquals(found.code, 0, found.err);
  match(found.out, /^239\.90 EUR, shown, confidence 0\.8/);
  match(found.out, /title: Gartenbank Eiche/);
  match(found.out, /candidate [0-9a-f]{12}: 239\.90 EUR, shown, "239,90 €"/);
  const closed = await kurantHere(["extract", `${shop.base}/closed`], settings);
  assertEquals(closed.code, 1);
  match(closed.out, /^no price: robots_disallowed, /);
  const guarded = await kurantHere(["extract", `${shop.base}/p`], { DATA_DIR: folder.path });
  assertEquals(guarded.code, 1);
  match(guarded.out, /^no price: private_address, /);
  const paths = shop.visits.map(({ path }) => path);
  assertEquals(paths.filter((path) => path === "/closed").length, 0);
});
