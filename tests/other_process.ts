/**
 * CPU time, memory and written bytes of another process on Linux. The values depend little on the
 * load of the machine.
 */

const TICK_MS = 10;

/** CPU time of all threads since the process started. */
export async function processorMs(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/**
 * Memory in MiB: current (`VmRSS`) or maximum (`VmHWM`). Null without `/proc`, or if the process
 * has ended.
 */
export async function memoryMib(pid: number, name: "VmRSS" | "VmHWM"): Promise<number | null> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1_024;
  } catch {
    return null;
  }
}

/** Bytes written to files and sockets since the process started. */
export async function writtenBytes(pid: number): Promise<number> {
  const io = await Deno.readTextFile(`/proc/${pid}/io`);
  return Number(/^wchar: (\d+)/m.exec(io)?.[1]);
}
