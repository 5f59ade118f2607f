import { FileError, type FileFault } from "../../../src/imports/files/source_file.ts";

/** Cuts a text at the given positions, modulo its length. */
export function cutAt(text: string, cuts: readonly number[]): string[] {
  const at = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return at.slice(1).map((end, n) => text.slice(at[n], end));
}

export function faultOf(
  splitter: { write(text: string): void; end(): void },
  pieces: Iterable<string>,
): FileFault | null {
  try {
    for (const piece of pieces) splitter.write(piece);
    splitter.end();
    return null;
  } catch (error) {
    if (error instanceof FileError) return error.fault;
    throw error;
  }
}
