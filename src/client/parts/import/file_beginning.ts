/** A file up to here is sent whole. */
const WHOLE_BYTES = 4 * 1_048_576;
const BEGINNING_BYTES = 1_048_576;
const LINE_FEED = 10;

/** The first lines of a long file of lines; a short one as it is. */
export async function beginningOf(file: File): Promise<Blob> {
  if (file.size <= WHOLE_BYTES) return file;
  const bytes = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer());
  if (isPacked(bytes)) return file;
  const end = bytes.lastIndexOf(LINE_FEED) + 1;
  // Behind the line feed of UTF-16 stands a zero.
  return end === 0 || bytes[end] === 0 || bytes[end - 2] === 0 ? file : file.slice(0, end);
}

/** gzip, ZIP: a part of it says nothing. */
function isPacked([first, second]: Uint8Array): boolean {
  return (first === 0x1f && second === 0x8b) || (first === 0x50 && second === 0x4b);
}
