/**
 * Keys (`W`: id of the workspace): `m W productId urlHash` → match as packed bytes; `mi W matchId`
 * and `mc W competitorId matchId` → the bytes of `productId` and `urlHash`.
 *
 * Stores matches (links from products to pages) and removed matches. The key of a match contains
 * its product and the hash of its URL, so a product cannot have a URL twice.
 *
 * A commit that changes a match must also write the row with the product's offers
 * (`offer_store.ts`). A commit that checks the row of offers thus fails if a match has changed.
 */
import { decoder, encoder, joinedBytes } from "../../base/bytes.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import {
  getBytesAt,
  getRows,
  idKey,
  lastIdOf,
  pagesOf,
  selectorAfter,
  walkBytes,
} from "../../platform/store/rows.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { Competitor } from "../competitor_store.ts";
import { identities } from "./match_identity.ts";
import type { Match } from "./match.ts";
import { idText } from "../../base/id.ts";

export interface MatchPlace extends Place {
  readonly matchId: string;
}

export interface PlacedMatch {
  readonly match: Match;
  readonly place: MatchPlace;
}

export interface RemovedMatch {
  readonly match: Match;
  readonly competitor: Pick<Competitor, "displayName" | "domain">;
  readonly removedAt: string;
  readonly removedBy: Remover;
}

/** `shop`: the link was removed with its shop, and no person had disabled the link before. */
export const REMOVERS = ["person", "import", "shop"] as const;
type Remover = (typeof REMOVERS)[number];

type LinkRemoval = Pick<RemovedMatch, "removedBy"> & { readonly matchId: string };

export const removedMatches = defineTable<RemovedMatch & { readonly id: string }, "id">({
  prefix: "mx",
  about: "a removed match with its shop's name, for its remaining observations",
  key: { id: "id" },
});

export const linkRemovals = defineTable<LinkRemoval & Place, keyof Place>({
  prefix: "md",
  about: "the actor who removed this URL, and its match, until the URL is added again",
  key: { productId: "id", urlHash: "hex" },
});

const ofProduct = (workspaceId: string, productId: string) => idKey("m", workspaceId, productId);
const placeKey = (workspaceId: string, place: Place) => [
  ...ofProduct(workspaceId, place.productId),
  Uint8Array.fromHex(place.urlHash),
];
const byId = (workspaceId: string, id: string) => idKey("mi", workspaceId, id);
const ofCompetitor = (workspaceId: string, competitorId: string) =>
  idKey("mc", workspaceId, competitorId);

export async function findMatchPlace(workspace: WorkspaceStore, id: string) {
  const [place = null] = await findMatchPlaces(workspace, [id]);
  return place;
}

export async function findMatchPlaces(
  { store, workspaceId }: WorkspaceStore,
  ids: readonly string[],
): Promise<MatchPlace[]> {
  const rows = await getRows<Uint8Array>(store, ids.map((id) => byId(workspaceId, id)));
  return rows.flatMap(({ value }, at) => {
    const matchId = ids[at];
    return value === null || matchId === undefined ? [] : [{ matchId, ...unpackPlace(value) }];
  });
}

export async function findMatchAt(workspace: WorkspaceStore, place: MatchPlace) {
  const [found] = await findMatchesAt(workspace, [place]);
  return found?.match ?? null;
}

export async function findMatchesAt(
  { store, workspaceId }: WorkspaceStore,
  places: readonly MatchPlace[],
): Promise<PlacedMatch[]> {
  const keys = places.map((place) => placeKey(workspaceId, place));
  const rows = await getBytesAt(store, keys);
  return rows.flatMap((row, position) => {
    const place = places[position];
    const match = place && row && unpackMatch(place.productId, row.value);
    return match && match.id === place.matchId ? [{ match, place }] : [];
  });
}

export async function listMatchesOfProduct(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
): Promise<PlacedMatch[]> {
  const rows = walkBytes(store, ofProduct(workspaceId, productId));
  const matches = await Array.fromAsync(rows, ({ parts: [urlHash], value }) => {
    const match = unpackMatch(productId, value);
    return { match, place: { matchId: match.id, productId, urlHash: String(urlHash) } };
  });
  return matches.sort((a, b) => a.match.id < b.match.id ? -1 : 1);
}

export async function listPlaces(
  { store, workspaceId }: WorkspaceStore,
  competitorId: string | null,
  after: string | null,
  limit: number,
): Promise<MatchPlace[]> {
  const prefix = competitorId === null
    ? idKey("mi", workspaceId)
    : ofCompetitor(workspaceId, competitorId);
  const selector = selectorAfter(prefix, after);
  const options = { limit, batchSize: Math.min(limit, 1_000) };
  const rows = await Array.fromAsync(store.kv.list<Uint8Array>(selector, options));
  return rows.map(({ key, value }) => ({ matchId: lastIdOf(key), ...unpackPlace(value) }));
}

export function placePages(
  workspace: WorkspaceStore,
  competitorId: string | null,
  size: number,
  after: string | null = null,
) {
  const placeOf = ({ matchId }: MatchPlace) => matchId;
  return pagesOf((...at) => listPlaces(workspace, competitorId, ...at), placeOf, size, after);
}

export async function findRemovedMatch(
  workspace: WorkspaceStore,
  id: string,
): Promise<RemovedMatch | null> {
  return (await removedMatches.find(workspace, { id }))?.row ?? null;
}

export async function findRemovals(
  workspace: WorkspaceStore,
  productId: string,
  urlHashes: readonly string[],
): Promise<Map<string, LinkRemoval>> {
  const places = urlHashes.map((urlHash) => ({ productId, urlHash }));
  const found = await linkRemovals.getMany(workspace, places);
  return new Map(found.flatMap((one) => one ? [[one.row.urlHash, one.row]] : []));
}

export async function isLinkRemoved(workspace: WorkspaceStore, place: Place): Promise<boolean> {
  const { removedBy = "shop" } = (await linkRemovals.find(workspace, place))?.row ?? {};
  return removedBy !== "shop";
}

/** Adds four mutations to the commit, whose size is limited by `COMMIT_MAX`. */
export function addMatch(write: Write, workspaceId: string, match: Match, urlHash: string): void {
  const place = { productId: match.productId, urlHash };
  const row = packPlace(place);
  write.set(placeKey(workspaceId, place), packMatch(match));
  write.set(byId(workspaceId, match.id), row);
  write.set(idKey("mc", workspaceId, match.competitorId, match.id), row);
  linkRemovals.drop(write, { workspaceId }, place);
}

export function saveMatch(write: Write, workspaceId: string, match: Match, urlHash: string): void {
  write.set(placeKey(workspaceId, { productId: match.productId, urlHash }), packMatch(match));
}

export function moveMatch(
  write: Write,
  workspaceId: string,
  match: Match,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const old = { productId: match.productId, urlHash: from };
  write.delete(placeKey(workspaceId, old));
  linkRemovals.put(write, { workspaceId }, { ...old, matchId: match.id, removedBy: "person" });
  identities.drop(write, { workspaceId }, { matchId: match.id });
  addMatch(write, workspaceId, match, to);
}

/** Adds six mutations to the commit, whose size is limited by `COMMIT_MAX`. */
export function removeMatch(
  write: Write,
  workspaceId: string,
  removed: RemovedMatch,
  urlHash: string,
): void {
  const { match, removedBy } = removed;
  const place = { productId: match.productId, urlHash };
  const matchId = match.id;
  write.delete(placeKey(workspaceId, place));
  write.delete(byId(workspaceId, match.id));
  write.delete(idKey("mc", workspaceId, match.competitorId, match.id));
  removedMatches.put(write, { workspaceId }, { ...removed, id: matchId });
  linkRemovals.put(write, { workspaceId }, { ...place, matchId, removedBy });
  identities.drop(write, { workspaceId }, { matchId });
}

export async function* walkMatches({ store, workspaceId }: WorkspaceStore) {
  for await (const { parts, value } of walkBytes(store, idKey("m", workspaceId))) {
    const [productId, urlHash] = parts.map(String);
    if (productId === undefined || urlHash === undefined) continue;
    yield { productId, urlHash, match: unpackMatch(productId, value) };
  }
}

export async function* walkPlaces({ store, workspaceId }: WorkspaceStore) {
  for (const table of ["mi", "mc"] as const) {
    for await (const { parts, value } of walkBytes(store, idKey(table, workspaceId))) {
      const competitorId = table === "mc" ? String(parts[0]) : null;
      yield { table, competitorId, matchId: String(parts.at(-1)), ...unpackPlace(value) };
    }
  }
}

const REWRITTEN_AT_ONCE = 200;

type FormerPlace = readonly [productId: Uint8Array, urlHash: Uint8Array];

/** Returns the id after which the next call continues; null if all matches are rewritten. */
export async function rewriteMatches(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  after: string | null,
): Promise<string | null> {
  const selector = selectorAfter(idKey("mi", workspaceId), after);
  const options = { limit: REWRITTEN_AT_ONCE, batchSize: REWRITTEN_AT_ONCE };
  const rows = await Array.fromAsync(store.kv.list<Uint8Array | FormerPlace>(selector, options));
  const places = rows.map(({ key, value }) => {
    const bytes = value instanceof Uint8Array ? value : joinedBytes(value);
    return { matchId: lastIdOf(key), ...unpackPlace(bytes) };
  });
  const keys = places.map((place) => placeKey(workspaceId, place));
  const matches = await getRows<Uint8Array | Match>(store, keys);
  for (const [at, place] of places.entries()) {
    const value = matches[at]?.value ?? null;
    if (value === null) continue;
    const match = value instanceof Uint8Array ? unpackMatch(place.productId, value) : value;
    const row = packPlace(place);
    write.set(placeKey(workspaceId, place), packMatch(match));
    write.set(byId(workspaceId, place.matchId), row);
    write.set(idKey("mc", workspaceId, match.competitorId, place.matchId), row);
  }
  return places.at(-1)?.matchId ?? null;
}

const ID_BYTES = 12;

/**
 * Fields of a packed match, in this order, with their default values. Default values at the end of
 * a stored row are omitted.
 */
const DEFAULTS = {
  url: "",
  createdAt: "",
  updatedAt: "",
  source: "",
  matchType: "exact",
  packFactor: 1,
  enabled: true,
  disabledBy: null,
  extractor: null,
  noPrice: false,
  visit: "now",
} satisfies Record<Exclude<keyof Match, "id" | "productId" | "competitorId">, unknown>;

const FIELDS = Object.entries(DEFAULTS);

export function packMatch({ id, competitorId, createdAt, updatedAt, ...match }: Match): Uint8Array {
  const row = { ...match, createdAt: packTime(createdAt), updatedAt: packTime(updatedAt) };
  const tail: unknown[] = FIELDS.map(([name, value]) => Reflect.get(row, name) ?? value);
  while (tail.at(-1) === FIELDS[tail.length - 1]?.[1]) tail.pop();
  return joinedBytes([Uint8Array.fromHex(id + competitorId), encoder.encode(JSON.stringify(tail))]);
}

export function unpackMatch(productId: string, row: Uint8Array): Match {
  const tail: readonly unknown[] = JSON.parse(decoder.decode(row.subarray(2 * ID_BYTES)));
  const fields = FIELDS.map(([name, value], at) => [name, tail[at] ?? value]);
  const { createdAt, updatedAt, noPrice, visit, ...match } = Object.fromEntries(fields);
  return {
    id: idText(row.subarray(0, ID_BYTES)),
    productId,
    competitorId: idText(row.subarray(ID_BYTES, 2 * ID_BYTES)),
    ...match,
    createdAt: unpackTime(createdAt),
    updatedAt: unpackTime(updatedAt),
    ...(noPrice && { noPrice }),
    ...(visit !== DEFAULTS.visit && { visit }),
  };
}

interface Place {
  readonly productId: string;
  readonly urlHash: string;
}

function packPlace({ productId, urlHash }: Place): Uint8Array {
  return Uint8Array.fromHex(productId + urlHash);
}

function unpackPlace(row: Uint8Array): Place {
  return { productId: idText(row.subarray(0, ID_BYTES)), urlHash: row.subarray(ID_BYTES).toHex() };
}

function packTime(time: string): number | string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) || new Date(ms).toISOString() !== time ? time : ms;
}

function unpackTime(time: number | string): string {
  return typeof time === "number" ? new Date(time).toISOString() : time;
}
