/** The days of a month as bytes: a day takes 13 at most, and 5 to 8 of most series. */

/** Where a group of products stood on a day. */
export interface DayFigures {
  readonly cheapest: number;
  readonly middle: number;
  readonly dearest: number;
  /** With 2 decimals; null where none was compared. */
  readonly indexPct: number | null;
}

/** By the day of the month, 1 to 31. */
export type Days<T> = ReadonlyMap<number, T>;

/** In the order of days. */
export function encodeDays(days: Days<DayFigures>): Uint8Array<ArrayBuffer> {
  return encodeNumbers(
    days,
    ({ cheapest, middle, dearest, indexPct }) => [
      cheapest,
      middle,
      dearest,
      indexPct === null ? 0 : Math.round(indexPct * 100) + 1,
    ],
  );
}

/** The inverse of `encodeDays`. */
export function decodeDays(bytes: Uint8Array): Map<number, DayFigures> {
  return decodeNumbers(bytes, 4, ([cheapest = 0, middle = 0, dearest = 0, index = 0]) => ({
    cheapest,
    middle,
    dearest,
    indexPct: index === 0 ? null : (index - 1) / 100,
  }));
}

/** Whole numbers from 0 on, one a day. */
export function encodeTimes(days: Days<number>): Uint8Array<ArrayBuffer> {
  return encodeNumbers(days, (time) => [time]);
}

/** The inverse of `encodeTimes`. */
export function decodeTimes(bytes: Uint8Array): Map<number, number> {
  return decodeNumbers(bytes, 1, ([time = 0]) => time);
}

function encodeNumbers<T>(
  days: Days<T>,
  numbersOf: (value: T) => readonly number[],
): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  const put = (number: number) => {
    let rest = number;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(rest % 128 + 128);
    bytes.push(rest);
  };
  for (const [day, value] of [...days].sort(([a], [b]) => a - b)) {
    put(day);
    for (const number of numbersOf(value)) put(number);
  }
  return Uint8Array.from(bytes);
}

function decodeNumbers<T>(
  bytes: Uint8Array,
  count: number,
  valueOf: (numbers: readonly number[]) => T,
): Map<number, T> {
  const days = new Map<number, T>();
  let at = 0;
  const take = () => {
    let number = 0;
    for (let scale = 1; at < bytes.length; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      number += byte % 128 * scale;
      if (byte < 128) break;
    }
    return number;
  };
  while (at < bytes.length) {
    const day = take();
    days.set(day, valueOf(Array.from({ length: count }, take)));
  }
  return days;
}
