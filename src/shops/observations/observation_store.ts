/**
 * Keys: `ob W productId at obsId` → observation as JSON bytes of an array; `oc W competitorId at
 * obsId` → productId. Times are in milliseconds since 1970.
 *
 * Each observed price is first stored as a row of its own. Later, old observations are moved to
 * blocks (`pack_store.ts`), which need less space.
 *
 * Every commit that writes these rows must also write the product's offers row or set the version
 * counter of its offers.
 */
import { mergeSorted } from "../../base/collections.ts";
import { decoder, encoder } from "../../base/bytes.ts";
import type { Availability } from "../../base/codes.ts";
import { idBytes, idText, keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import {
  firstRow,
  getRows,
  idIn,
  justAfterId,
  lastBytes,
  lastIdOf,
  walkBytes,
} from "../../platform/store/rows.ts";
import type { PlainKey } from "../../platform/store/key_hex.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import {
  boundsOf,
  type Observation,
  type ObservationSource,
  type PlacedObservation,
  type Position,
  positionOf,
  type Stretch,
} from "./observation.ts";
import { defineTable } from "../../platform/store/table.ts";

const READ_MAX = 1_000;

const ofProduct = (workspaceId: string, productId: string) => [
  "ob",
  keptIdBytes(workspaceId),
  idBytes(productId),
];
const ofCompetitor = (workspaceId: string, competitorId: string) => [
  "oc",
  keptIdBytes(workspaceId),
  idBytes(competitorId),
];
/** Costs two mutations. The caller must also call `markCompetitors` in the commit. */
export function addObservation(write: Write, workspaceId: string, observation: Observation): void {
  const { productId, competitorId } = observation;
  const { atMs, id } = positionOf(observation);
  const place = [atMs, idBytes(id)];
  write.set([...ofProduct(workspaceId, productId), ...place], encodeRow(observation));
  write.set([...ofCompetitor(workspaceId, competitorId), ...place], idBytes(productId));
}

function selectorOf(
  prefix: Deno.KvKey,
  stretch: Stretch,
): { start: Deno.KvKey; end: Deno.KvKey } | null {
  const { fromMs, toMs, order, after } = stretch;
  const isAsc = order === "asc";
  const start = isAsc && after ? keyBehind(prefix, after) : [...prefix, fromMs];
  const end = !isAsc && after ? keyAt(prefix, after) : [...prefix, toMs + 1];
  return boundsOf(stretch) && { start, end };
}

export function keyAt(prefix: Deno.KvKey, { atMs, id }: Position): Deno.KvKey {
  return [...prefix, atMs, idBytes(id)];
}

export function keyBehind(prefix: Deno.KvKey, { atMs, id }: Position): Deno.KvKey {
  return [...prefix, atMs, justAfterId(id)];
}

/** Reads only observations that are not packed. */
export async function listOfProduct(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
  stretch: Stretch,
  limit: number,
): Promise<PlacedObservation[]> {
  const prefix = ofProduct(workspaceId, productId);
  const found: PlacedObservation[] = [];
  for await (const { value, ...position } of rowsOf(store, prefix, stretch, limit)) {
    const observation = decodeRow(value, { productId, observedAtMs: position.atMs });
    found.push({ ...position, observation });
  }
  return found;
}

async function* rowsOf(
  store: Store,
  prefix: PlainKey,
  stretch: Stretch,
  limit: number,
): AsyncGenerator<Position & { readonly value: Uint8Array }> {
  const { fromMs, toMs, order, after } = stretch;
  const selector = selectorOf(prefix, stretch);
  if (!selector) return;
  if (order === "desc") {
    const before = after ? [after.atMs, idBytes(after.id)] : [toMs + 1];
    const rows = await lastBytes(store, prefix, { from: [fromMs], before }, limit);
    for (const { parts: [atMs, id], value } of rows) {
      yield { atMs: Number(atMs), id: String(id), value };
    }
    return;
  }
  const batchSize = Math.min(limit, READ_MAX);
  for await (const { key, value } of store.kv.list<Uint8Array>(selector, { limit, batchSize })) {
    yield { ...positionIn(key), value };
  }
}

export interface CompetitorEntry extends Position {
  readonly productId: string;
}

export async function listOfCompetitor(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string,
  stretch: Stretch,
  limit: number,
): Promise<CompetitorEntry[]> {
  const prefix = ofCompetitor(workspaceId, competitorId);
  const found: CompetitorEntry[] = [];
  for await (const { value, ...position } of rowsOf(store, prefix, stretch, limit)) {
    found.push({ ...position, productId: idText(value) });
  }
  return found;
}

/** In the order of `places`; null if an observation is deleted or packed. */
export async function findObservations(
  { store, workspaceId }: WorkspaceStore,
  places: readonly CompetitorEntry[],
): Promise<(Observation | null)[]> {
  const keys = places.map((place) => keyAt(ofProduct(workspaceId, place.productId), place));
  const rows = await getRows<Uint8Array>(store, keys);
  return places.map(({ productId, atMs }, position) => {
    const value = rows[position]?.value ?? null;
    return value && decodeRow(value, { productId, observedAtMs: atMs });
  });
}

export function removeLoose(
  write: Write,
  workspaceId: string,
  [table, ownerId]: readonly ["ob" | "oc", string],
  places: readonly Position[],
): void {
  const prefix = [table, keptIdBytes(workspaceId), idBytes(ownerId)];
  for (const place of places) write.delete(keyAt(prefix, place));
}

/** Yields product ids in ascending order. */
export async function* walkObserved(workspace: WorkspaceStore): AsyncGenerator<string> {
  const walks = (["ob", "op"] as const).map((table) => walkOwners(workspace, table));
  let last = "";
  for await (const id of mergeSorted(walks, (one) => one)) {
    if (id !== last) yield id;
    last = id;
  }
}

/** Yields ids of products that have rows. One read per id. */
async function* walkOwners(
  { store, workspaceId }: WorkspaceStore,
  table: "ob" | "op",
): AsyncGenerator<string> {
  const prefix = [table, keptIdBytes(workspaceId)];
  for (let start: Deno.KvKey | null = null;;) {
    const selector: Deno.KvListSelector = start ? { prefix, start } : { prefix };
    const row: Deno.KvEntry<unknown> | null = await firstRow(store, selector);
    if (!row) return;
    const id = idIn(row.key, 2);
    yield id;
    // In key order, `true` comes after all numbers, so the next read skips the rows of this id.
    start = [...prefix, idBytes(id), true];
  }
}

export async function* walkLoose(
  { store, workspaceId }: WorkspaceStore,
  table: "ob" | "oc",
): AsyncGenerator<Position & { readonly ownerId: string; readonly value: Uint8Array }> {
  for await (const { parts, value } of walkBytes(store, [table, keptIdBytes(workspaceId)])) {
    const [ownerId, atMs, id] = parts;
    yield { ownerId: String(ownerId), atMs: Number(atMs), id: String(id), value };
  }
}

/** Throws if the key does not end with a position. */
export function positionIn(key: Deno.KvKey): Position {
  const atMs = key.at(-2);
  if (typeof atMs !== "number") throw new Error("A key of an observation has no time");
  return { atMs, id: lastIdOf(key) };
}

/** Product and time are in the key. Trailing nulls are omitted. */
export type ObservationRow = readonly [
  matchId: string,
  competitorId: string,
  priceCents: number,
  currency: string,
  availability: Availability,
  confidence: number,
  source: ObservationSource,
  method?: string | null,
  runId?: string | null,
  listPriceCents?: number | null,
  shippingCents?: number | null,
  held?: 0 | 1 | null,
  lowest30Cents?: number | null,
];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function toRow(observation: Observation): ObservationRow {
  const { method, runId, listPriceCents, shippingCents, isHeld, lowest30Cents } = observation;
  const row: Mutable<ObservationRow> = [
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
  ];
  while (row.at(-1) === null) row.pop();
  return row;
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

export function decodeRow(
  bytes: Uint8Array,
  place: Pick<Observation, "productId" | "observedAtMs">,
): Observation {
  const row: ObservationRow = JSON.parse(decoder.decode(bytes));
  return fromRow(row, place);
}

const EMPTY = new Uint8Array();

export const observedShops = defineTable<Pick<WholeDay, "competitorId">, "competitorId">({
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
  about: "a day (its start in UTC) whose observations of the shop are packed but not thinned",
  key: { competitorId: "id", dayMs: "number" },
  codec: { encode: () => EMPTY },
});

/** Lists skip competitors that are not marked. Costs one mutation per competitor. */
export function markCompetitors(write: Write, workspaceId: string, ids: Iterable<string>): void {
  for (const competitorId of ids) observedShops.put(write, { workspaceId }, { competitorId });
}

export async function listObservedCompetitors(workspace: WorkspaceStore): Promise<string[]> {
  return (await observedShops.list(workspace)).map(({ row }) => row.competitorId);
}
