/**
 * Reads unpacked observations first, then packed observations. Packing moves observations in one
 * commit, so none is missed in this order.
 */
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { pagesOf } from "../../platform/store/rows.ts";
import {
  comparePositions,
  mergeLists,
  type Observation,
  packedBeforeMs,
  type PlacedObservation,
  type Position,
  type Stretch,
  upTo,
} from "./observation.ts";
import {
  type CompetitorEntry,
  findObservations,
  listOfCompetitor,
  listOfProduct,
} from "./observation_store.ts";
import {
  COMPETITOR_PACK,
  findBlockOf,
  listPacked,
  type Owner,
  PRODUCT_PACK,
  type StoredBlock,
} from "./pack_store.ts";

type Reader = WorkspaceStore & Pick<Context, "now">;

/** Returns fewer than `limit` rows only at the end of the range. */
export async function readProduct(
  reader: Reader,
  productId: string,
  stretch: Stretch,
  limit: number,
): Promise<PlacedObservation[]> {
  const loose = await listOfProduct(reader, productId, stretch, limit);
  const owner = { pack: PRODUCT_PACK, ownerId: productId };
  return await withPacked(reader, owner, { loose, stretch, limit });
}

export function productPages(
  reader: Reader,
  productId: string,
  stretch: Omit<Stretch, "after">,
  size: number,
): AsyncGenerator<readonly PlacedObservation[]> {
  const read = (after: Position | null, limit: number) =>
    readProduct(reader, productId, { ...stretch, after }, limit);
  return pagesOf(read, (row): Position => row, size);
}

/** Returns fewer than `limit` entries only at the end of the range. */
export async function readCompetitor(
  reader: Reader,
  competitorId: string,
  stretch: Stretch,
  limit: number,
): Promise<CompetitorEntry[]> {
  const loose = await listOfCompetitor(reader, competitorId, stretch, limit);
  const owner = { pack: COMPETITOR_PACK, ownerId: competitorId };
  return await withPacked(reader, owner, { loose, stretch, limit });
}

async function withPacked<T extends Position>(
  reader: Reader,
  owner: Owner<T>,
  { loose, stretch, limit }: {
    readonly loose: readonly T[];
    readonly stretch: Stretch;
    readonly limit: number;
  },
): Promise<T[]> {
  const last = loose.length < limit ? undefined : loose.at(-1);
  const covered = last ? upTo(stretch, last) : stretch;
  const toMs = Math.min(covered.toMs, packedBeforeMs(reader.now()));
  const packed = toMs < covered.fromMs
    ? []
    : await listPacked(reader, owner, { ...covered, toMs }, limit);
  return mergeLists(loose, packed, stretch, limit);
}

/** In the order of `entries`; null for an observation that retention has deleted. */
export async function readEntries(
  workspace: WorkspaceStore,
  entries: readonly CompetitorEntry[],
): Promise<(Observation | null)[]> {
  const loose = await findObservations(workspace, entries);
  const found: (Observation | null)[] = [];
  const blocks = new Map<string, StoredBlock<PlacedObservation> | null>();
  for (const [position, entry] of entries.entries()) {
    found.push(loose[position] ?? await findPacked(workspace, entry, blocks));
  }
  return found;
}

async function findPacked(
  workspace: WorkspaceStore,
  entry: CompetitorEntry,
  blocks: Map<string, StoredBlock<PlacedObservation> | null>,
): Promise<Observation | null> {
  const isIt = (row: PlacedObservation) => comparePositions(row, entry) === 0;
  const kept = blocks.get(entry.productId)?.rows.find(isIt);
  if (kept) return kept.observation;
  const owner = { pack: PRODUCT_PACK, ownerId: entry.productId };
  const block = await findBlockOf(workspace, owner, entry);
  blocks.set(entry.productId, block);
  return block?.rows.find(isIt)?.observation ?? null;
}
