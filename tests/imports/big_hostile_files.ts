/** Hostile files of several megabytes: ours are generated here, those of the collection by Python. */
import { equal } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { testNeeding } from "../needing.ts";
import { COLLECTION, missingInCollection, OWN_DATA, type SampleData } from "../sample_data.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const python = spawnSync("python3", ["--version"]);
const MEGABYTES = 3_000_000;

type Read = (file: string) => Uint8Array<ArrayBuffer>;

/** Declares a test for our files and one for those of the collection; `read` returns a file by name. */
export function bigFilesTest(
  name: string,
  needed: string,
  run: (data: SampleData, read: Read) => Promise<void>,
): void {
  Deno.test(name, () => run(OWN_DATA, made));
  const missing = python.status === 0 ? missingInCollection(needed) : "python3 is not installed";
  testNeeding(missing, {
    name: `${name}: the collection`,
    async fn() {
      await using folder = await temporaryFolder();
      const generator = COLLECTION.path("xml/hostile/generate.py");
      const generated = spawnSync("python3", [generator, folder.path, "--big"]);
      equal(generated.status, 0, String(generated.stderr));
      await run(COLLECTION, (file) => new Uint8Array(readFileSync(`${folder.path}/${file}`)));
    },
  });
}

const OWN_FILES: Readonly<Record<string, () => string>> = {
  "deep.xml": () => "<a>".repeat(MEGABYTES / 7) + "</a>".repeat(MEGABYTES / 7),
  "long-attribute.xml": () => `<ITEMS a="${"x".repeat(MEGABYTES)}"/>`,
  "long-text.xml": () => `<ITEMS><ITEM><SKU>${"x".repeat(MEGABYTES)}</SKU></ITEM></ITEMS>`,
};

function made(file: string): Uint8Array<ArrayBuffer> {
  const make = OWN_FILES[file];
  if (!make) throw new Error(`No big file is named ${file}`);
  return new TextEncoder().encode(make());
}
