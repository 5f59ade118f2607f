import { testWith } from "./opened.ts";

/** A folder of a test: for a store, or for files that it writes. */
export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** A new, empty folder; disposing removes it with all that it holds. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await Deno.makeTempDir({ prefix: "kurant-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

export const inFolder = testWith(temporaryFolder);
