/**
 * Records observations that a program pushes (sends to the API). Each row is accepted or refused
 * independently. A commit takes rows of products in a few shards (parts of the catalogue), and
 * fails if another commit has changed offers of these shards meanwhile. Rows that do not fit into a
 * commit go into the next commit.
 */
import { z } from "@hono/zod-openapi";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { requireWorkspace } from "../../accounts/workspace.ts";
import { shown } from "../../base/failure.ts";
import { compareTexts } from "../../base/text.ts";
import { AHEAD_MS_MAX } from "../../base/time.ts";
import { offerVersions, productVersions } from "../../catalogue/products/change_log_store.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { cutByShard, parseProduct, shard } from "../../catalogue/products/product.ts";
import { skuError } from "../../catalogue/products/product_fields.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { AddressAllowList } from "../../platform/fetch/fetch_limits.ts";
import type { Context } from "../../platform/store/context.ts";
import { COMMIT_MAX, shareOfCommit, transact, type Write } from "../../platform/store/kv.ts";
import { checkCompetitorSet, competitorOf, type CompetitorSet } from "../competitor_store.ts";
import { requireDomains } from "../matches/link_plan.ts";
import type { MatchTarget } from "../domain.ts";
import { type Match, MATCHES_PER_PRODUCT_MAX, newMatch, termsOf } from "../matches/match.ts";
import { addMatch } from "../matches/match_store.ts";
import { addMoves, type Move, movesBetween } from "../observations/move_store.ts";
import { changedObservations, positionOf } from "../observations/observation.ts";
import { addObservation, findObservations } from "../observations/observation_store.ts";
import { findHeld, type HeldPrice, putHeld } from "../offers/failing_and_held_store.ts";
import { blankOffer, type Offer, type OwnSellers, readOwnSellers } from "../offers/offer.ts";
import { findOffersOf, putOffers } from "../offers/offer_store.ts";
import {
  countObservation,
  judgeObservation,
  type OurPrices,
  ourPricesOf,
} from "./record_observation.ts";
import {
  InvalidRow,
  type PlacedRow,
  placeRows,
  PUSH_CODES,
  type PushBody,
  type PushedRow,
  readPushedRow,
  type RowRefusal,
} from "./pushed_row.ts";

export const PushOutcome = z.object({
  accepted: z.int(),
  rejected: z.int(),
  errors: z.array(z.object({
    index: z.int().describe("Index of the row, from 0"),
    code: z.enum(PUSH_CODES),
    message: z.string(),
  })),
}).meta({ id: "PushOutcome" });
export type PushOutcome = z.infer<typeof PushOutcome>;

/** If a request is repeated, observations with an `observedAt` are not stored a second time. */
export async function pushObservations(
  ctx: Context,
  { observations }: PushBody,
  allowed: AddressAllowList,
): Promise<PushOutcome> {
  const errors: PushOutcome["errors"] = [];
  const refuse = ({ index }: Pick<PushedRow, "index">, refusal: RowRefusal) => {
    errors.push({ index, ...refusal });
  };
  const rows: PushedRow[] = [];
  const slice = new TimeSlice();
  for (const [index, input] of observations.entries()) {
    try {
      rows.push(readPushedRow(input, index, { now: ctx.now(), allowed }));
    } catch (error) {
      if (!(error instanceof InvalidRow)) throw error;
      const { code, message } = error;
      refuse({ index }, { code, message });
    }
    await slice.yield();
  }
  const batches = cutBatches(await placeRows(ctx, rows));
  const half = ctx.receipt ? batches.length : Math.ceil(batches.length / 2);
  const partitions = [batches.slice(0, half), batches.slice(half)];
  const ends = await Promise.allSettled(
    partitions.map((queue) => recordBatches(ctx, queue, refuse)),
  );
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  errors.sort((a, b) => a.index - b.index);
  return { accepted: observations.length - errors.length, rejected: errors.length, errors };
}

type Refuse = (row: PushedRow, refusal: RowRefusal) => void;

async function recordBatches(ctx: Context, queue: PlacedRow[][], refuse: Refuse): Promise<void> {
  for (let batch = queue.shift(); batch; batch = queue.shift()) {
    const done = await recordRows(ctx, batch, queue.length === 0);
    for (const { row, ...refusal } of done.refused) refuse(row, refusal);
    if (done.left.length > 0) queue.unshift(...cutBatches(await placeRows(ctx, done.left)));
  }
}

const MOST = { rows: 170, shards: COMMIT_MAX.checks };

function cutBatches(rows: readonly PlacedRow[]): PlacedRow[][] {
  const sorted = rows.toSorted((a, b) => a.shard - b.shard || compareTexts(nameOf(a), nameOf(b)));
  return cutByShard(sorted, MOST);
}

function nameOf({ row: { product } }: PlacedRow): string {
  return "sku" in product ? product.sku : product.id;
}

async function recordRows(
  ctx: Context,
  batch: readonly PlacedRow[],
  isLast: boolean,
) {
  const shards = new Set(batch.map(({ shard }) => shard));
  return await transact(ctx, async (write) => {
    const ofOffers = await offerVersions.find(ctx, [...shards]);
    const { groups, moved, refused } = await groupByProduct(ctx, batch);
    const unlinked = groups.flatMap(({ rows, offers }) =>
      rows.flatMap(({ match }) => {
        const isKnown = !("target" in match) ||
          offers.some(({ urlHash }) => urlHash === match.target.urlHash);
        return isKnown ? [] : [match.target.domain];
      })
    );
    const competitors = unlinked.length === 0 ? null : await requireDomains(ctx, unlinked);
    const quarantine = await readQuarantine(ctx, groups);
    const heldBefore = await findHeldBefore(ctx, groups);
    const known = { competitors, quarantine, heldBefore };
    const added = { made: [], events: [], moves: [], changed: [] };
    const draft: Draft = { write, ctx, ...known, refused, ...added };
    const others = (competitors === null ? 0 : 1) + (ctx.receipt && isLast ? 1 : 0);
    const checked = [...ofOffers].slice(0, COMMIT_MAX.checks - others);
    const inReach = new Set(checked.map(([number]) => number));
    const left = groups.flatMap((group) =>
      inReach.has(shard(group.product.sku)) ? recordProduct(draft, group) : group.rows
    ).concat(moved);
    if (!write.isEmpty) {
      offerVersions.check(write, ctx.workspaceId, checked);
      finishDraft(draft);
      if (isLast && left.length === 0) ctx.receipt?.put(write, null);
    }
    return { refused, left };
  });
}

async function groupByProduct(
  ctx: Context,
  batch: readonly PlacedRow[],
): Promise<{ groups: ProductRows[]; moved: PushedRow[]; refused: RefusedRow[] }> {
  const placed = await placeRows(ctx, batch.map(({ row }) => row));
  const skus = new Set(placed.flatMap(({ sku }) => sku && skuError(sku) === null ? [sku] : []));
  const found = [...await findIndexRows(ctx, [...skus])]
    .flatMap(([sku, { id, isDeleted }]) => isDeleted ? [] : [{ id, sku }]);
  const stored = await findOffersOf(ctx, found.map(({ id }) => id));
  const groups = new Map(
    found.map((product, at): [string, ProductRows] => {
      return [product.sku, { product, offers: stored[at]?.offers ?? [], rows: [] }];
    }),
  );
  const missing: PlacedRow[] = [];
  for (const one of placed) {
    const group = groups.get(one.sku ?? "");
    if (group) group.rows.push(one.row);
    else missing.push(one);
  }
  const moved: PushedRow[] = [];
  const refused: RefusedRow[] = [];
  // A product may be missing because its SKU has just changed; the next commit finds the new SKU.
  const again = await placeRows(ctx, missing.map(({ row }) => row));
  for (const [at, { row, sku }] of again.entries()) {
    if (sku !== missing[at]?.sku) moved.push(row);
    else {
      const name = shown("sku" in row.product ? row.product.sku : row.product.id);
      refused.push({ row, code: "not_found", message: `There is no product "${name}"` });
    }
  }
  // Sort the pushed prices by time, so that each price change is recorded.
  for (const { rows } of groups.values()) {
    rows.sort((a, b) => a.seen.observedAtMs - b.seen.observedAtMs);
  }
  return { groups: [...groups.values()], moved, refused };
}

async function readQuarantine(
  ctx: Context,
  groups: readonly ProductRows[],
): Promise<Quarantine | null> {
  if ((await requireWorkspace(ctx)).quarantine === null) return null;
  const others = groups.filter(({ rows, offers }) =>
    rows.some(({ seen }) =>
      !offers.some(({ priceCents, currency }) =>
        priceCents === seen.priceCents && currency === seen.currency
      )
    )
  );
  const stored = groups.flatMap(({ offers }) => offers);
  const sales = groups.flatMap(({ rows }) => rows.map(({ sale }) => sale));
  const [isOurs, documents, held] = await Promise.all([
    readOwnSellers(ctx, [...stored, ...sales]),
    findDocuments(ctx, others.map(({ product }) => product.id)),
    findHeld(ctx, stored),
  ]);
  return {
    isOurs,
    ours: new Map(documents.map(({ id, bytes }) => [id, ourPricesOf(parseProduct(bytes))])),
    held,
  };
}

/**
 * Returns the ids of pushed observations that are already in quarantine, and are older than the
 * last check of their offers. A repeated push that changes no offer keeps their mark `isHeld`.
 */
async function findHeldBefore(
  ctx: Context,
  groups: readonly ProductRows[],
): Promise<ReadonlySet<string>> {
  const places = groups.flatMap(({ product: { id: productId }, offers, rows }) =>
    rows.flatMap(({ match, seen }) => {
      const offer = offers.find(({ matchId, urlHash }) =>
        "id" in match ? matchId === match.id : urlHash === match.target.urlHash
      );
      if (!offer || seen.observedAtMs >= (offer.checkedAtMs ?? 0)) return [];
      const { matchId, competitorId } = offer;
      return [{ productId, ...positionOf({ ...seen, productId, matchId, competitorId }) }];
    })
  );
  const found = await findObservations(ctx, places);
  return new Set(found.flatMap((one) => one?.isHeld ? [positionOf(one).id] : []));
}

const NEXT_ROW = shareOfCommit(0.45);

interface ProductRef {
  readonly id: string;
  readonly sku: string;
}

type RefusedRow = RowRefusal & { readonly row: PushedRow };

interface ProductRows {
  readonly product: ProductRef;
  readonly offers: readonly Offer[];
  readonly rows: PushedRow[];
}

interface Quarantine {
  readonly ours: ReadonlyMap<string, OurPrices>;
  readonly isOurs: OwnSellers;
  readonly held: ReadonlyMap<string, HeldPrice>;
}

interface Draft {
  readonly write: Write;
  readonly ctx: Context;
  readonly competitors: CompetitorSet | null;
  readonly quarantine: Quarantine | null;
  readonly heldBefore: ReadonlySet<string>;
  readonly refused: RefusedRow[];
  readonly made: Match[];
  readonly events: OutboxEvent[];
  readonly moves: Move[];
  readonly changed: string[];
}

function recordProduct(
  draft: Draft,
  { product, rows, offers: before }: ProductRows,
): PushedRow[] {
  const { write, ctx: { workspaceId }, quarantine } = draft;
  if (!write.fits(NEXT_ROW)) return rows;
  const after = [...before];
  const held = new Map<string, HeldPrice>();
  const nowMs = draft.ctx.now().getTime();
  const number = shard(product.sku);
  let done = 0;
  for (; done < rows.length && write.fits(NEXT_ROW); done++) {
    const row = rows[done];
    const offer = row && after[findOrAdd(draft, product, row, after)];
    if (!row || !offer) continue;
    const { matchId, competitorId } = offer;
    const judged = judgeObservation(
      offer,
      row.seen,
      nowMs + AHEAD_MS_MAX,
      quarantine && {
        product,
        offers: after,
        ours: quarantine.ours.get(product.id) ?? { cost: null, own: null },
        isOurs: quarantine.isOurs,
        held: held.get(matchId) ??
          (offer.heldAtMs === null ? null : quarantine.held.get(matchId) ?? null),
      },
      row.sale,
    );
    if (judged.held) held.set(matchId, judged.held);
    else if (judged.after.heldAtMs === null) held.delete(matchId);
    const place = { productId: product.id, matchId, competitorId };
    const observation = { ...row.seen, ...place };
    const isHeld = judged.held !== null ||
      (judged.after === offer && draft.heldBefore.has(positionOf(observation).id));
    addObservation(write, workspaceId, { ...observation, ...isHeld && { isHeld } });
    // The job that packs observations checks this counter, so the job notices new observations.
    offerVersions.set(write, workspaceId, number);
    if (quarantine !== null && judged.after !== offer) {
      countObservation(write, workspaceId, offer, nowMs);
    }
    draft.moves.push(...movesBetween(product.id, offer, judged.after));
    after[after.indexOf(offer)] = judged.after;
  }
  for (const one of held.values()) putHeld(write, workspaceId, one);
  const isChanged = after.some((offer, position) => offer !== before[position]);
  if (isChanged) {
    putOffers(write, workspaceId, product, { before, after });
    for (const [at, offer] of after.entries()) {
      draft.events.push(...changedObservations(product, before[at], offer, "push"));
    }
    draft.changed.push(product.id);
  }
  return rows.slice(done);
}

function findOrAdd(draft: Draft, product: ProductRef, row: PushedRow, offers: Offer[]): number {
  const { match } = row;
  if (!("target" in match)) {
    const position = offers.findIndex(({ matchId }) => matchId === match.id);
    if (position < 0) {
      const message = `The product has no match "${shown(match.id)}"`;
      draft.refused.push({ row, code: "not_found", message });
    }
    return position;
  }
  const { target } = match;
  const position = offers.findIndex(({ urlHash }) => urlHash === target.urlHash);
  if (position >= 0) return position;
  if (offers.length >= MATCHES_PER_PRODUCT_MAX) {
    const message = `The product has ${MATCHES_PER_PRODUCT_MAX} matches: delete one first`;
    draft.refused.push({ row, code: "validation_failed", message });
    return -1;
  }
  return offers.push(makeMatch(draft, product, target)) - 1;
}

function makeMatch(draft: Draft, product: ProductRef, { url, urlHash, domain }: MatchTarget) {
  const { write, ctx, competitors } = draft;
  const competitorId = competitorOf(competitors, domain).id;
  const match = newMatch(ctx, { productId: product.id, competitorId, url }, "push");
  addMatch(write, ctx.workspaceId, match, urlHash);
  productVersions.set(write, ctx.workspaceId, shard(product.sku));
  draft.made.push(match);
  return blankOffer(termsOf(match, urlHash));
}

function finishDraft(draft: Draft): void {
  const { write, ctx, competitors, made } = draft;
  addMoves(write, ctx, draft.moves);
  const pushed = { cause: "push", ref: ctx.requestId, productIds: draft.changed } as const;
  publish(write, ctx, [...draft.events, { type: "products.touched", data: pushed }]);
  if (made.length === 0) return;
  if (competitors) checkCompetitorSet(write, ctx.workspaceId, competitors);
  addAuditRow(write, ctx, {
    action: "competitor_product.push",
    resource: { type: "competitor_product", id: "push", label: `${made.length} new matches` },
    after: { competitorProductIds: made.map(({ id }) => id) },
  });
}
