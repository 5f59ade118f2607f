/** A folder on its own small disk, where tests have the right to mount one. */
import { ok } from "node:assert/strict";
import { diskTroubleOf } from "../../src/platform/store/store_trouble.ts";
import { testWith } from "../opened.ts";
import { type TemporaryFolder, temporaryFolder } from "../temporary_folder.ts";

function mount(args: readonly string[]): boolean {
  try {
    return new Deno.Command("mount", { args: [...args], stderr: "null" }).outputSync().success;
  } catch {
    // The program `mount` does not exist.
    return false;
  }
}

/** A folder on a disk of `mebibytes` MiB. Fails without the right to mount one. */
async function smallDisk(mebibytes: number): Promise<TemporaryFolder> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryFolder());
  ok(mount(["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", path]));
  const args = ["--lazy", path];
  stack.defer(() => void new Deno.Command("umount", { args, stderr: "null" }).outputSync());
  const mounted = stack.move();
  return { path, [Symbol.asyncDispose]: () => mounted.disposeAsync() };
}

const missing = await smallDisk(1).then(
  (disk) => disk[Symbol.asyncDispose]().then(() => null),
  () => "no right to mount a small disk",
);

/** Declares tests on a small disk. They are ignored without the right to mount one. */
export const onSmallDisk = (mebibytes: number) => testWith(() => smallDisk(mebibytes), missing);

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
