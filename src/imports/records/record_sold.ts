/** What a record says of what was sold: each day of it with its units (docs/decisions/sales.md). */
import { refusalOfDate } from "../../catalogue/sales/sold_row.ts";
import { shortened } from "../files/finding.ts";
import type { RecordTerms } from "../profiles/profile.ts";
import { FIELD_SLOTS } from "./compiled_profile.ts";
import { FieldValues } from "./field_values.ts";
import type { FileDates } from "./file_date.ts";
import type { Frame, RawRecord } from "./raw_record.ts";
import type { RecordFindings } from "./record_findings.ts";

/** Units of a day on the calendar of the workspace, `2026-11-20`. */
export type FileDay = readonly [date: string, units: number];

/** What days are judged by. */
export interface SoldSetting {
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
