/** The moves of one commit as the bytes of one row, some 70 a move. */
import { idMark } from "../../base/id.ts";
import { type Move, MOVE_KINDS } from "./move.ts";

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
