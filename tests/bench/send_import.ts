/** Sends files of any size to a running server, and waits for their imports. */
import { request } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { LiveServer } from "../program.ts";
import { untilSucceeded } from "./slices.ts";
import { configure, ZipWriterStream } from "@zip.js/zip.js";

const POLL_MS = 250;

export interface SentFile {
  readonly type: string;
  readonly bytes: number;
  make(): AsyncIterable<Uint8Array>;
}

/** Generates the whole file to learn its length; the upload generates it again. */
export async function weighFile(type: string, make: SentFile["make"]): Promise<SentFile> {
  let bytes = 0;
  for await (const chunk of make()) bytes += chunk.length;
  return { type, bytes, make };
}

/** Throws if the import fails. `query` begins with `?`. */
export async function sendImport(
  live: LiveServer,
  file: SentFile,
  query = "",
): Promise<{ readonly inserted: number; readonly updated: number; readonly skipped: number }> {
  const jobId = await send(live, file, query);
  return (await untilSucceeded(live.owner, `/api/imports/${jobId}`, POLL_MS)).stats;
}

/** Avoids `fetch`, which sends large chunks that the server reads more and more slowly. */
function send({ url, cookie }: LiveServer, { type, bytes, make }: SentFile, query: string) {
  const framing = { "Content-Type": type, "Content-Length": bytes };
  const headers = { ...framing, Cookie: cookie, Prefer: "respond-async" };
  return new Promise<string>((resolve, reject) => {
    const sending = request(`${url}/api/imports${query}`, { method: "POST", headers }, (answer) => {
      text(answer).then((json) => {
        if (answer.statusCode === 202) resolve(JSON.parse(json).jobId);
        else reject(new Error(`The upload is answered ${answer.statusCode}: ${json}`));
      }).catch(reject);
    });
    sending.on("error", reject);
    Readable.from(make()).pipe(sending);
  });
}

configure({ useWebWorkers: false });

type StreamedFile = readonly [name: string, content: AsyncIterable<Uint8Array>];

/** Streams a ZIP archive, in which sizes and checksums come after the data of each file. */
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
