/** Reads dates as files write them, and the days on which units were sold. */

import { instantOf, isOpenEnd, readDate } from "../../base/german_values.ts";
import { dateIn } from "../../base/time.ts";
import { refusalOfDate } from "../../catalogue/sales/sold_row.ts";
import { shortened } from "../files/finding.ts";
import type { RecordTerms } from "../profiles/profile.ts";
import { FIELD_SLOTS } from "./compiled_profile.ts";
import { FieldValues } from "./field_values.ts";
import type { Frame, RawRecord, RecordFindings } from "./raw_record.ts";

/**
 * `none`: no date, or one that stands for none. `day` is one of the calendar of the workspace;
 * `startsAt` is the instant that the file names, which is the start of the day unless it names more.
 */
export type FileDate =
  | { readonly kind: "none"; readonly isSentinel: boolean }
  | { readonly kind: "day"; readonly day: string; readonly startsAt: string }
  | { readonly kind: "invalid" };

/** Dates repeat in a file, so that readings are kept; a hostile file has no end of them. */
const READINGS_KEPT_MAX = 4_096;

const EMPTY: FileDate = { kind: "none", isSentinel: false };
const SENTINEL: FileDate = { kind: "none", isSentinel: true };

/** Reads the dates of one file as days in the zone of the workspace (docs/decisions/imports.md). */
export class FileDates {
  readonly #formats: readonly string[];
  readonly #sentinels: ReadonlySet<string>;
  readonly #timeZone: string;
  readonly #readings = new Map<string, FileDate>();

  constructor(
    { dateFormats, openEnd }: Pick<RecordTerms, "dateFormats" | "openEnd">,
    timeZone: string,
  ) {
    this.#formats = dateFormats;
    this.#sentinels = new Set(openEnd.map((text) => dayOf(text) ?? text));
    this.#timeZone = timeZone;
  }

  read(text: string | null): FileDate {
    if (text === null || text === "") return EMPTY;
    const known = this.#readings.get(text);
    if (known) return known;
    const reading = this.#judge(text);
    if (this.#readings.size < READINGS_KEPT_MAX) this.#readings.set(text, reading);
    return reading;
  }

  #judge(text: string): FileDate {
    const written = readDate(text);
    const day = "date" in written ? written.date : null;
    if (isOpenEnd(text) || this.#sentinels.has(day ?? text)) return SENTINEL;
    if ("reason" in written || !this.#formats.includes(formatOf(text))) return { kind: "invalid" };
    const startsAt = instantOf(written, this.#timeZone);
    if (written.offset === null) return { kind: "day", day: written.date, startsAt };
    return { kind: "day", day: dateIn(new Date(startsAt), this.#timeZone), startsAt };
  }
}

function dayOf(text: string): string | null {
  const written = readDate(text);
  return "date" in written ? written.date : null;
}

function formatOf(text: string): "D.M.Y" | "Y-M-D" | "YMD" {
  if (text.charAt(4) === "-") return "Y-M-D";
  return /^\d{8}/.test(text) ? "YMD" : "D.M.Y";
}

/** Units of a day on the calendar of the workspace, `2026-11-20`. */
export type FileDay = readonly [date: string, units: number];

interface SoldSetting {
  readonly profile: Pick<RecordTerms, "fields" | "numberFormat">;
  readonly dates: FileDates;
  readonly today: string;
}

/** By date; of two items for one day the last counts. What cannot be used is a warning. */
export function readSoldDays(
  raw: RawRecord,
  setting: SoldSetting,
  findings: RecordFindings,
): FileDay[] {
  raw.gatherSold();
  if (raw.sold.count === 0) return [];
  const days = new Map<string, number>();
  for (let index = 0; index < raw.sold.count; index++) {
    const day = readDay(raw.sold.at(index), setting, findings);
    if (day) days.set(...day);
  }
  return sortedDays(days);
}

/** The days of several records of one product, the later ones last. */
export function joinedDays(...records: readonly (readonly FileDay[])[]): FileDay[] {
  return sortedDays(new Map(records.flat()));
}

function sortedDays(days: ReadonlyMap<string, number>): FileDay[] {
  return [...days].sort(([one], [other]) => one < other ? -1 : 1);
}

/** Null without units: a date alone says nothing. Units without a date are never put on a guessed day. */
function readDay(
  frame: Frame,
  { profile, dates, today }: SoldSetting,
  findings: RecordFindings,
): FileDay | null {
  const fields = new FieldValues(frame, profile.fields, findings);
  const units = fields.units(profile.numberFormat);
  if (units === null || units === undefined) return null;
  const written = fields.written("unitsDate") ?? null;
  const date = dates.read(written);
  const place = fields.place(frame.values[FIELD_SLOTS.unitsDate] ? "unitsDate" : "units");
  if (date.kind === "invalid") {
    const message = `"${shortened(written ?? "")}" is not a date: the units are not used`;
    findings.warn("invalid_date", message, place);
    return null;
  }
  if (date.kind === "none") {
    findings.warn("missing_date", "Units without the day on which they were sold", place);
    return null;
  }
  const refusal = refusalOfDate(date.day, today);
  if (refusal === null) return [date.day, units];
  findings.warn(refusal.code, refusal.message, place);
  return null;
}
