/** What a process has used of the processor, which a busy machine changes less than the time it took. */

const TICK_MS = 10;

/** All threads of a process since it began, by the kernel's own count; for Linux. */
export async function processorMs(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The server that holds the store of a folder. */
export async function serverPid(dataDir: string): Promise<number> {
  return JSON.parse(await Deno.readTextFile(`${dataDir}/kurant.lock`)).pid;
}
