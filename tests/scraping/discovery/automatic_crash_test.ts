import { NO_FILTER, walkAuditRows } from "../../../src/accounts/audit/audit_store.ts";
import { findDisagreements } from "../../../src/app/commands/check_store.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import {
  automaticShops,
  queuedSuggestions,
  suggestions,
} from "../../../src/shops/discovery/suggestion_store.ts";
import {
  discoveries,
  DISCOVERY_OFF,
  NOTHING_DISCOVERED,
} from "../../../src/shops/discovery/discovery_store.ts";
import { savePage } from "../../../src/shops/discovery/page_store.ts";
import { walkMatches } from "../../../src/shops/matches/match_store.ts";
import { urlHashOf } from "../../../src/shops/domain.ts";
import type { TestApp } from "../../harness.ts";
import { extent } from "../../proof.ts";
import { addProduct } from "../../shops/shop.ts";
import { timesKilled } from "../../killed_process.ts";
import { killOnItsWay } from "../killed_scraping.ts";
import { announced } from "../scraping_app.ts";
import { addShop, openSuggestion, shopPage } from "./made_shop.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const KILLS = extent(20, 1);
/** Number of links. Each link needs one commit. */
const LINKS = 15 * KILLS;
const COMMITS_MAX = 12;

Deno.test(`automatic links by processes that are killed ${timesKilled(KILLS)} are made once each`, async () => {
  await killOnItsWay({
    kills: KILLS,
    commitsMax: COMMITS_MAX,
    does: "links",
    async prepare(app) {
      const competitorId = await addShop(app.manager, "https://shop.example");
      await app.app.close();
      for (let n = 0; n < LINKS; n++) await addSuggested(app, competitorId, n);
      const settings = { ...DISCOVERY_OFF, mode: "automatic" as const };
      await transact(app, (write) => {
        discoveries.put(write, app, { ...NOTHING_DISCOVERED, competitorId, settings });
      });
      return competitorId;
    },
    async ended(workspace, competitorId) {
      const links = (await Array.fromAsync(walkMatches(workspace))).map(({ match }) => match.id);
      const { linkIds = [] } = (await automaticShops.find(workspace, { competitorId }))?.row ?? {};
      assertEquals(linkIds.length, Math.min(links.length, 100), "the count is exact");
      assertEquals(new Set(links).isSupersetOf(new Set(linkIds)), true, "of links that are there");
      assertEquals(new Set(linkIds).size, linkIds.length, "once each");
      const last = links.map(secondsOf).toSorted().slice(-100);
      assertEquals(linkIds.map(secondsOf), last, "the last ones, in their order");
      const linked = (await announced(workspace)).flatMap((event) =>
        event.type === "match.linked" ? [event.data.competitorProductId] : []
      );
      assertEquals(linked.toSorted(), links.toSorted());
    },
    async after(workspace) {
      const links = await Array.fromAsync(walkMatches(workspace));
      assertEquals(links.length, LINKS);
      assertEquals(new Set(links.map(({ productId }) => productId)).size, LINKS);
      const decided = (await suggestions.list(workspace)).map(({ row }) =>
        [row.status, row.decidedBy?.type].join()
      );
      assertEquals(decided, Array(LINKS).fill("accepted,system"));
      const rows = await Array.fromAsync(walkAuditRows(workspace, NO_FILTER));
      for (const wanted of ["competitor_product.create", "match_suggestion.accept"]) {
        assertEquals(rows.filter(({ action }) => action === wanted).length, LINKS, wanted);
      }
      assertEquals(await queuedSuggestions.list(workspace), []);
      assertEquals(await Array.fromAsync(findDisagreements(workspace.store)), []);
    },
  });
});

/** The time of an id in seconds. Ids of one second are ordered only within one process. */
function secondsOf(id: string): string {
  return id.slice(0, 8);
}

/** A product, the page that shows it, and their suggestion, as after a visit. */
async function addSuggested(app: TestApp, competitorId: string, n: number): Promise<void> {
  const mpn = `PX${1_000 + n}`;
  const more = { title: `Pumpe ${mpn}`, brand: "Pumpenwerk", mpn };
  const productId = await addProduct(app.manager, mpn, more);
  const url = `https://shop.example/p/${n}`;
  const price = { price: 1_100, currency: "EUR", seenAt: new Date().toISOString() };
  const page = shopPage(url, { ...more, ...price });
  const urlHash = urlHashOf(new URL(url));
  await transact(app, (write) => {
    savePage(write, app.workspaceId, { competitorId, urlHash }, null, page);
    const id = app.app.clock.newId();
    const made = { id, productId, competitorId, urlHash, page, verdict: "same" as const };
    suggestions.put(write, app, openSuggestion(made));
  });
}
