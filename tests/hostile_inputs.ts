/** Hostile inputs from the sample files, by kind. */
import type { SampleData } from "./sample_data.ts";

export interface HostileInput {
  readonly kind: string;
  readonly value: string;
  readonly expect: string;
  readonly note: string;
}

interface Row {
  readonly kind: string;
  readonly value: string | { prefix?: string; repeat: string; times: number };
  readonly expect: string;
  readonly note?: string;
}

export const HOSTILE_INPUTS = "hostile/inputs.json";

export function hostileInputs(data: SampleData, kind: string): HostileInput[] {
  const rows = data.json<Row[]>(HOSTILE_INPUTS);
  return rows.filter((row) => row.kind === kind).map((row) => ({
    kind,
    expect: row.expect,
    note: row.note ?? "",
    value: typeof row.value === "string"
      ? row.value
      : (row.value.prefix ?? "") + row.value.repeat.repeat(row.value.times),
  }));
}
