import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { askIdleStore } from "../../left_store.ts";
import { itemsXml } from "../../imports/import_calls.ts";
import { fails, kurantHere, succeeds } from "../../kurant_here.ts";
import { findingsOf, kurant, startLiveServer } from "../../program.ts";
import { inFolder } from "../../temporary_folder.ts";
import { html, openShop, priced, redirect } from "../../scraping/hostile_shop.ts";
import { column } from "../../api/answers.ts";
import { addMatch, addProduct } from "../../shops/shop.ts";
import { SCRAPING_ENV } from "../../scraping/scraping_app.ts";

const GOOD = itemsXml([
  { sku: "A", title: "Apfel", price: "1,00" },
  { sku: "B", title: "Birne", price: "2,00" },
]);
const HALF = itemsXml([{ sku: "C", title: "Clementine" }, { title: "Ohne Nummer" }]);

async function fileIn(folder: string, name: string, text: string): Promise<string> {
  const path = `${folder}/${name}`;
  await Deno.writeTextFile(path, text);
  return path;
}

inFolder.test("import runs the job itself while no server holds the store", async (folder) => {
  const settings = { DATA_DIR: `${folder.path}/data` };
  const good = await fileIn(folder.path, "good.xml", GOOD);
  const half = await fileIn(folder.path, "half.xml", HALF);

  const first = await kurant(["import", good], settings);
  assertEquals(first.code, 0, first.err);
  match(first.out, /^inserted +2$/m);
  match(first.out, /^file +good\.xml: 2 items, utf-8, profile erp-default$/m);

  const both = await kurantHere(["import", good, half, "--mode", "upsert"], settings);
  assertEquals(both.code, 3, both.err);
  match(both.out, /^skipped +2$/m);
  match(both.out, /missing_sku/);
  assertEquals(await findingsOf(settings.DATA_DIR), "");
});

inFolder.test("import hands the job to the server that holds the store, and shows its result", async (folder) => {
  const dataDir = `${folder.path}/data`;
  await using live = await startLiveServer(dataDir);
  const good = await fileIn(folder.path, "good.xml", GOOD);
  const settings = { DATA_DIR: dataDir };
  const rehearsal = await kurantHere(["import", good, "--dry-run"], settings);
  assertEquals(rehearsal.code, 0, rehearsal.err);
  match(rehearsal.out, /^status +succeeded \(dry run\)$/m);
  assertEquals((await live.owner.read("/api/products")).count, 0);
  const real = await kurantHere(["import", good], settings);
  assertEquals(real.code, 0, real.err);
  assertEquals((await live.owner.read("/api/products")).count, 2);
  const { items } = await live.owner.read("/api/imports");
  assertEquals(items[0].createdBy.name, "Command line");
});

inFolder.test("import follows its source: its mode unless one is given, and nothing while it is paused", async (folder) => {
  const dataDir = `${folder.path}/data`;
  const good = await fileIn(folder.path, "good.xml", GOOD);
  const source = { id: "nachts", name: "Nachts", mode: "update" };
  await askIdleStore(dataDir, (owner) => owner.create("/api/import-sources", source));
  const settings = { DATA_DIR: dataDir };
  const updated = await kurantHere(["import", good, "--source", "nachts"], settings);
  assertEquals(updated.code, 0, updated.err);
  match(updated.out, /^source +nachts$/m);
  match(updated.out, /^inserted +0$/m);
  const inserting = ["import", good, "--source", "nachts", "--mode", "insert"];
  const held = await kurantHere(inserting, settings);
  assertEquals([held.code, /new_guard: 2 of 2 SKUs/.test(held.out)], [1, true]);
  const said = await kurantHere([...inserting, "--force"], settings);
  match(said.out, /^inserted +2$/m);
  const none = kurantHere(["import", good, "--source", "mittags"], settings);
  await fails(none, 2, /no import source "mittags"/);
  const pause = { pausedAt: "2026-08-01T09:00:00Z" };
  await askIdleStore(dataDir, (owner) => owner.change("/api/import-sources/nachts", pause));
  const paused = ["import", good, "--source", "nachts"];
  await fails(kurantHere(paused, settings), 1, /is paused since/);
  assertEquals((await kurantHere([...paused, "--dry-run"], settings)).code, 0);
});

inFolder.test("import ends with 1 for a bad file and 2 for wrong usage, and changes nothing", async (folder) => {
  const settings = { DATA_DIR: `${folder.path}/data` };
  const cut = await fileIn(folder.path, "cut.xml", GOOD.slice(0, -20));
  const failed = await kurantHere(["import", cut], settings);
  assertEquals(failed.code, 1);
  match(failed.out, /malformed_xml/);
  await fails(kurantHere(["import", `${folder.path}/none.xml`], settings), 1);
  await fails(kurantHere(["import"], settings), 2);
  await fails(kurantHere(["import", cut, "--mode", "merge"], settings), 2);
  await fails(kurantHere(["import", cut, "--profile", "nobody"], settings), 2, /nobody/);
});

const PAGE = `<!doctype html><html lang="de"><title>Gartenbank Eiche</title>
<h1>Gartenbank Eiche</h1><s>279,90 €</s> <b class="price">239,90 €</b>
<button>In den Warenkorb</button></html>`;

inFolder.test("extract prints the verdict on a saved page, every price and why, or why it finds no price", async (folder) => {
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
  await Deno.writeTextFile(path, "<!doctype html><h1>Gartenbank</h1>");
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

inFolder.test("tick fetches due pages and waits for the end, with and without a running server", async (folder) => {
  await using shop = openShop({ "/p": priced("19.99"), "/q": priced("5.00") });
  const settings = { DATA_DIR: folder.path, ...SCRAPING_ENV };
  {
    await using live = await startLiveServer(folder.path, SCRAPING_ENV);
    const productId = await addProduct(live.owner, "A");
    await addMatch(live.owner, productId, `${shop.base}/p`);
    const tick = kurant(["tick"], settings);
    await succeeds(tick, /^Runs made: [01]\nNothing is left to fetch\n$/);
    const { items } = await live.owner.read("/api/observations");
    assertEquals(column(items, "price"), [1999]);
    await addMatch(live.owner, productId, `${shop.base}/q`);
    await live.stop("SIGTERM");
  }
  // The server may have created the run for the page `/q` before it stopped.
  for (const made of ["[01]", "0"]) {
    const said = new RegExp(`^Runs made: ${made}\nNothing is left to fetch\n$`);
    match((await kurantHere(["tick"], settings)).out, said);
  }
  const pages = shop.visits.map(({ path }) => path).filter((path) => path !== "/robots.txt");
  assertEquals(pages, ["/p", "/p", "/q"]);
});
