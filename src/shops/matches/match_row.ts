/** Matches and references to them are packed bytes, because there are millions of matches. */
import { decoder, encoder } from "../../base/bytes.ts";
import { idText } from "../../base/id.ts";
import type { Match, Visit } from "./match.ts";

const ID_BYTES = 12;

/** The fields after the two ids. Trailing defaults are omitted. Times are in milliseconds. */
type Tail = [
  url: string,
  createdAt: number | string,
  updatedAt: number | string,
  source: Match["source"],
  matchType: Match["matchType"],
  packFactor: number,
  enabled: boolean,
  disabledBy: Match["disabledBy"],
  extractor: Match["extractor"],
  noPrice: boolean,
  visit: Visit,
];
/** Defaults of the fields from `matchType` on. */
const DEFAULTS = ["exact", 1, true, null, null, false, "now"] as const;
const DEFAULTS_FROM = 4;

export function packMatch(match: Match): Uint8Array {
  const {
    id,
    productId: _inKey,
    competitorId,
    url,
    createdAt,
    updatedAt,
    source,
    matchType,
    packFactor,
    enabled,
    disabledBy,
    extractor,
    noPrice = false,
    visit = "now",
    ...others
  } = match;
  // If a match gets a new field that is not packed here, this line does not compile.
  others satisfies Record<string, never>;
  const tail: Tail = [
    url,
    packTime(createdAt),
    packTime(updatedAt),
    source,
    matchType,
    packFactor,
    enabled,
    disabledBy,
    extractor,
    noPrice,
    visit,
  ];
  let end: number = tail.length;
  while (end > DEFAULTS_FROM && tail[end - 1] === DEFAULTS[end - 1 - DEFAULTS_FROM]) end--;
  const text = encoder.encode(JSON.stringify(tail.slice(0, end)));
  const bytes = new Uint8Array(2 * ID_BYTES + text.length);
  bytes.set(Uint8Array.fromHex(id + competitorId));
  bytes.set(text, 2 * ID_BYTES);
  return bytes;
}

export function unpackMatch(productId: string, row: Uint8Array): Match {
  const tail: Tail = JSON.parse(decoder.decode(row.subarray(2 * ID_BYTES)));
  const [type, factor, isEnabled, nobody, none, isPriceless, soon] = DEFAULTS;
  const [url, createdAt, updatedAt, source, matchType = type, packFactor = factor, ...rest] = tail;
  const [enabled = isEnabled, disabledBy = nobody, extractor = none, ...last] = rest;
  const [noPrice = isPriceless, visit = soon] = last;
  return {
    id: idText(row.subarray(0, ID_BYTES)),
    productId,
    competitorId: idText(row.subarray(ID_BYTES, 2 * ID_BYTES)),
    url,
    enabled,
    disabledBy,
    matchType,
    packFactor,
    source,
    extractor,
    createdAt: unpackTime(createdAt),
    updatedAt: unpackTime(updatedAt),
    ...(noPrice && { noPrice }),
    ...(visit !== soon && { visit }),
  };
}

/** 32 hex characters. */
export interface Place {
  readonly productId: string;
  readonly urlHash: string;
}

export function packPlace({ productId, urlHash }: Place): Uint8Array {
  return Uint8Array.fromHex(productId + urlHash);
}

export function unpackPlace(row: Uint8Array): Place {
  return { productId: idText(row.subarray(0, ID_BYTES)), urlHash: row.subarray(ID_BYTES).toHex() };
}

/** A time stays text if it is not in the form of `toISOString`. */
function packTime(time: string): number | string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) || new Date(ms).toISOString() !== time ? time : ms;
}

function unpackTime(time: number | string): string {
  return typeof time === "number" ? new Date(time).toISOString() : time;
}
