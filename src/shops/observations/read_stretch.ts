/**
 * Reads observations of a product or shop. A job packs old observations into blocks. Blocks are
 * read last, so that an observation that is packed meanwhile is not missed.
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
import { type CompetitorEntry, findObservations, listLoose } from "./observation_store.ts";
import {
  COMPETITOR_PACK,
  findBlockOf,
  listPacked,
  type Owner,
  PRODUCT_PACK,
  type StoredBlock,
} from "./pack_store.ts";

type Reader = WorkspaceStore & Pick<Context, "now">;

/** A result of fewer than `limit` rows means the end of the range. */
export async function readProduct(
  reader: Reader,
  productId: string,
  stretch: Stretch,
  limit: number,
): Promise<PlacedObservation[]> {
  return await readOwned(reader, { pack: PRODUCT_PACK, ownerId: productId }, stretch, limit);
}

export async function readCompetitor(
  reader: Reader,
  competitorId: string,
  stretch: Stretch,
  limit: number,
): Promise<CompetitorEntry[]> {
  return await readOwned(reader, { pack: COMPETITOR_PACK, ownerId: competitorId }, stretch, limit);
}

type Walk = Omit<Stretch, "after"> & Partial<Stretch>;

export function productPages(reader: Reader, ownerId: string, stretch: Walk, size: number) {
  return ownedPages(reader, { pack: PRODUCT_PACK, ownerId }, stretch, size);
}

export function competitorPages(reader: Reader, ownerId: string, stretch: Walk, size: number) {
  return ownedPages(reader, { pack: COMPETITOR_PACK, ownerId }, stretch, size);
}

function ownedPages<T extends Position>(
  reader: Reader,
  owner: Owner<T>,
  { after: start = null, ...stretch }: Walk,
  size: number,
): AsyncGenerator<readonly T[]> {
  const read = (after: Position | null, limit: number) =>
    readOwned(reader, owner, { ...stretch, after }, limit);
  return pagesOf(read, (row): Position => row, size, start);
}

async function readOwned<T extends Position>(
  reader: Reader,
  owner: Owner<T>,
  stretch: Stretch,
  limit: number,
): Promise<T[]> {
  const loose = await listLoose(reader, owner.pack.loose, owner.ownerId, stretch, limit);
  const last = loose.length < limit ? undefined : loose.at(-1);
  const covered = last ? upTo(stretch, last) : stretch;
  const toMs = Math.min(covered.toMs, packedBeforeMs(reader.now()));
  const packed = toMs < covered.fromMs
    ? []
    : await listPacked(reader, owner, { ...covered, toMs }, limit);
  return mergeLists(loose, packed, stretch, limit);
}

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
