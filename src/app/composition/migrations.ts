/** Every change of the layout of stored rows, oldest first. CHANGELOG.md tells operators of each. */
import { buildFieldBlocks } from "../../catalogue/changes/build_field_blocks.ts";
import { rewritePriceHistory } from "../../catalogue/changes/rewrite_price_history.ts";
import { rewriteProducts } from "../../catalogue/changes/rewrite_products.ts";
import { migrateEarlierHold } from "../../accounts/earlier_hold.ts";
import { indexAuditLog } from "../../accounts/index_audit_rows.ts";
import { giveColours } from "../../shops/give_colours.ts";
import { rewriteOfferTypes } from "../../shops/matches/rewrite_offers.ts";
import type { Migration } from "../../platform/store/migrate.ts";

export const MIGRATIONS: readonly Migration[] = [
  {
    to: 2,
    what:
      "a hold of imports that nobody ever set is on; runs can be kept for fewer days than other " +
      "jobs (RUN_RETENTION_DAYS)",
    // Runs need no change: stores of the first layout have no mark of their birth.
    advance: (store, write, place) =>
      migrateEarlierHold(store, write, typeof place === "string" ? place : null),
  },
  {
    to: 3,
    what: "what lists of products are filtered by lies packed, in place of index rows and counts",
    advance: buildFieldBlocks,
  },
  {
    to: 4,
    what: "the offers of a product say of each whether its match is exact or equivalent",
    advance: rewriteOfferTypes,
  },
  {
    to: 5,
    what: "the history of own prices is kept in fewer bytes",
    advance: rewritePriceHistory,
  },
  {
    to: 6,
    what:
      "a search finds products by the number of their maker, and they say until when they are held",
    advance: rewriteProducts,
  },
  {
    to: 7,
    what: "the audit log is found by product and rule, and by what kind of news a row is",
    advance: indexAuditLog,
  },
  {
    to: 8,
    what: "each competitor has a colour of its own, the same in all charts",
    advance: giveColours,
  },
  {
    to: 9,
    what:
      "products say the bounds of their price, what shipping costs, their condition and their " +
      "stock; what an import asks of each product first lies packed, its prices with it",
    advance: rewriteProducts,
  },
];
