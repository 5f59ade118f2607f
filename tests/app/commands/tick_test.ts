import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { column } from "../../api/answers.ts";
import { addMatch, addProduct } from "../../shops/shop.ts";
import { kurantHere, succeeds } from "../../kurant_here.ts";
import { kurant, startLiveServer } from "../../program.ts";
import { openShop, priced } from "../../scraping/hostile_shop.ts";
import { SCRAPING_ENV } from "../../scraping/scraping_app.ts";
import { inFolder } from "../../temporary_folder.ts";

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
  // The server checks every minute for due pages, and may have created the run before it stopped.
  for (const made of ["[01]", "0"]) {
    const said = new RegExp(`^Runs made: ${made}\nNothing is left to fetch\n$`);
    // The log on standard error names the job that fetched the page.
    match((await kurantHere(["tick"], settings)).out, said);
  }
  const pages = shop.visits.map(({ path }) => path).filter((path) => path !== "/robots.txt");
  assertEquals(pages, ["/p", "/p", "/q"]);
});
