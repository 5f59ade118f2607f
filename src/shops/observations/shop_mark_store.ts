/** Marks of shops with observations, and of days whose observations are not thinned yet. */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";

const EMPTY = new Uint8Array();

export const observedShops = defineTable<Pick<WholeDay, "competitorId">, "competitorId">({
  prefix: "ock",
  about: "a shop that has had observations, kept when the shop goes",
  key: { competitorId: "id" },
  keyOnly: ["competitorId"],
  codec: { encode: () => EMPTY },
});

interface WholeDay {
  readonly competitorId: string;
  readonly dayMs: number;
}

export const wholeDays = defineTable<WholeDay, "competitorId" | "dayMs">({
  prefix: "oqd",
  about:
    "observations of the shop were packed on that day (its start in UTC), and not thinned since",
  key: { competitorId: "id", dayMs: "number" },
  keyOnly: ["competitorId", "dayMs"],
  codec: { encode: () => EMPTY },
});

/** From now on lists of the whole workspace look at these competitors. One mutation each. */
export function markCompetitors(write: Write, workspaceId: string, ids: Iterable<string>): void {
  for (const competitorId of ids) observedShops.put(write, { workspaceId }, { competitorId });
}

/** Every competitor that has or had observations, by id. */
export async function listObservedCompetitors(workspace: WorkspaceStore): Promise<string[]> {
  return (await observedShops.list(workspace)).map(({ row }) => row.competitorId);
}
