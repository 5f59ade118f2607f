/**
 * Links that are made without a person at shops whose mode is `automatic`: the last ones, the suggestions
 * that are looked at next, and how far changed products were compared with known pages. A commit that
 * makes a link writes the shop's row, so that each link is in it once.
 */
import { idBytes, idText } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable, type Found } from "../../platform/store/table.ts";
import { belongsToShop } from "../competitor_store.ts";

/** As many links of a shop are remembered. */
export const REMEMBERED_LINKS = 100;
const ID_BYTES = 12;

interface AutomaticRow {
  readonly competitorId: string;
  /** Older suggestions that are still to be judged, those with smaller ids; "": all; `null`: none. */
  readonly before: string | null;
  /** The ids of the links that were made last, the oldest first. */
  readonly links: Uint8Array;
}

export const automaticShops = defineTable<AutomaticRow, "competitorId">({
  prefix: "dsa",
  about: "how far links are made without a person at a shop",
  key: { competitorId: "id" },
  keyOnly: ["competitorId"],
  check: belongsToShop("A row of automatic links"),
});

/** A suggestion in the queue of its shop. */
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

/** Since a person has switched a shop to `automatic`. */
export interface AutomaticStand extends Pick<AutomaticRow, "before"> {
  readonly linkIds: readonly string[];
  /** Null where nothing was done yet. */
  readonly found: Found<AutomaticRow> | null;
}

export async function findAutomaticStand(
  workspace: WorkspaceStore,
  competitorId: string,
): Promise<AutomaticStand> {
  const found = await automaticShops.find(workspace, { competitorId });
  if (found === null) return { before: "", linkIds: [], found };
  const { before, links } = found.row;
  const linkIds = Array.from(
    { length: links.length / ID_BYTES },
    (_, n) => idText(links.subarray(n * ID_BYTES, (n + 1) * ID_BYTES)),
  );
  return { before, linkIds, found };
}

/** The commit fails when it was changed since it was read; of more links the last ones stay. */
export function saveAutomaticStand(
  write: Write,
  workspaceId: string,
  competitorId: string,
  { before, linkIds, found }: AutomaticStand,
): void {
  const kept = linkIds.slice(-REMEMBERED_LINKS);
  const links = new Uint8Array(ID_BYTES * kept.length);
  for (const [at, id] of kept.entries()) links.set(idBytes(id), ID_BYTES * at);
  automaticShops.save(write, { workspaceId }, found, { competitorId, before, links });
}

/** Up to `limit` suggestions of a shop that wait, the oldest first. */
export async function listQueued(
  workspace: WorkspaceStore,
  competitorId: string,
  limit: number,
): Promise<Found<Queued>[]> {
  return await queuedSuggestions.list(workspace, { within: { competitorId }, limit });
}
