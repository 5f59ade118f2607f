/** A folder with a small disk of its own, where an administrator allows it. */

/** True when it is mounted. */
export function mount(args: readonly string[]): boolean {
  try {
    return new Deno.Command("mount", { args: [...args], stderr: "null" }).outputSync().success;
  } catch {
    // There is no such program here.
    return false;
  }
}

export function unmount(path: string): void {
  new Deno.Command("umount", { args: ["--lazy", path], stderr: "null" }).outputSync();
}

/** Only an administrator of a system that allows it can give a folder a small disk of its own. */
function canMount(): boolean {
  const path = Deno.makeTempDirSync({ prefix: "kurant-test-" });
  const isMounted = mount(["-t", "tmpfs", "-o", "size=1m", "tmpfs", path]);
  if (isMounted) unmount(path);
  Deno.removeSync(path);
  return isMounted;
}

/** False where tests have no right to mount. */
export const isPossible = canMount();
