/** A folder on its own small disk, where tests have the right to mount one. */
import { ok } from "node:assert/strict";
import { diskTroubleOf } from "../../src/platform/store/store_trouble.ts";
import { testNeeding } from "../needing.ts";
import type { TestsWith } from "../opened.ts";
import { temporaryFolder } from "../temporary_folder.ts";

function mount(args: readonly string[]): boolean {
  try {
    return new Deno.Command("mount", { args: [...args], stderr: "null" }).outputSync().success;
  } catch {
    // The program `mount` does not exist.
    return false;
  }
}

/** A folder on a disk of `mebibytes` MiB; null without the right to mount one. */
async function smallDisk(mebibytes: number): Promise<({ path: string } & AsyncDisposable) | null> {
  const folder = await temporaryFolder();
  const isMounted = mount(["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", folder.path]);
  if (!isMounted) await folder[Symbol.asyncDispose]();
  return isMounted
    ? {
      path: folder.path,
      async [Symbol.asyncDispose]() {
        const args = ["--lazy", folder.path];
        new Deno.Command("umount", { args, stderr: "null" }).outputSync();
        await folder[Symbol.asyncDispose]();
      },
    }
    : null;
}

const tried = await smallDisk(1);
await tried?.[Symbol.asyncDispose]();

/** Declares tests on a small disk. They are ignored without the right to mount one. */
export function onSmallDisk(mebibytes: number): TestsWith<string> {
  return {
    test: (name, work) =>
      testNeeding(tried ? null : "no right to mount a small disk", {
        name,
        async fn() {
          await using disk = await smallDisk(mebibytes);
          if (disk === null) throw new Error("The small disk cannot be mounted any more");
          await work(disk.path);
        },
      }),
  };
}

/** Changes the options of a small disk, such as `size=24m` or `ro`. */
export function remount(folder: string, options: string): void {
  ok(mount(["-o", `remount,${options}`, folder]));
}

/** Writes a file that fills the disk to the last byte. */
export function fillDisk(path: string): void {
  using file = Deno.openSync(path, { write: true, create: true });
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    const bytes = new Uint8Array(size);
    try {
      for (;;) file.writeSync(bytes);
    } catch (error) {
      if (diskTroubleOf(error) !== "full") throw error;
    }
  }
}
