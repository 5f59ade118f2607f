/** A date of the calendar as a file wrote it, `2025-12-31`, with its time of day, if it has one. */
export interface WrittenDate {
  readonly date: string;
  /** `23:59:00`; null when the file gives the day alone. */
  readonly time: string | null;
  /** `Z` or `+02:00`; null when the time is local. */
  readonly offset: string | null;
}

const DATE =
  /(?:(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})|(\d{4})-(\d{2})-(\d{2})|(\d{4})(\d{2})(\d{2}))/;
const TIME = /(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?: Uhr)?|(\d{2})(\d{2})(\d{2})/;
const OFFSET = /Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d/;
const FORM = new RegExp(`^${DATE.source}(?:[T ] ?(?:${TIME.source}))?(?: ?(${OFFSET.source}))?$`);

const TEXT_CHARACTERS_MAX = 64;
const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads `31.12.2025`, `1.1.25`, `2025-12-31` and `20251231`, each with an optional time
 * (docs/decisions/imports.md). Years of two digits from 70 on lie in the last century. Refuses days
 * that the calendar lacks, and never throws.
 */
export function readDate(text: string): WrittenDate | { readonly reason: "invalid_date" } {
  const numbers = dateNumbers(text);
  if (!numbers || !isOnCalendar(numbers) || numbers.time === "invalid") {
    return { reason: "invalid_date" };
  }
  const { year, month, day, time, offset } = numbers;
  return { date: `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`, time, offset };
}

/**
 * True for what stands for "without end" in price lists: 31.12.9999 and 00.00.0000, in every form
 * that `readDate` knows, with any time.
 */
export function isOpenEnd(text: string): boolean {
  const numbers = dateNumbers(text);
  if (!numbers) return false;
  const { year, month, day, hasLongYear } = numbers;
  const isLastDay = year === 9999 && month === 12 && day === 31;
  return isLastDay || (hasLongYear && year === 0 && month === 0 && day === 0);
}

/** The instant of a date without time is the start of its day. ISO 8601 UTC with milliseconds. */
export function instantOf({ date, time, offset }: WrittenDate, timeZone: string): string {
  const local = `${date}T${time ?? "00:00:00"}`;
  const instant = offset === null
    ? Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).toInstant()
    : Temporal.Instant.from(local + offset);
  return instant.toString({ fractionalSecondDigits: 3 });
}

/** The instant at which the day of `at` began where that zone is. ISO 8601 UTC with milliseconds. */
export function startOfDay(at: Date, timeZone: string): string {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  return day.startOfDay().toInstant().toString({ fractionalSecondDigits: 3 });
}

interface DateNumbers {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hasLongYear: boolean;
  readonly time: string | null;
  readonly offset: string | null;
}

function dateNumbers(text: string): DateNumbers | null {
  if (text.length > TEXT_CHARACTERS_MAX) return null;
  const parts = FORM.exec(text.trim());
  if (!parts) return null;
  const year = parts[3] ?? parts[4] ?? parts[7] ?? "";
  return {
    year: year.length === 2 ? Number(year) + (year < "70" ? 2000 : 1900) : Number(year),
    month: Number(parts[2] ?? parts[5] ?? parts[8]),
    day: Number(parts[1] ?? parts[6] ?? parts[9]),
    hasLongYear: year.length === 4,
    time: timeText(parts[10] ?? parts[13], parts[11] ?? parts[14], parts[12] ?? parts[15] ?? "00"),
    offset: parts[16] ?? null,
  };
}

function timeText(hour: string | undefined, minute: string | undefined, second: string) {
  if (hour === undefined || minute === undefined) return null;
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  return isTime ? `${hour.padStart(2, "0")}:${minute}:${second}` : "invalid";
}

function isOnCalendar({ year, month, day }: DateNumbers): boolean {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : DAYS_OF_MONTHS[month - 1];
  return year >= 1 && days !== undefined && day >= 1 && day <= days;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
