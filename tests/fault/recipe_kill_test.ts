import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { listKeptPages, shopLessons } from "../../src/shops/pages/recipe_store.ts";
import { countedOn, PAGES_NEEDED } from "../../src/engine/extraction/recipe/learn_recipe.ts";
import { openStoreIn } from "../closing_store.ts";
import { listResults } from "../../src/scraping/runs/run.ts";
import type { RecipeAnswer } from "../../src/scraping/teaching/change_recipe.ts";
import type { Caller } from "../caller.ts";
import { addMatch, addProduct, auditOf, listShops } from "../shops/shop.ts";
import { startTestApp } from "../harness.ts";
import { killOnTheWay } from "../killed_process.ts";
import { findingsOf, startLiveServer } from "../program.ts";
import { extent, IS_LONG } from "../proof.ts";
import { html, openShop } from "../scraping/hostile_shop.ts";
import { addTargets, SCRAPING_ENV } from "../scraping/scraping_app.ts";
import { inFolder } from "../temporary_folder.ts";

const KILLS = extent(4, 1);
const PAGES = extent(24, 12);
const COMMITS_MAX = 5;

/** A product page without markup; the price is in the text and in script data. */
function page(n: number): string {
  const cents = 2_090 + 700 * n;
  return `<html lang="de"><head><title>Product ${n}</title></head><body><h1>Product ${n}</h1>
<div class="ort">${Math.floor(cents / 100)},${cents % 100} €</div><button>In den Warenkorb</button>
<script>window.__STATE__ = ${JSON.stringify({ item: { price: cents } })};</script></body></html>`;
}

function openPages(count: number) {
  const pages = Array.from({ length: count }, (_, n) => [`/${n}`, () => html(page(n))] as const);
  return openShop(Object.fromEntries(pages));
}

inFolder.test(`a shop learned by a process that is killed ${KILLS} times: each page is kept with its result, and the recipe follows from them`, async (folder) => {
  await using shop = openPages(PAGES);
  let [workspaceId, runId] = ["", ""];
  {
    using store = await openStoreIn(folder.path);
    await using app = await startTestApp({ store, env: SCRAPING_ENV });
    workspaceId = app.workspaceId;
    const urls = Array.from({ length: PAGES }, (_, n) => `${shop.base}/${n}`);
    const productId = await addTargets(app, ...urls);
    // Close the app, because its job runner would do the work of the killed processes.
    await app.app.close();
    const path = `/api/products/${productId}/scrape-now`;
    runId = (await app.manager.begin(path)).runId;
  }
  const seen: number[] = [];
  await killOnTheWay({
    path: new URL("../scraping/crash_child.ts", import.meta.url).pathname,
    args: [folder.path, JSON.stringify(SCRAPING_ENV), "-"],
    kills: KILLS,
    commitsMax: COMMITS_MAX,
    async ended() {
      using opened = await openStoreIn(folder.path);
      const workspace = { store: opened, workspaceId };
      const results = await listResults(workspace, runId);
      const [known] = await Array.fromAsync(shopLessons.walk(workspace));
      const pages = known ? await listKeptPages(workspace, known.row.competitorId) : [];
      assertEquals(pages.length, results.length);
      assertEquals(known?.row.kept ?? 0, results.length);
      const recipe = known?.row.recipe ?? null;
      assertEquals(recipe !== null, results.length >= PAGES_NEEDED);
      if (recipe) assertEquals(recipe.selectors, countedOn(recipe.selectors, pages));
      seen.push(results.length);
    },
  });
  assertEquals(seen.at(-1), PAGES);
  assertEquals(await findingsOf(folder.path), "");
});

async function lastAction(caller: Caller, id: string) {
  const actions = await auditOf(caller, `recipe:${id}`);
  return actions.length === 0 ? undefined : { count: actions.length, after: actions.at(-1)?.[2] };
}

inFolder.test("a server killed while people teach, relearn and forget: the recipe is as its audit log says", async (folder) => {
  await using shop = openPages(4);
  const settings = { ...SCRAPING_ENV, SCRAPE_ALLOW_PRIVATE: "127.0.0.1" };
  let [id, token, acknowledged] = ["", "", 0];
  for (const until of IS_LONG ? [1, 5, 9, 0] : [5, 0]) {
    await using live = await startLiveServer(folder.path, settings);
    const { owner } = live;
    if (id === "") {
      for (let n = 0; n < 4; n++) {
        await addMatch(owner, await addProduct(owner, `SKU-${n}`), `${shop.base}/${n}`);
      }
      id = (await listShops(owner))[0]?.id ?? "";
    }
    const path = `/api/competitors/${id}/recipe`;
    const { recipe } = await owner.read<RecipeAnswer>(path);
    const action = await lastAction(owner, id);
    // An action and its audit row are one commit, so the log has all acknowledged actions.
    ok((action?.count ?? 0) >= acknowledged, `${action?.count} of ${acknowledged}`);
    const { source, status, confidenceMost, taughtFrom, selectors = [] } = recipe ?? {};
    const places = selectors.map(({ selector, statePath }) => selector ?? statePath);
    assertEquals(
      recipe && { source, status, selectors: places, confidenceMost, taughtFrom },
      action?.after ?? null,
    );
    if (until === 0) break;
    const body = { url: `${shop.base}/0`, price: "20,90" };
    token = (await owner.act(`${path}/teach`, body)).token;
    acknowledged = action?.count ?? 0;
    let crash: Promise<unknown> | null = null;
    const counted = async (sent: Promise<Response>) => {
      const answer = await sent.catch(() => null);
      await answer?.text().catch(() => null);
      if (!answer || crash) return;
      assertEquals(answer.status, 200);
      acknowledged += 1;
      if (acknowledged % 10 >= until) crash = live.crash();
    };
    while (!crash) {
      await Promise.all([
        counted(owner.put(path, { token })),
        owner.post(`${path}/relearn`).then((a) => a.body?.cancel(), () => {}),
      ]);
      if (!crash) await counted(owner.delete(path));
    }
    await crash;
  }
  assertEquals(await findingsOf(folder.path), "");
});
