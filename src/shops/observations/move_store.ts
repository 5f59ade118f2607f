/**
 * Keys: `mv W at id` → the moves of one commit, packed, at most 60,000 bytes; `mvp W productId at id` →
 * a move that no observation tells of, kept for 400 days. Times are milliseconds: of the commit in the
 * one, of the sight in the other.
 *
 * Both are written in the commit of the offers whose moves they tell of, and never changed.
 */

import { type Availability, isInStock } from "../../base/codes.ts";
import { idAt, idBytes, idMark } from "../../base/id.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { idIn, lastIdOf } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { removeRows } from "../../platform/store/rows.ts";
import type { Offer } from "../offers/offer.ts";

/** Of a row: stays below 60,000 bytes whatever the moves are. */
const MOVES_PER_ROW = 400;
const READ_MAX = 500;
const DAY_MS = 86_400_000;
/** A move that no observation tells of is known so long. */
const LONE_MOVE_DAYS = 400;

const rowsOf = (workspaceId: string) => ["mv", idBytes(workspaceId)];
const loneOf = (workspaceId: string, productId: string) => [
  "mvp",
  idBytes(workspaceId),
  idBytes(productId),
];

/** The moves of one commit: a mutation for all of them, and one for each that was not observed. */
export function addMoves(
  write: Write,
  { workspaceId, now }: Pick<Context, "workspaceId" | "now">,
  moves: readonly Move[],
): void {
  const atMs = now().getTime();
  for (let from = 0; from < moves.length; from += MOVES_PER_ROW) {
    const row = moves.slice(from, from + MOVES_PER_ROW);
    const [first] = row;
    if (first === undefined) return;
    putMoves(write, workspaceId, { atMs, id: moveId(first), moves: row.map(packedMove) });
  }
  for (const move of moves) {
    if (!move.isObserved) putLoneMove(write, workspaceId, move, now());
  }
}

/** The moves of one commit. */
export interface MovesRow {
  /** Of the commit. */
  readonly atMs: number;
  readonly id: string;
  readonly moves: readonly PackedMove[];
}

/** A row as it was, here or in another store. */
export function putMoves(
  write: Write,
  workspaceId: string,
  { atMs, id, moves }: MovesRow,
): void {
  write.set([...rowsOf(workspaceId), atMs, idBytes(id)], encodeMoves(moves, atMs));
}

/** A move that no observation tells of, by itself or of another store; one that is too old is left out. */
export function putLoneMove(
  write: Write,
  workspaceId: string,
  move: Move,
  now: Date,
): void {
  const keptMs = move.atMs + LONE_MOVE_DAYS * DAY_MS - now.getTime();
  if (keptMs <= 0) return;
  const { productId, atMs, isObserved: _, ...row } = move;
  write.set([...loneOf(workspaceId, productId), atMs, idBytes(moveId(move))], row, keptMs);
}

/** Rows of commits from `fromMs` to before `beforeMs`; the newest first. */
export async function* walkMoves(
  { store, workspaceId }: WorkspaceStore,
  { fromMs, beforeMs }: { readonly fromMs: number; readonly beforeMs: number },
): AsyncGenerator<MovesRow> {
  if (fromMs >= beforeMs) return;
  const prefix = rowsOf(workspaceId);
  const selector = { start: [...prefix, fromMs], end: [...prefix, beforeMs] };
  const options = { reverse: true, batchSize: READ_MAX };
  for await (const { key, value } of store.kv.list<Uint8Array>(selector, options)) {
    const place = placeOf(key);
    yield { ...place, moves: decodeMoves(value, place.atMs) };
  }
}

/** Takes away up to `limit` rows of commits before a time; answers how many. */
export async function removeMoves(
  write: Write,
  { store, workspaceId }: WorkspaceStore,
  beforeMs: number,
  limit: number,
): Promise<number> {
  return await removeRows(write, store, rowsOf(workspaceId), limit, beforeMs);
}

/** A move that no observation tells of. */
export interface LoneMove {
  readonly id: string;
  readonly move: Move;
}

type LoneRow = Omit<Move, "productId" | "atMs" | "isObserved">;

/** Those of a product that are kept, up to `toMs`, the newest first. */
export async function* walkLoneMoves(
  { store, workspaceId, now }: WorkspaceStore & Pick<Context, "now">,
  productId: string,
  toMs: number,
): AsyncGenerator<LoneMove> {
  const prefix = loneOf(workspaceId, productId);
  const keptMs = now().getTime() - LONE_MOVE_DAYS * DAY_MS;
  if (toMs < keptMs) return;
  const selector = { start: [...prefix, keptMs], end: [...prefix, toMs + 1] };
  for await (const { key, value } of store.kv.list<LoneRow>(selector, { reverse: true })) {
    yield loneMoveOf(key, value);
  }
}

/** All of a workspace that are kept, by product, the oldest first: for its file and checks of the store. */
export async function* walkAllLoneMoves(
  { store, workspaceId, now }: WorkspaceStore & Pick<Context, "now">,
): AsyncGenerator<LoneMove> {
  const prefix = ["mvp", idBytes(workspaceId)];
  const keptMs = now().getTime() - LONE_MOVE_DAYS * DAY_MS;
  for await (const { key, value } of store.kv.list<LoneRow>({ prefix }, { batchSize: READ_MAX })) {
    const found = loneMoveOf(key, value);
    if (found.move.atMs >= keptMs) yield found;
  }
}

function loneMoveOf(key: Deno.KvKey, row: LoneRow): LoneMove {
  const { atMs, id } = placeOf(key);
  return { id, move: { ...row, productId: idIn(key, 2), atMs, isObserved: false } };
}

function placeOf(key: Deno.KvKey): Pick<MovesRow, "atMs" | "id"> {
  const atMs = key.at(-2);
  if (typeof atMs !== "number") throw new Error("A key of moves has no time");
  return { atMs, id: lastIdOf(key) };
}

/** Kinds of moves. The codes are public; none is ever removed. */
export const MOVE_KINDS = ["down", "up", "back_in_stock", "sold_out", "new_offer"] as const;
export type MoveKind = (typeof MOVE_KINDS)[number];

/** The part of an observation that decides whether an offer has moved. */
export interface SightedPrice {
  readonly priceCents: number;
  readonly currency: string;
  readonly availability: Availability;
}

/**
 * The move between two observations; `before` is `null` for the first one. Sold out has precedence
 * over back in stock, and that over the price. A price in another currency is a new offer; an offer
 * that was never for sale is none. `null` when nothing changed.
 */
export function moveKindOf(before: SightedPrice | null, after: SightedPrice): MoveKind | null {
  const isSoldOut = isInStock(after.availability) === false;
  const wasSoldOut = before !== null && isInStock(before.availability) === false;
  if (before === null) return isSoldOut ? null : "new_offer";
  if (isSoldOut && !wasSoldOut) return "sold_out";
  if (before.currency !== after.currency) return isSoldOut ? null : "new_offer";
  if (wasSoldOut && !isSoldOut) return "back_in_stock";
  if (before.priceCents === after.priceCents) return null;
  return after.priceCents < before.priceCents ? "down" : "up";
}

/** A move of an offer in one commit. Prices as observed, for `packFactor` pieces. */
export interface Move {
  readonly kind: MoveKind;
  readonly productId: string;
  readonly matchId: string;
  readonly competitorId: string;
  /** In the same currency; null for a new offer. */
  readonly fromCents: number | null;
  /** Of what was sold out without a price: the one that it had. */
  readonly toCents: number;
  readonly currency: string;
  readonly packFactor: number;
  /** When it was seen, in milliseconds. */
  readonly atMs: number;
  /** False where no observation tells of it: the page was there no more, or had no price. */
  readonly isObserved: boolean;
}

/** The same move has the same id. */
export function moveId({ kind, matchId, atMs, fromCents, toCents }: Move): string {
  return idAt(atMs, `${kind} ${matchId} ${atMs} ${fromCents} ${toCents}`);
}

/** The moves between a product's offers before and after a commit, for offers that count. */
export function movesBetween(
  productId: string,
  { before, after }: { readonly before: readonly Offer[]; readonly after: readonly Offer[] },
): Move[] {
  const known = new Map(before.map((offer) => [offer.matchId, offer]));
  return after.flatMap((offer) => {
    const old = known.get(offer.matchId);
    if (old === offer || !offer.enabled) return [];
    return moveOf(productId, old, offer) ?? [];
  });
}

function moveOf(productId: string, before: Offer | undefined, after: Offer): Move | null {
  const was = before === undefined ? null : priceOf(before);
  const is = priceOf(after);
  if (is === null) return null;
  const kind = moveKindOf(was, is);
  if (kind === null) return null;
  const { matchId, competitorId, packFactor, observedAtMs, checkedAtMs } = after;
  const isObserved = before?.observedAtMs !== observedAtMs;
  return {
    kind,
    productId,
    matchId,
    competitorId,
    fromCents: was?.currency === is.currency ? was.priceCents : null,
    toCents: is.priceCents,
    currency: is.currency,
    packFactor,
    atMs: (isObserved ? observedAtMs : checkedAtMs) ?? 0,
    isObserved,
  };
}

function priceOf({ priceCents, currency, availability }: Offer): SightedPrice | null {
  if (priceCents === null || currency === null) return null;
  return { priceCents, currency, availability: availability ?? "unknown" };
}

/** As it is read again: by links it is known from observations. */
export interface PackedMove extends Omit<Move, "matchId"> {
  /** Says which of the product's links it was of, so that those that are gone are told from others. */
  readonly linkMark: number | null;
}

export function packedMove({ matchId, ...move }: Move): PackedMove {
  return { ...move, linkMark: idMark(matchId) };
}

type MoveRow = readonly [
  productId: string,
  shop: number,
  kind: number,
  fromCents: number | null,
  toCents: number,
  currency: number,
  packFactor: number,
  /** Behind the time of the row; below 0 for what was seen before. */
  laterMs: number,
  isObserved: 0 | 1,
  /** Rows of earlier versions do not have it. */
  linkMark?: number | null,
];

/** Shops and currencies are few. */
type PackedRow = readonly [
  shops: readonly string[],
  currencies: readonly string[],
  moves: readonly MoveRow[],
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** `atMs` is the time in the key of the row. */
export function encodeMoves(moves: readonly PackedMove[], atMs: number): Uint8Array<ArrayBuffer> {
  const shops: string[] = [];
  const currencies: string[] = [];
  const rows = moves.map((move): MoveRow => [
    move.productId,
    placeIn(shops, move.competitorId),
    MOVE_KINDS.indexOf(move.kind),
    move.fromCents,
    move.toCents,
    placeIn(currencies, move.currency),
    move.packFactor,
    move.atMs - atMs,
    move.isObserved ? 1 : 0,
    move.linkMark,
  ]);
  const packed: PackedRow = [shops, currencies, rows];
  return encoder.encode(JSON.stringify(packed));
}

/** The inverse of `encodeMoves`; only for bytes that it made. A kind of a later version is left out. */
export function decodeMoves(bytes: Uint8Array, atMs: number): PackedMove[] {
  const [shops, currencies, rows]: PackedRow = JSON.parse(decoder.decode(bytes));
  return rows.flatMap((row): PackedMove[] => {
    const [productId, shop, kindAt, fromCents, toCents, currencyAt, ...more] = row;
    const [packFactor, later, seen, linkMark = null] = more;
    const kind = MOVE_KINDS[kindAt];
    const competitorId = shops[shop];
    const currency = currencies[currencyAt];
    if (kind === undefined || competitorId === undefined || currency === undefined) return [];
    const prices = { fromCents, toCents, currency, packFactor };
    const place = { atMs: atMs + later, isObserved: seen === 1, linkMark };
    return [{ kind, productId, competitorId, ...prices, ...place }];
  });
}

function placeIn(words: string[], word: string): number {
  const place = words.indexOf(word);
  return place >= 0 ? place : words.push(word) - 1;
}
