/// <reference lib="deno.worker" />
/** A worker that sends requests as fast as the server answers, over connections that stay open. */
import { connectTo } from "../raw_http.ts";

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly authorization: string;
  readonly connections: number;
  readonly ms: number;
}

self.onmessage = async ({ data }: MessageEvent<Load>) => {
  const startedAt = performance.now();
  const endsAt = startedAt + data.ms;
  const counts = await Promise.all(
    Array.from({ length: data.connections }, () => askUntil(data, endsAt)),
  );
  const answers = counts.reduce((sum, count) => sum + count, 0);
  self.postMessage(answers / (performance.now() - startedAt) * 1_000);
};

async function askUntil(load: Load, endsAt: number): Promise<number> {
  const { port, path, authorization } = load;
  using connection = await connectTo(`http://127.0.0.1:${port}`);
  connection.setNoDelay();
  const request = new TextEncoder().encode(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  const buffer = new Uint8Array(1 << 20);
  let answers = 0;
  while (performance.now() < endsAt) {
    await connection.write(request);
    await readAnswer(connection, buffer);
    answers++;
  }
  return answers;
}

async function readAnswer(connection: Deno.Conn, buffer: Uint8Array): Promise<void> {
  let filled = 0;
  for (let wanted = Infinity; filled < wanted;) {
    const read = await connection.read(buffer.subarray(filled));
    if (read === null) throw new Error("The server hung up");
    filled += read;
    if (wanted === Infinity) wanted = lengthOf(buffer.subarray(0, filled));
  }
}

function lengthOf(bytes: Uint8Array): number {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 4_096));
  const end = head.indexOf("\r\n\r\n");
  if (end < 0) return Infinity;
  if (!head.startsWith("HTTP/1.1 200")) throw new Error(`Answered ${head.slice(0, 200)}`);
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  if (!length) throw new Error("The answer has no Content-Length");
  return end + 4 + Number(length[1]);
}
