/** Hostile files of megabytes, made where there is a Python to make them. */
import { equal } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataPath, dataTest } from "./upload_reading.ts";

const python = spawnSync("python3", ["--version"]);

/** A test that reads them by name; listed as ignored without python3. */
export function bigFilesTest(
  name: string,
  needed: string,
  body: (read: (file: string) => Uint8Array<ArrayBuffer>) => Promise<void>,
): void {
  const fullName = `${name} (needs python3)`;
  if (python.status !== 0) return Deno.test({ name: fullName, ignore: true, fn() {} });
  dataTest(fullName, needed, async () => {
    const folder = mkdtempSync(join(tmpdir(), "kurant-hostile-"));
    try {
      const generator = dataPath("xml/hostile/generate.py");
      const made = spawnSync("python3", [generator, folder, "--big"]);
      equal(made.status, 0, String(made.stderr));
      await body((file) => new Uint8Array(readFileSync(join(folder, file))));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
