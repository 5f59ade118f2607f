import { bodyOf } from "../../api/answers.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import type {
  MatchSuggestion,
  SuggestionCounts,
} from "../../../src/scraping/suggestions/list_suggestions.ts";
import { idBytes } from "../../../src/base/id.ts";
import { actionsOf, addProduct, answered, linksOf } from "../../shops/shop.ts";
import { articlePage, discover, suggestions, urlset, withDiscovery, xml } from "./made_shop.ts";

withDiscovery.test("undoing a decision deletes its link, and opens the suggestion again", async ({ app, shop: { base, pages }, competitorId }) => {
  const names = ["Makita DHP485", "Makita DHP486", "Makita Schlagbohrschrauber Koffer DHP"];
  names.forEach((name, n) => {
    const mpn = name.endsWith("DHP") ? {} : { mpn: name.slice(7) };
    pages[`/${n}`] = articlePage({ name, brand: "Makita", ...mpn });
  });
  pages["/map.xml"] = xml(urlset(names.map((_, n) => `${base}/${n}`)));
  const { manager, viewer } = app;
  for (const name of names.slice(0, 2)) {
    const mpn = name.slice(7);
    await addProduct(manager, mpn, { title: name, brand: "Makita", mpn });
  }
  await addProduct(manager, "K-1", {
    title: "Makita Schlagbohrschrauber im Koffer",
    brand: "Makita",
  });
  await discover(app, competitorId, { sitemaps: [`${base}/map.xml`] });
  const counts = () => answered<SuggestionCounts>(viewer.get("/api/match-suggestions/counts"), 200);
  assertEquals(await counts(), {
    open: 3,
    same: 2,
    probably: 1,
    unknown: 0,
    isCut: false,
    searching: 0,
  });
  // Index rows of earlier versions have no verdict.
  const rows = app.store.kv.list({ prefix: ["sgs", idBytes(app.workspaceId)] });
  for await (const { key } of rows) await app.store.kv.set(key, null);
  assertEquals(await counts(), {
    open: 3,
    same: 2,
    probably: 1,
    unknown: 0,
    isCut: false,
    searching: 0,
  });

  const links = async () => (await linksOf(viewer)).map(({ url }) => url);
  const [first, second] = await suggestions(app, "verdict=same");
  ok(first && second);
  const at = (id: string, verb: string) => `/api/match-suggestions/${id}/${verb}`;
  await answered(manager.post(at(first.id, "accept")), 200);
  assertEquals(await links(), [first.page.url]);
  assertEquals(await counts(), {
    open: 2,
    same: 1,
    probably: 1,
    unknown: 0,
    isCut: false,
    searching: 0,
  });
  for (const _ of ["once", "twice"]) {
    const open: MatchSuggestion = await bodyOf(manager.post(at(first.id, "reopen")), 200);
    assertEquals([open.status, open.decidedAt], ["open", null]);
  }
  assertEquals(await links(), []);
  await answered(manager.post(at(first.id, "accept")), 200);
  assertEquals(await links(), [first.page.url]);

  await answered(manager.post(at(second.id, "reject"), { as: "variant" }), 200);
  const back = await answered<MatchSuggestion>(manager.post(at(second.id, "reopen")), 200);
  assertEquals([back.status, back.rejectedAs], ["open", null]);

  // A link that a person made without the suggestion stays.
  await answered(
    manager.post("/api/competitor-products", {
      productId: second.product.id,
      url: second.page.url,
      competitorId,
    }),
    201,
  );
  await answered(manager.post(at(second.id, "accept")), 200);
  await answered(manager.post(at(second.id, "reopen")), 200);
  assertEquals((await links()).toSorted(), [first.page.url, second.page.url].toSorted());

  assertEquals(
    await actionsOf(viewer, `match_suggestion:${first.id}`),
    ["match_suggestion.accept", "match_suggestion.reopen", "match_suggestion.accept"],
  );
  assertEquals(await Array.fromAsync(findDisagreements(app.store)), []);

  const [reading, writing] = [await app.key([]), await app.key(["matches:write"])];
  const publicPath = "/api/public/v1/match-suggestions";
  await answered(writing.post(`${publicPath}/${first.id}/reopen`), 200);
  const many = (action: string) =>
    answered<{ results: { status: string | null }[] }>(
      manager.post("/api/match-suggestions/bulk", {
        action,
        ids: [first.id, "nothing", second.id],
      }),
      200,
    );
  assertEquals((await many("accept")).results.map(({ status }) => status), [
    "accepted",
    null,
    "accepted",
  ]);
  assertEquals((await many("reopen")).results.map(({ status }) => status), ["open", null, "open"]);
  const { data } = await bodyOf(reading.get(`${publicPath}/counts`), 200);
  assertEquals(data.same, 2);
});
