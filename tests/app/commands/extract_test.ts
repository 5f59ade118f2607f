import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
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
  await succeeds(
    kurantHere(args, settings),
    /^239\.90 EUR, shown, confidence 0\.8/,
    /shown: 239\.9 EUR, .*far ahead .*near_500/,
    /shown: 279\.9 EUR, .*struck/,
    /shown decides: shown clearly/,
  );
});

inFolder.test("extract fails where a page has no price or cannot be read, and says why", async (folder) => {
  const path = `${folder.path}/page.html`;
  await Deno.writeTextFile(path, "<!doctype html><h1>Gartenbank</h1>");
  const settings = { DATA_DIR: folder.path };
  await hasNoPrice(kurantHere(["extract", path], settings), /^no price: no_price, /);
  await fails(kurantHere(["extract", `${path}.txt`], settings), 2, /cannot be read/);
  await fails(kurantHere(["extract", path, "--url", "nowhere"], settings), 2);
});

async function hasNoPrice(extract: ReturnType<typeof kurantHere>, verdict: RegExp): Promise<void> {
  const { code, out } = await extract;
  assertEquals(code, 1);
  match(out, verdict);
}

inFolder.test("extract requests a page once, if robots.txt and the address guard allow it", async (folder) => {
  await using shop = openShop({
    "/p": () => html(PAGE),
    "/old": redirect("/p"),
    "/closed": () => html(PAGE),
    "/robots.txt": () => new Response("User-agent: *\nDisallow: /closed"),
  });
  const settings = { DATA_DIR: folder.path, SCRAPE_ALLOW_PRIVATE: "127.0.0.0/8" };
  await succeeds(
    kurant(["extract", `${shop.base}/old`], settings),
    /^239\.90 EUR, shown, confidence 0\.8/,
    /title: Gartenbank Eiche/,
    /candidate [0-9a-f]{12}: 239\.90 EUR, shown, "239,90 €"/,
  );
  const closed = kurantHere(["extract", `${shop.base}/closed`], settings);
  await hasNoPrice(closed, /^no price: robots_disallowed, /);
  const guarded = kurantHere(["extract", `${shop.base}/p`], { DATA_DIR: folder.path });
  await hasNoPrice(guarded, /^no price: private_address, /);
  const paths = shop.visits.map(({ path }) => path);
  assertEquals(paths.filter((path) => path === "/closed").length, 0);
});
