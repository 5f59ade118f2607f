/**
 * Gives tests their sample files: a few of each kind from `tests/fixtures`, and many from the
 * folder `TEST_DATA_DIR`, which has the same layout.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { env } from "node:process";
import { testNeeding } from "./needing.ts";

export class SampleData {
  readonly folder: string;
  readonly isOwn: boolean;

  constructor(folder: string, isOwn: boolean) {
    this.folder = folder;
    this.isOwn = isOwn;
  }

  path(name: string): string {
    return `${this.folder}/${name}`;
  }

  has(name: string): boolean {
    return existsSync(this.path(name));
  }

  bytes(name: string): Uint8Array<ArrayBuffer> {
    return new Uint8Array(readFileSync(this.path(name)));
  }

  json<T>(name: string): T {
    return JSON.parse(new TextDecoder().decode(this.bytes(name)));
  }

  only(folder: string, name: RegExp): string {
    const [found, ...more] = readdirSync(this.path(folder)).filter((each) => name.test(each));
    if (found === undefined || more.length > 0) throw new Error(`${folder}: not one file ${name}`);
    return `${folder}/${found}`;
  }
}

export const OWN_DATA = new SampleData(new URL("fixtures", import.meta.url).pathname, true);
export const COLLECTION = new SampleData(env.TEST_DATA_DIR ?? "../shared/data", false);

export function missingInCollection(needed: string): string | null {
  return COLLECTION.has(needed) ? null : `TEST_DATA_DIR has no ${needed}`;
}

/** Declares one test for the files in `tests/fixtures` and one for those in `TEST_DATA_DIR`. */
export function dataTest(
  name: string,
  needed: string,
  run: (data: SampleData, test: Deno.TestContext) => void | Promise<void>,
): void {
  Deno.test(name, (test) => run(OWN_DATA, test));
  testNeeding(missingInCollection(needed), {
    name: `${name}: the collection`,
    fn: (test) => run(COLLECTION, test),
  });
}

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
