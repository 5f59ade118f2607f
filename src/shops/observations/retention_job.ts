/**
 * This nightly job packs old observations into blocks. After the retention period, the job keeps
 * only the observation with the lowest price per link and day (docs/decisions/competitors.md).
 */
import { listWorkspaces } from "../../accounts/workspace.ts";
import { addJobOnce } from "../../platform/jobs/job_store.ts";
import type { Job, JobKind, StepResult, StepTools } from "../../platform/jobs/job.ts";
import type { Actor, ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import {
  COMMIT_MAX,
  shareOfCommit,
  type Store,
  transact,
  type Write,
} from "../../platform/store/kv.ts";
import {
  comparePositions,
  dayOf,
  endOfDay,
  type Observation,
  packLimitMs,
  type PlacedObservation,
  type Position,
  type Stretch,
  thinLimitMs,
} from "./observation.ts";
import {
  listLoose,
  listObservedCompetitors,
  productRows,
  shopRows,
  wholeDays,
} from "./observation_store.ts";
import {
  findBlocks,
  insertRows,
  listPacked,
  type Owner,
  putBlock,
  withoutRows,
} from "./pack_store.ts";
import { cutByShard, shard } from "../../catalogue/products/product.ts";
import { offerVersions } from "../../catalogue/products/change_log_store.ts";
import { findSkus, ofCompetitor, ofProduct } from "./read_observations.ts";

export const RETENTION_KIND = "observation_retention";

const NO_STATS = { packed: 0, daysThinned: 0 };
const NIGHT: Actor = { type: "system", id: "retention", name: "Retention" };

export function createThinningKind(
  { retentionDays }: { readonly retentionDays: number },
): JobKind<RetentionJob> {
  return {
    kind: RETENTION_KIND,
    isSerialPerWorkspace: true,
    step: (job, tools) => takeStep(job, tools, retentionDays),
  };
}

export async function addThinningJobs(
  { store, clock }: { readonly store: Store; readonly clock: ClockAndIds },
  slot: Date,
): Promise<void> {
  for (const { id: workspaceId } of await listWorkspaces(store)) {
    const ctx = { ...clock, store, workspaceId, actor: NIGHT };
    const job = { name: RETENTION_KIND, slot, kind: RETENTION_KIND, args: {}, stats: NO_STATS };
    await transact(ctx, (write) => addJobOnce(write, ctx, job));
  }
}

async function takeStep(
  job: RetentionJob,
  tools: StepTools<RetentionJob>,
  retentionDays: number,
): Promise<StepResult<RetentionJob>> {
  const competitors = await listObservedCompetitors(tools);
  const { cursor, stats } = job;
  const competitorId = competitors.find((id) => id >= (cursor?.competitorId ?? ""));
  if (competitorId === undefined) return { stats, end: { status: "succeeded", result: stats } };
  const begunAt = new Date(job.createdAt);
  const packed = await packOldest(tools, competitorId, packLimitMs(begunAt));
  if (packed > 0) {
    return {
      cursor: { competitorId, after: null },
      stats: { ...stats, packed: stats.packed + packed },
    };
  }
  const within = { competitorId };
  const [day] = await wholeDays.list(tools, { within, limit: 1 });
  const isOver = day === undefined || day.row.dayMs >= thinLimitMs(begunAt, retentionDays);
  if (isOver) return { cursor: { competitorId: next(competitorId), after: null } };
  const isSame = cursor?.competitorId === competitorId;
  const after = await thinDay(tools, competitorId, day.row.dayMs, isSame ? cursor.after : null);
  const daysThinned = stats.daysThinned + (after === null ? 1 : 0);
  return { cursor: { competitorId, after }, stats: { ...stats, daysThinned } };
}

function next(id: string): string {
  return (BigInt(`0x${id}`) + 1n).toString(16).padStart(id.length, "0");
}

const ENTRIES_PER_STEP = 450;
const ROWS_PER_PRODUCT = 200;

async function packOldest(
  tools: StepTools<RetentionJob>,
  competitorId: string,
  limitMs: number,
): Promise<number> {
  const stretch = { fromMs: 0, toMs: limitMs - 1, order: "asc", after: null } as const;
  const entries = await listLoose(tools, shopRows, competitorId, stretch, ENTRIES_PER_STEP);
  if (entries.length === 0) return 0;
  const productIds = entries.map(({ productId }) => productId);
  await workOnProducts(tools, productIds, async (write, productId) => {
    const rows = await listLoose(tools, productRows, productId, stretch, ROWS_PER_PRODUCT);
    const owner = ofProduct(productId);
    const used = await packRows(write, tools, owner, rows);
    return used < rows.length || rows.length === ROWS_PER_PRODUCT;
  });
  // The commit checks the job's lease, so only one worker at a time changes blocks.
  const owner = ofCompetitor(competitorId);
  const used = await packRows(tools.write, tools, owner, entries);
  const days = new Set(entries.slice(0, used).map(({ atMs }) => dayOf(atMs)));
  for (const dayMs of days) wholeDays.put(tools.write, tools, { competitorId, dayMs });
  return used;
}

async function packRows<T extends Position>(
  write: Write,
  workspace: WorkspaceStore,
  owner: Owner<T>,
  rows: readonly T[],
): Promise<number> {
  const { pack, ownerId } = owner;
  const { changes, used } = await insertRows(workspace, owner, rows);
  for (const change of changes) putBlock(write, workspace.workspaceId, owner, change);
  for (const { atMs, id } of rows.slice(0, used)) {
    pack.loose.drop(write, workspace, { ownerId, atMs, id });
  }
  return used;
}

const THINNED_PER_STEP = 1_000;

async function thinDay(
  tools: StepTools<RetentionJob>,
  competitorId: string,
  dayMs: number,
  after: Position | null,
): Promise<Position | null> {
  const { write, workspaceId } = tools;
  const owner = ofCompetitor(competitorId);
  const day = { fromMs: dayMs, toMs: endOfDay(dayMs) };
  const stretch = { ...day, order: "asc", after } as const;
  const entries = await listPacked(tools, owner, stretch, THINNED_PER_STEP);
  const productIds = entries.map(({ productId }) => productId);
  const kept = await thinProducts(tools, productIds, competitorId, day);
  const examined = new Set(entries.map(({ id }) => id));
  const [first, last] = [entries[0], entries.at(-1)];
  if (first && last) {
    const blocks = await findBlocks(tools, owner, { fromMs: first.atMs, toMs: last.atMs });
    const changes = withoutRows(blocks, ({ id }) => examined.has(id) && !kept.has(id));
    for (const change of changes) putBlock(write, workspaceId, owner, change);
  }
  if (last && entries.length === THINNED_PER_STEP) return { atMs: last.atMs, id: last.id };
  wholeDays.drop(write, tools, { competitorId, dayMs });
  return null;
}

async function thinProducts(
  tools: StepTools<RetentionJob>,
  productIds: readonly string[],
  competitorId: string,
  day: Pick<Stretch, "fromMs" | "toMs">,
): Promise<Set<string>> {
  const kept = new Set<string>();
  await workOnProducts(tools, productIds, async (write, productId) => {
    const owner = ofProduct(productId);
    const blocks = await findBlocks(tools, owner, day);
    const isOfDay = ({ atMs, observation }: PlacedObservation) =>
      atMs >= day.fromMs && atMs <= day.toMs && observation.competitorId === competitorId;
    const rows = blocks.flatMap((block) => block.rows.filter(isOfDay));
    const lowest = new Set(lowestOfMatches(rows).map(({ id }) => id));
    for (const id of lowest) kept.add(id);
    const changes = withoutRows(blocks, (row) => isOfDay(row) && !lowest.has(row.id));
    for (const change of changes) putBlock(write, tools.workspaceId, owner, change);
    return false;
  });
  return kept;
}

/**
 * Returns the observation with the lowest price of each link. A price from quarantine is returned
 * only if its link has no other price. Of equally low prices, the earliest is returned.
 */
function lowestOfMatches(rows: readonly PlacedObservation[]): PlacedObservation[] {
  const byMatch = new Map<string, PlacedObservation>();
  for (const row of rows.toSorted(comparePositions)) {
    const { matchId } = row.observation;
    const known = byMatch.get(matchId);
    if (!known || isLower(row.observation, known.observation)) byMatch.set(matchId, row);
  }
  return [...byMatch.values()];
}

function isLower(one: Observation, other: Observation): boolean {
  const isHeld = one.isHeld === true;
  return isHeld === (other.isHeld === true) ? one.priceCents < other.priceCents : !isHeld;
}

export type RetentionJob = Job<
  Record<string, never>,
  { readonly competitorId: string; readonly after: Position | null },
  Readonly<typeof NO_STATS>
>;

const BATCH_MOST = { rows: 100, shards: COMMIT_MAX.checks - 2 };
const NEXT_PRODUCT = shareOfCommit(0.5);

type ProductWork = (write: Write, productId: string) => Promise<boolean>;

async function workOnProducts(
  tools: StepTools<RetentionJob>,
  productIds: Iterable<string>,
  work: ProductWork,
): Promise<void> {
  const queue = await cutProducts(tools, [...new Set(productIds)]);
  for (let batch = queue.shift(); batch; batch = queue.shift()) {
    const left = await commitBatch(tools, batch, work);
    if (left.length > 0) queue.unshift(...await cutProducts(tools, left));
    await tools.beat();
  }
}

interface PlacedProduct {
  readonly id: string;
  readonly shard: number;
}

async function cutProducts(
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<PlacedProduct[][]> {
  const products = await placeProducts(workspace, ids);
  return cutByShard(products.sort((a, b) => a.shard - b.shard), BATCH_MOST);
}

async function placeProducts(
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<PlacedProduct[]> {
  const skus = await findSkus(workspace, ids);
  const lost = ids.find((id) => !skus.has(id));
  if (lost !== undefined) throw new Error(`The product ${lost} of observations is missing`);
  return [...skus].map(([id, sku]) => ({ id, shard: shard(sku) }));
}

async function commitBatch(
  workspace: WorkspaceStore,
  batch: readonly PlacedProduct[],
  work: ProductWork,
): Promise<string[]> {
  const { workspaceId } = workspace;
  const shards = new Set(batch.map(({ shard }) => shard));
  return await transact(workspace, async (write) => {
    const versions = await offerVersions.find(workspace, [...shards]);
    const left: string[] = [];
    for (const { id, shard } of await placeProducts(workspace, batch.map(({ id }) => id))) {
      const isHere = shards.has(shard) && write.fits(NEXT_PRODUCT);
      const hasMore = !isHere || await work(write, id);
      if (hasMore) left.push(id);
    }
    if (write.isEmpty) return left;
    offerVersions.check(write, workspaceId, versions);
    for (const shard of shards) offerVersions.set(write, workspaceId, shard);
    return left;
  });
}
