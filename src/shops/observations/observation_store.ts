/**
 * Each new observation is stored in one row, and can be found by product and by shop. Old
 * observations are later moved to blocks (`pack_store.ts`), which need less space.
 *
 * The job that packs observations detects new ones by the version counters of offers. A commit that
 * writes an observation must therefore set the counter of the product's shard, as `putOffers` does.
 */
import { decoder, encoder } from "../../base/bytes.ts";
import { idBytes, idText } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { shareOfCommit, type Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import {
  isAccepted,
  type Observation,
  type PlacedObservation,
  type Position,
  positionOf,
  type Stretch,
} from "./observation.ts";

export interface Owned {
  readonly ownerId: string;
}

export const OWNED_KEY = { ownerId: "id", atMs: "number", id: "id" } as const;
export type OwnedKey = keyof typeof OWNED_KEY;

export const productRows = defineTable<PlacedObservation & Owned, OwnedKey>({
  prefix: "ob",
  about: "a product's observation until it is packed (`op`), as JSON bytes of an array",
  key: OWNED_KEY,
  codec: {
    encode: ({ observation }) => encodeRow(observation),
    decode: (bytes: Uint8Array, { ownerId: productId, atMs: observedAtMs }) => {
      const row: ObservationRow = JSON.parse(decoder.decode(bytes));
      return { observation: fromRow(row, { productId, observedAtMs }) };
    },
  },
});

export interface CompetitorEntry extends Position {
  readonly productId: string;
}

export const shopRows = defineTable<CompetitorEntry & Owned, OwnedKey>({
  prefix: "oc",
  about: "the product of a shop's observation, until it is packed (`oq`)",
  key: OWNED_KEY,
  codec: {
    encode: ({ productId }) => idBytes(productId),
    decode: (bytes: Uint8Array) => ({ productId: idText(bytes) }),
  },
});

export function addObservation(write: Write, workspaceId: string, observation: Observation): void {
  const { productId, competitorId } = observation;
  const position = positionOf(observation);
  productRows.put(write, { workspaceId }, { ownerId: productId, ...position, observation });
  shopRows.put(write, { workspaceId }, { ownerId: competitorId, ...position, productId });
  write.touch(observedShops.keyOf({ workspaceId }, { competitorId }));
}

export interface LooseRows<Row extends Position> {
  walk(
    workspace: WorkspaceStore,
    range?: {
      readonly within: Owned;
      readonly after: Partial<Position>;
      readonly order: Stretch["order"];
      readonly limit: number;
    },
  ): AsyncIterable<{ readonly row: Row & Owned }>;
  drop(write: Write, owner: Pick<WorkspaceStore, "workspaceId">, key: Position & Owned): void;
}

export async function listLoose<Row extends Position>(
  workspace: WorkspaceStore,
  rows: LooseRows<Row>,
  ownerId: string,
  { fromMs, toMs, order, after }: Stretch,
  limit: number,
): Promise<Row[]> {
  const start = after ?? { atMs: order === "asc" ? fromMs - 1 : toMs + 1 };
  const found: Row[] = [];
  const range = { within: { ownerId }, after: start, order, limit };
  for await (const { row } of rows.walk(workspace, range)) {
    if (row.atMs < fromMs || row.atMs > toMs) break;
    found.push(row);
  }
  return found;
}

/** Yields the link's observations in the time range, newest first, without those in blocks. */
export async function* walkLoose(
  workspace: WorkspaceStore,
  { productId, matchId }: Pick<Observation, "productId" | "matchId">,
  { fromMs, toMs }: Pick<Stretch, "fromMs" | "toMs">,
): AsyncGenerator<Observation> {
  const range = {
    within: { ownerId: productId },
    after: { atMs: toMs + 1 },
    order: "desc",
  } as const;
  for await (const { row: { atMs, observation } } of productRows.walk(workspace, range)) {
    if (atMs < fromMs) return;
    if (observation.matchId === matchId) yield observation;
  }
}

export function markHeld(
  write: Write,
  workspace: WorkspaceStore,
  observation: Observation,
  isHeld: true | undefined,
): void {
  const place = { ownerId: observation.productId, ...positionOf(observation) };
  productRows.put(write, workspace, { ...place, observation: { ...observation, isHeld } });
}

type HeldPrice =
  & Pick<Observation, "productId" | "matchId" | "priceCents" | "currency" | "observedAtMs">
  & { readonly heldAtMs: number };

export const NEXT_MARK = shareOfCommit(0.1);

/** Removes the mark `isHeld` from observations of a price that was released from quarantine. */
export async function releaseObservations(
  write: Write,
  ctx: WorkspaceStore & { now(): Date },
  held: HeldPrice,
): Promise<void> {
  const fromMs = Math.min(held.heldAtMs, held.observedAtMs);
  // A price that a program has sent may have a time in the future, so search up to that time.
  const toMs = Math.max(ctx.now().getTime(), held.observedAtMs);
  for await (const one of walkLoose(ctx, held, { fromMs, toMs })) {
    // If the commit has too little room, older observations keep the mark `isHeld`.
    if (!write.fits(NEXT_MARK)) return;
    if (one.isHeld && isAccepted(one, held)) markHeld(write, ctx, one, undefined);
  }
}

/** Finds the observations at `places`; null if one was deleted or packed into a block. */
export async function findObservations(
  workspace: WorkspaceStore,
  places: readonly CompetitorEntry[],
): Promise<(Observation | null)[]> {
  const keys = places.map(({ productId, atMs, id }) => ({ ownerId: productId, atMs, id }));
  const found = await productRows.getMany(workspace, keys);
  return found.map((one) => one && one.row.observation);
}

/** An observation as a tuple. Null fields at the end of the tuple are not stored. */
export type ObservationRow = ReturnType<typeof wholeRow>;

function wholeRow(observation: Observation) {
  const { method, runId, listPriceCents, shippingCents, isHeld, lowest30Cents } = observation;
  return [
    observation.matchId,
    observation.competitorId,
    observation.priceCents,
    observation.currency,
    observation.availability,
    observation.confidence,
    observation.source,
    method,
    runId,
    listPriceCents,
    shippingCents,
    isHeld ? 1 : null,
    lowest30Cents ?? null,
  ] as const;
}

export function toRow(observation: Observation): ObservationRow[number][] {
  const row = wholeRow(observation);
  return row.slice(0, row.findLastIndex((field) => field !== null) + 1);
}

export function fromRow(
  row: ObservationRow,
  { productId, observedAtMs }: Pick<Observation, "productId" | "observedAtMs">,
): Observation {
  const [matchId, competitorId, priceCents, currency, availability, confidence, source] = row;
  const [, , , , , , , method, runId, listPriceCents, shippingCents, held, lowest30Cents] = row;
  return {
    productId,
    matchId,
    competitorId,
    priceCents,
    currency,
    availability,
    listPriceCents: listPriceCents ?? null,
    shippingCents: shippingCents ?? null,
    method: method ?? null,
    confidence,
    source,
    runId: runId ?? null,
    observedAtMs,
    ...held && { isHeld: true },
    ...typeof lowest30Cents === "number" && { lowest30Cents },
  };
}

export function encodeRow(observation: Observation): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(toRow(observation)));
}

const EMPTY = new Uint8Array();

const observedShops = defineTable<Pick<WholeDay, "competitorId">, "competitorId">({
  prefix: "ock",
  about: "a shop that has or had observations; kept when the shop is deleted",
  key: { competitorId: "id" },
  codec: { encode: () => EMPTY },
});

interface WholeDay {
  readonly competitorId: string;
  readonly dayMs: number;
}

export const wholeDays = defineTable<WholeDay, "competitorId" | "dayMs">({
  prefix: "oqd",
  about: "a day (its start in UTC) of which all packed observations of the shop still exist",
  key: { competitorId: "id", dayMs: "number" },
  codec: { encode: () => EMPTY },
});

export async function listObservedCompetitors(workspace: WorkspaceStore): Promise<string[]> {
  return (await observedShops.list(workspace)).map(({ row }) => row.competitorId);
}
