/** Larger ones are refused by the service. */
export const FILE_BYTES_MAX = 8 * 1024 * 1024;

/** How many lines have something on them; a first one without a page is a header. */
export function countLines(text: string): number {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const hasHead = lines.length > 1 && lines[0]?.includes("/") === false;
  return hasHead ? lines.length - 1 : lines.length;
}

/** What a file says: UTF-8 or, where it is none, what Windows writes. */
export async function textOfFile(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Every byte is a letter there, so nothing is lost by trying it last.
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
