import { mergeRanges, type RangeReader } from "./merge_ranges.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Position } from "../observation.ts";
import type { CompetitorEntry } from "../observation_store.ts";
import type { Order, Stretch } from "../stretch.ts";
import { readCompetitor } from "./read_stretch.ts";

/** Entries of many competitors in the order of the stretch; `wanted` of them are probably needed. */
export async function* mergeCompetitors(
  reader: WorkspaceStore & Pick<Context, "now">,
  competitorIds: readonly string[],
  stretch: Stretch,
  wanted: number,
): AsyncGenerator<CompetitorEntry> {
  const firstLimit = Math.ceil(wanted / competitorIds.length) + 1;
  const readers = competitorIds.map((id) => readerOf(reader, id, stretch, firstLimit));
  for await (const { entry } of mergeRanges(readers)) yield entry;
}

interface Ranked {
  /** What the merge goes by: sorts as the list does. */
  readonly id: string;
  readonly entry: CompetitorEntry;
}

function readerOf(
  reader: WorkspaceStore & Pick<Context, "now">,
  competitorId: string,
  stretch: Stretch,
  firstLimit: number,
): RangeReader<Ranked> {
  let after = stretch.after;
  return {
    firstLimit,
    async read(limit) {
      const entries = await readCompetitor(reader, competitorId, { ...stretch, after }, limit);
      after = entries.at(-1) ?? after;
      return entries.map((entry) => ({ id: rankOf(entry, stretch.order), entry }));
    },
  };
}

const TIME_DIGITS = 16;

function rankOf({ atMs, id }: Position, order: Order): string {
  if (order === "asc") return String(atMs).padStart(TIME_DIGITS, "0") + id;
  const time = String(10 ** (TIME_DIGITS - 1) - atMs).padStart(TIME_DIGITS, "0");
  return time + id.replace(/./g, (digit) => (15 - parseInt(digit, 16)).toString(16));
}
