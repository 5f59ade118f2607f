/** Months as keys have them: 202611 is November 2026. */

/** Of `2026-11-20`. */
export function monthOf(date: string): number {
  return Number(date.slice(0, 4) + date.slice(5, 7));
}

/** 20 of `2026-11-20`. */
export function dayOf(date: string): number {
  return Number(date.slice(8));
}

/** `2026-11-20` of 202611 and 20. */
export function dateOf(month: number, day: number): string {
  const text = String(month);
  return `${text.slice(0, 4)}-${text.slice(4)}-${String(day).padStart(2, "0")}`;
}

/** The months from one date to another. */
export function monthsBetween(from: string, to: string): number[] {
  const months: number[] = [];
  let [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))];
  const last = monthOf(to);
  while (year * 100 + month <= last) {
    months.push(year * 100 + month);
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  }
  return months;
}
