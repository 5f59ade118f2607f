/**
 * A nightly job that packs old observations into blocks (docs/decisions/competitors.md). A
 * product's observations must be packed before the shop's entries, so that lists are complete after
 * every commit.
 */
import { listWorkspaces } from "../../accounts/workspace_store.ts";
import { addJobOnce } from "../../platform/jobs/add_job.ts";
import type { Job, JobKind, StepResult, StepTools } from "../../platform/jobs/job.ts";
import type { Actor, ClockAndIds } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import {
  comparePositions,
  dayOf,
  endOfDay,
  packLimitMs,
  type PlacedObservation,
  type Position,
  thinLimitMs,
} from "./observation.ts";
import {
  listObservedCompetitors,
  listOfCompetitor,
  listOfProduct,
  removeLoose,
  wholeDays,
} from "./observation_store.ts";
import {
  COMPETITOR_PACK,
  findBlocks,
  insertRows,
  listPacked,
  PRODUCT_PACK,
  putBlock,
  withoutRows,
} from "./pack_store.ts";
import { workOnProducts } from "./product_batch.ts";

export const RETENTION_KIND = "observation_retention";

const NO_STATS: RetentionStats = { packed: 0, daysThinned: 0 };
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
  const after = await thinDay(tools, {
    competitorId,
    dayMs: day.row.dayMs,
    after: isSame ? cursor.after : null,
  });
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
  const entries = await listOfCompetitor(tools, competitorId, stretch, ENTRIES_PER_STEP);
  if (entries.length === 0) return 0;
  const productIds = entries.map(({ productId }) => productId);
  await workOnProducts(tools, productIds, async (write, productId) => {
    const rows = await listOfProduct(tools, productId, stretch, ROWS_PER_PRODUCT);
    const owner = { pack: PRODUCT_PACK, ownerId: productId };
    const { changes, used } = await insertRows(tools, owner, rows);
    for (const change of changes) putBlock(write, tools.workspaceId, owner, change);
    removeLoose(write, tools.workspaceId, ["ob", productId], rows.slice(0, used));
    return used < rows.length || rows.length === ROWS_PER_PRODUCT;
  }, () => tools.beat());
  const owner = { pack: COMPETITOR_PACK, ownerId: competitorId };
  const { changes, used } = await insertRows(tools, owner, entries);
  // The step's commit checks the job, so no other worker can change the blocks.
  const { write, workspaceId } = tools;
  const moved = entries.slice(0, used);
  for (const change of changes) putBlock(write, workspaceId, owner, change);
  removeLoose(write, workspaceId, ["oc", competitorId], moved);
  const days = new Set(moved.map(({ atMs }) => dayOf(atMs)));
  for (const dayMs of days) wholeDays.put(write, tools, { competitorId, dayMs });
  return used;
}

const THINNED_PER_STEP = 1_000;

interface ThinnedDay {
  readonly competitorId: string;
  readonly dayMs: number;
  readonly after: Position | null;
}

async function thinDay(
  tools: StepTools<RetentionJob>,
  { competitorId, dayMs, after }: ThinnedDay,
): Promise<Position | null> {
  const { write, workspaceId } = tools;
  const owner = { pack: COMPETITOR_PACK, ownerId: competitorId };
  const day = { fromMs: dayMs, toMs: endOfDay(dayMs) };
  const stretch = { ...day, order: "asc", after } as const;
  const entries = await listPacked(tools, owner, stretch, THINNED_PER_STEP);
  const kept = await thinProducts(tools, entries.map(({ productId }) => productId), {
    competitorId,
    day,
  });
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

interface Day {
  readonly competitorId: string;
  readonly day: { readonly fromMs: number; readonly toMs: number };
}

async function thinProducts(
  tools: StepTools<RetentionJob>,
  productIds: readonly string[],
  { competitorId, day }: Day,
): Promise<Set<string>> {
  const kept = new Set<string>();
  await workOnProducts(tools, productIds, async (write, productId) => {
    const owner = { pack: PRODUCT_PACK, ownerId: productId };
    const blocks = await findBlocks(tools, owner, day);
    const isOfDay = ({ atMs, observation }: PlacedObservation) =>
      atMs >= day.fromMs && atMs <= day.toMs && observation.competitorId === competitorId;
    const rows = blocks.flatMap((block) => block.rows.filter(isOfDay));
    const lowest = new Set(lowestOfMatches(rows).map(({ id }) => id));
    for (const id of lowest) kept.add(id);
    const changes = withoutRows(blocks, (row) => isOfDay(row) && !lowest.has(row.id));
    for (const change of changes) putBlock(write, tools.workspaceId, owner, change);
    return false;
  }, () => tools.beat());
  return kept;
}

/** Returns the lowest observation of each match; of equal prices, the earliest. */
function lowestOfMatches(rows: readonly PlacedObservation[]): PlacedObservation[] {
  const byMatch = new Map<string, PlacedObservation>();
  for (const row of rows.toSorted(comparePositions)) {
    const { matchId, priceCents } = row.observation;
    const known = byMatch.get(matchId);
    if (!known || priceCents < known.observation.priceCents) byMatch.set(matchId, row);
  }
  return [...byMatch.values()];
}

interface RetentionCursor {
  readonly competitorId: string;
  readonly after: Position | null;
}

interface RetentionStats {
  readonly packed: number;
  readonly daysThinned: number;
}

export type RetentionJob = Job<Record<string, never>, RetentionCursor, RetentionStats>;
