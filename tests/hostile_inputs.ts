/** The hostile inputs of the test data; without the folder the tests that need them are shown as ignored. */

/** One input: `expect` says how it must end, `note` what the word means here. */
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

const FILE = `${Deno.env.get("TEST_DATA_DIR") ?? "../shared/data"}/hostile/inputs.json`;

/** All inputs of a kind; null without the test data. */
export function hostileInputs(kind: string): HostileInput[] | null {
  let rows: Row[];
  try {
    rows = JSON.parse(Deno.readTextFileSync(FILE));
  } catch {
    // Not there: the names of the tests say so.
    return null;
  }
  return rows.filter((row) => row.kind === kind).map((row) => ({
    kind,
    expect: row.expect,
    note: row.note ?? "",
    value: typeof row.value === "string"
      ? row.value
      : (row.value.prefix ?? "") + row.value.repeat.repeat(row.value.times),
  }));
}
