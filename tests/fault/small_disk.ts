/** Mounts a small disk for a test's folder, if the process has the right to mount a disk. */
import { ok } from "node:assert/strict";
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

function unmount(path: string): void {
  new Deno.Command("umount", { args: ["--lazy", path], stderr: "null" }).outputSync();
}

async function smallDisk(mebibytes: number): Promise<TemporaryFolder> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryFolder());
  ok(mount(["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", path]));
  stack.defer(() => unmount(path));
  const mounted = stack.move();
  return { path, [Symbol.asyncDispose]: () => mounted.disposeAsync() };
}

async function mayMount(): Promise<boolean> {
  await using folder = await temporaryFolder();
  const isMounted = mount(["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.path]);
  if (isMounted) unmount(folder.path);
  return isMounted;
}

const missing = await mayMount() ? null : "no right to mount a small disk";

/** Declares tests on a small disk. They are ignored without the right to mount a disk. */
export const onSmallDisk = (mebibytes: number) => testWith(() => smallDisk(mebibytes), missing);

export function remount(folder: string, options: string): void {
  ok(mount(["-o", `remount,${options}`, folder]));
}

export function fillDisk(path: string): void {
  using file = Deno.openSync(path, { write: true, create: true });
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    const bytes = new Uint8Array(size);
    try {
      for (;;) file.writeSync(bytes);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }
}
