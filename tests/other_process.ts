/** What the kernel counts of another process, for Linux: a busy machine changes it less than the time it took. */

const TICK_MS = 10;

/** Processor time of all its threads since it began. */
export async function processorMs(pid: number): Promise<number> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/**
 * MiB of memory that it holds (`VmRSS`), or has held at most (`VmHWM`); null if the kernel has no
 * `/proc`, and for a process that has ended.
 */
export async function memoryMib(pid: number, name: "VmRSS" | "VmHWM"): Promise<number | null> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1_024;
  } catch {
    // Whoever asks says what that means.
    return null;
  }
}

/** Bytes that it has handed to files and sockets since it began, each as often as it wrote it. */
export async function writtenBytes(pid: number): Promise<number> {
  const io = await Deno.readTextFile(`/proc/${pid}/io`);
  return Number(/^wchar: (\d+)/m.exec(io)?.[1]);
}
