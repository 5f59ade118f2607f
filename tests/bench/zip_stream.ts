import { configure, ZipWriterStream } from "@zip.js/zip.js";

configure({ useWebWorkers: false });

type StreamedFile = readonly [name: string, content: AsyncIterable<Uint8Array>];

/** Writes a ZIP archive as a stream. Sizes and checksums follow the data. */
export async function* zipStream(...files: readonly StreamedFile[]): AsyncGenerator<Uint8Array> {
  const zip = new ZipWriterStream({ zip64: false, level: 6 });
  const writing = (async () => {
    for (const [name, content] of files) {
      await ReadableStream.from(content).pipeTo(zip.writable(name));
    }
    await zip.close();
  })();
  yield* zip.readable;
  await writing;
}
