/**
 * A move is a change of an offer's price or stock. One row contains up to 400 moves of one commit,
 * in less than 60,000 bytes. A move without an observation (for example, because the page is gone)
 * also gets a row under its product.
 */
import { decoder, encoder } from "../../base/bytes.ts";
import { isInStock } from "../../base/codes.ts";
import { idAt, idMark } from "../../base/id.ts";
import { DAY_MS } from "../../base/time.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { Offer, OfferObservation } from "../offers/offer.ts";

const MOVES_PER_ROW = 400;
const LONE_MOVE_KEPT_MS = 400 * DAY_MS;

/** Adds to the commit one mutation per 400 moves, and one for each move without an observation. */
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
    const packed = { atMs, id: moveId(first), moves: row.map(packedMove) };
    commitMoves.put(write, { workspaceId }, packed);
  }
  for (const move of moves) {
    if (!move.isObserved) putLoneMove(write, workspaceId, move, now());
  }
}

export interface MovesRow {
  readonly atMs: number;
  readonly id: string;
  readonly moves: readonly PackedMove[];
}

export const commitMoves = defineTable<MovesRow, "atMs" | "id">({
  prefix: "mv",
  about: "moves (changes of offers' prices or stock) of one commit, at most 60,000 bytes",
  key: { atMs: "number", id: "id" },
  codec: {
    encode: ({ moves, atMs }) => encodeMoves(moves, atMs),
    decode: (bytes: Uint8Array, { atMs }) => ({ moves: decodeMoves(bytes, atMs) }),
  },
  check: ({ id, moves }) =>
    Promise.resolve(moves.length === 0 ? `The row of moves ${id} is empty` : null),
  keep: {
    what: "price moves of competitors",
    days: 30,
    isOld: ({ atMs }, before) => atMs < before.getTime(),
    isInOrder: true,
  },
});

interface LoneMove extends Move {
  readonly id: string;
}

export const loneMoves = defineTable<LoneMove, "productId" | "atMs" | "id">({
  prefix: "mvp",
  about: "a move without an observation, kept for 400 days",
  key: { productId: "id", atMs: "number", id: "id" },
  codec: {
    encode: ({ productId: _, atMs: _at, id: _id, isObserved: _seen, ...row }) => row,
    decode: (row: LoneMove) => ({ ...row, isObserved: false }),
  },
  expireInMs: LONE_MOVE_KEPT_MS,
  check: (move) => {
    const { id, productId } = move;
    const trouble = `The move ${id} of product ${productId} is stored under another id`;
    return Promise.resolve(moveId(move) === id ? null : trouble);
  },
});

export function putLoneMove(write: Write, workspaceId: string, move: Move, now: Date): void {
  if (move.atMs + LONE_MOVE_KEPT_MS <= now.getTime()) return;
  loneMoves.put(write, { workspaceId }, { ...move, id: moveId(move) });
}

/** Yields rows of moves, newest first; `fromMs` is inclusive, `beforeMs` is exclusive. */
export async function* walkMoves(
  workspace: WorkspaceStore,
  { fromMs, beforeMs }: { readonly fromMs: number; readonly beforeMs: number },
): AsyncGenerator<MovesRow> {
  const range = { after: { atMs: beforeMs }, order: "desc" } as const;
  for await (const { row } of commitMoves.walk(workspace, range)) {
    if (row.atMs < fromMs) return;
    yield row;
  }
}

/** Yields the product's moves up to `toMs` (inclusive) that have no observation, newest first. */
export async function* walkLoneMoves(
  workspace: WorkspaceStore & Pick<Context, "now">,
  productId: string,
  toMs: number,
): AsyncGenerator<LoneMove> {
  const keptMs = workspace.now().getTime() - LONE_MOVE_KEPT_MS;
  const range = { within: { productId }, after: { atMs: toMs + 1 }, order: "desc" } as const;
  for await (const { row } of loneMoves.walk(workspace, range)) {
    if (row.atMs < keptMs) return;
    yield row;
  }
}

/** Clients know these codes, and rows store a code's index: add codes only at the end. */
export const MOVE_KINDS = ["down", "up", "back_in_stock", "sold_out", "new_offer"] as const;
export type MoveKind = (typeof MOVE_KINDS)[number];

type ObservedPrice = Pick<OfferObservation, "priceCents" | "currency" | "availability">;

/**
 * If stock and price have both changed, returns the change of stock. A first price or a new
 * currency is a `new_offer` if the offer is not sold out.
 */
export function moveKindOf(before: ObservedPrice | null, after: ObservedPrice): MoveKind | null {
  const isSoldOut = isInStock(after.availability) === false;
  const wasSoldOut = before !== null && isInStock(before.availability) === false;
  if (before === null) return isSoldOut ? null : "new_offer";
  if (isSoldOut && !wasSoldOut) return "sold_out";
  if (before.currency !== after.currency) return isSoldOut ? null : "new_offer";
  if (wasSoldOut && !isSoldOut) return "back_in_stock";
  if (before.priceCents === after.priceCents) return null;
  return after.priceCents < before.priceCents ? "down" : "up";
}

/** The prices are the shop's prices for a pack of `packFactor` pieces. */
export interface Move {
  readonly kind: MoveKind;
  readonly productId: string;
  readonly matchId: string;
  readonly competitorId: string;
  readonly fromCents: number | null;
  /** The new price; if a sold-out offer shows no price, its last known price. */
  readonly toCents: number;
  readonly currency: string;
  readonly packFactor: number;
  readonly atMs: number;
  /** False if no observation was stored, because the page was gone or showed no price. */
  readonly isObserved: boolean;
  /** If true, earlier moves of the link to `toCents` since `atMs` do not count. */
  readonly isWithdrawn?: true | undefined;
}

function moveId({ kind, matchId, atMs, fromCents, toCents, isWithdrawn }: Move): string {
  return idAt(
    atMs,
    `${isWithdrawn ? "withdrawn" : kind} ${matchId} ${atMs} ${fromCents} ${toCents}`,
  );
}

export function movesBetween(productId: string, before: Offer, after: Offer): Move[] {
  const [was, is] = [priceOf(before), priceOf(after)];
  const kind = is && moveKindOf(was, is);
  if (is === null || kind === null || before === after || !after.enabled) return [];
  const { matchId, competitorId, packFactor, observedAtMs, checkedAtMs } = after;
  const isObserved = before.observedAtMs !== observedAtMs;
  return [{
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
  }];
}

function priceOf({ priceCents, currency, availability }: Offer): ObservedPrice | null {
  if (priceCents === null || currency === null) return null;
  return { priceCents, currency, availability: availability ?? "unknown" };
}

export interface PackedMove extends Omit<Move, "matchId"> {
  readonly linkMark: number | null;
}

export function packedMove({ matchId, ...move }: Move): PackedMove {
  return { ...move, linkMark: idMark(matchId) };
}

/** Returns the stored form of a move; appends a new shop or currency to `shops` or `currencies`. */
function moveRow(move: PackedMove, atMs: number, shops: string[], currencies: string[]) {
  return [
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
    ...move.isWithdrawn ? [1] : [],
  ] as const;
}

type PackedRow = readonly [
  shops: readonly string[],
  currencies: readonly string[],
  moves: readonly ReturnType<typeof moveRow>[],
];

export function encodeMoves(moves: readonly PackedMove[], atMs: number): Uint8Array<ArrayBuffer> {
  const shops: string[] = [];
  const currencies: string[] = [];
  const rows = moves.map((move) => moveRow(move, atMs, shops, currencies));
  return encoder.encode(JSON.stringify([shops, currencies, rows] satisfies PackedRow));
}

export function decodeMoves(bytes: Uint8Array, atMs: number): PackedMove[] {
  const [shops, currencies, rows]: PackedRow = JSON.parse(decoder.decode(bytes));
  return rows.flatMap((row): PackedMove[] => {
    const [productId, shop, kindAt, fromCents, toCents, currencyAt, ...more] = row;
    // Rows of earlier versions of Kurant have no `linkMark`.
    const [packFactor, later, seen, linkMark = null, withdrawn] = more;
    const kind = MOVE_KINDS[kindAt];
    const competitorId = shops[shop];
    const currency = currencies[currencyAt];
    if (kind === undefined || competitorId === undefined || currency === undefined) return [];
    const prices = { fromCents, toCents, currency, packFactor };
    const place = { atMs: atMs + later, isObserved: seen === 1, linkMark };
    const isWithdrawn = withdrawn === 1 && { isWithdrawn: true } as const;
    return [{ kind, productId, competitorId, ...prices, ...place, ...isWithdrawn }];
  });
}

function placeIn(words: string[], word: string): number {
  const place = words.indexOf(word);
  return place >= 0 ? place : words.push(word) - 1;
}
