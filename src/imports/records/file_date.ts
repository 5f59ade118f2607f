import { instantOf, isOpenEnd, readDate } from "../../base/date_de.ts";
import { dateIn } from "../../base/local_date.ts";
import type { RecordTerms } from "../profiles/profile.ts";

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
