/**
 * The state of automatic linking per shop: the last links, the suggestions to examine next, and the
 * position in the log of changed products up to which they were compared with known pages. A commit
 * that creates a link also writes the shop's row, so that each link is in it once.
 */
import { defineTable } from "../../platform/store/table.ts";
import { belongsToShop } from "../competitor_store.ts";

const REMEMBERED_LINKS = 100;

/** Automatic linking at a shop that a person has switched to `automatic`. */
export interface AutomaticShop {
  readonly competitorId: string;
  /**
   * Older suggestions, with ids below this one, are still to be examined; "" for all, null for
   * none.
   */
  readonly before: string | null;
  /** The last 100 automatic links, oldest first. */
  readonly linkIds: readonly string[];
}

export const automaticShops = defineTable<AutomaticShop, "competitorId">({
  prefix: "dsa",
  about: "the progress of automatic linking at a shop",
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
  about: "a suggestion to be examined next for an automatic link",
  key: { competitorId: "id", id: "id" },
  keyOnly: ["competitorId", "id"],
  codec: { encode: () => null },
  check: belongsToShop("A queued suggestion"),
});

export const metChanges = defineTable<{ readonly position: string }>({
  prefix: "dsn",
  about: "the position up to which the log of changed products was compared with the known pages",
  key: {},
  codec: {
    encode: ({ position }) => position,
    decode: (position) => ({ position: String(position) }),
  },
});
