import { type Finding, type FindingCode, findingOf } from "../files/finding.ts";
import type { Frame } from "./raw_record.ts";

/** One record cannot fill the report: beyond these its findings are not told. */
const FINDINGS_MAX = 200;

/** A value of a record that a finding is about. */
export interface Place {
  readonly line: number;
  readonly field: string | null;
  readonly value: string | null;
}

/** What is wrong with a row before its values are judged. */
export interface RowTrouble extends Pick<Finding, "severity" | "code" | "message"> {
  readonly place: Partial<Place>;
}

/** What is wrong with one record, in the order in which it was found. */
export class RecordFindings {
  readonly list: Finding[] = [];
  isRefused = false;
  readonly #file: string;
  readonly #index: number;
  readonly #line: number;
  #sku: string | null = null;

  constructor(file: string, index: number, line: number) {
    this.#file = file;
    this.#index = index;
    this.#line = line;
  }

  set sku(sku: string) {
    this.#sku = sku;
  }

  take({ severity, code, message, place }: RowTrouble): void {
    if (severity === "error") this.refuse(code, message, place);
    else this.warn(code, message, place);
  }

  /** The record is imported without this value. */
  warn(code: FindingCode, message: string, place: Partial<Place> = {}): void {
    this.#add("warning", code, message, place);
  }

  /** As `warn`, but told for the first place of the record alone. */
  warnOnce(code: FindingCode, message: string, place: Partial<Place> = {}): void {
    if (!this.list.some((finding) => finding.code === code)) this.warn(code, message, place);
  }

  /** The record is not imported. */
  refuse(code: FindingCode, message: string, place: Partial<Place> = {}): void {
    this.isRefused = true;
    this.#add("error", code, message, place);
  }

  #add(
    severity: Finding["severity"],
    code: FindingCode,
    message: string,
    { line = this.#line, field, value }: Partial<Place>,
  ): void {
    if (this.list.length >= FINDINGS_MAX && severity === "warning") return;
    const place = { index: this.#index, file: this.#file, line, sku: this.#sku, field, value };
    this.list.push(findingOf(severity, code, message, place));
  }
}

/** Where the value of a slot stood. */
export function placeOf(frame: Frame, slot: number): Place {
  return {
    line: frame.lines[slot] ?? 0,
    field: frame.names[slot] ?? null,
    value: frame.values[slot] ?? null,
  };
}
