import { testWith } from "./opened.ts";

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await Deno.makeTempDir({ prefix: "kurant-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

export async function folderCopy(path: string): Promise<TemporaryFolder> {
  const copy = await temporaryFolder();
  for (const name of namesIn(path)) await Deno.copyFile(`${path}/${name}`, `${copy.path}/${name}`);
  return copy;
}

export function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

export const inFolder = testWith(temporaryFolder);
