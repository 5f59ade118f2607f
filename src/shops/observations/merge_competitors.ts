import { mergeRanges, type RangeReader } from "./merge_ranges.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { CompetitorEntry } from "./observation_store.ts";
import { comparingIn, type Stretch } from "./stretch.ts";
import { readCompetitor } from "./read_stretch.ts";

/** Entries of many competitors in the order of the stretch; `wanted` of them are probably needed. */
export function mergeCompetitors(
  reader: WorkspaceStore & Pick<Context, "now">,
  competitorIds: readonly string[],
  stretch: Stretch,
  wanted: number,
): AsyncGenerator<CompetitorEntry> {
  const firstLimit = Math.ceil(wanted / competitorIds.length) + 1;
  const readers = competitorIds.map((id): RangeReader<CompetitorEntry> => {
    let { after } = stretch;
    return {
      firstLimit,
      async read(limit) {
        const entries = await readCompetitor(reader, id, { ...stretch, after }, limit);
        after = entries.at(-1) ?? after;
        return entries;
      },
    };
  });
  return mergeRanges(readers, comparingIn(stretch.order));
}
