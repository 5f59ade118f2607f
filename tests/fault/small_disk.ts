/** A folder on its own small disk, where tests have the right to mount one. */
import { testNeeding } from "../needing.ts";
import { temporaryFolder } from "../temporary_folder.ts";

export function mount(args: readonly string[]): boolean {
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

/** A test on a small disk. It is ignored without the right to mount one. */
export function smallDiskTest(
  name: string,
  mebibytes: number,
  work: (folder: string) => Promise<void>,
): void {
  testNeeding(tried ? null : "no right to mount a small disk", {
    name,
    async fn() {
      await using disk = await smallDisk(mebibytes);
      if (disk === null) throw new Error("The small disk cannot be mounted any more");
      await work(disk.path);
    },
  });
}
