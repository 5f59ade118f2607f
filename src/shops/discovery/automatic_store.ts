/**
 * The state of automatic linking per shop: the last links, the suggestions to examine next, and how far
 * changed products were compared with known pages. A commit that creates a link also writes the shop's
 * row, so that each link is in it once.
 */
import { defineTable } from "../../platform/store/table.ts";
import { belongsToShop } from "../competitor_store.ts";

const REMEMBERED_LINKS = 100;

/** Since a person has switched a shop to `automatic`. */
export interface AutomaticShop {
  readonly competitorId: string;
  /** Older suggestions that are still to be judged, those with smaller ids; "": all; `null`: none. */
  readonly before: string | null;
  /** The links that were made last, the oldest first; of more than 100 the last ones are stored. */
  readonly linkIds: readonly string[];
}

export const automaticShops = defineTable<AutomaticShop, "competitorId">({
  prefix: "dsa",
  about: "how far links are made without a person at a shop",
  key: { competitorId: "id" },
  keyOnly: ["competitorId"],
  codec: {
    encode: ({ before, linkIds }) => ({
      before,
      links: Uint8Array.fromHex(linkIds.slice(-REMEMBERED_LINKS).join("")),
    }),
    decode: (stored) => {
      const { before, links }: { before: string | null; links: Uint8Array } = Object(stored);
      return { before, linkIds: links.toHex().match(/.{24}/g) ?? [] };
    },
  },
  check: belongsToShop("A row of automatic links"),
});

export interface Queued {
  readonly competitorId: string;
  readonly id: string;
}

export const queuedSuggestions = defineTable<Queued, "competitorId" | "id">({
  prefix: "dsq",
  about: "a suggestion that is looked at next for a link without a person",
  key: { competitorId: "id", id: "id" },
  keyOnly: ["competitorId", "id"],
  codec: { encode: () => null },
  check: belongsToShop("A queued suggestion"),
});

export const metChanges = defineTable<{ readonly position: string }>({
  prefix: "dsn",
  about: "how far the log of changed products has been compared with the known pages",
  key: {},
  codec: {
    encode: ({ position }) => position,
    decode: (position) => ({ position: String(position) }),
  },
});
