/** Sends raw requests over a socket, for bytes that `fetch` refuses to send. */

import { PATIENCE_MS } from "./patience.ts";

/** A response. `status` is 0 if no complete response head arrived. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const CHUNK_BYTES = 65_536;

export function connectTo(base: string): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(base);
  return Deno.connect({ hostname, port: Number(port) });
}

/** Sends all bytes without closing the connection. */
export async function sendOn(
  connection: Deno.TcpConn,
  bytes: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  await new Blob([bytes]).stream().pipeTo(connection.writable, { preventClose: true });
}

/** Returns the next bytes as text; empty if the server has closed the connection. */
export async function readSome(connection: Deno.TcpConn): Promise<string> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  const length = await connection.read(buffer);
  return new TextDecoder().decode(buffer.subarray(0, length ?? 0));
}

export async function readToEnd(connection: Deno.TcpConn): Promise<string> {
  return await new Response(connection.readable).text();
}

/**
 * Sends raw bytes and reads one response. If the response stays incomplete for minutes, closes the
 * connection and returns what has arrived.
 */
export async function exchange(
  base: string,
  request: string | Uint8Array<ArrayBuffer>,
): Promise<RawAnswer> {
  using connection = await connectTo(base);
  const deadline = setTimeout(() => connection.close(), PATIENCE_MS);
  try {
    // If the server refuses the body, it may close the connection before all bytes are sent.
    const sent = sendOn(connection, request).catch(() => {});
    const answer = await readAnswer(connection);
    if (answer.status >= 400 || answer.status === 0) connection[Symbol.dispose]();
    await sent;
    return answer;
  } finally {
    clearTimeout(deadline);
  }
}

async function readAnswer(connection: Deno.TcpConn): Promise<RawAnswer> {
  const decoder = new TextDecoder("latin1");
  const buffer = new Uint8Array(CHUNK_BYTES);
  let text = "";
  while (!isWhole(text)) {
    const length = await connection.read(buffer).catch(() => null);
    if (length === null) break;
    text += decoder.decode(buffer.subarray(0, length));
  }
  return parseAnswer(text);
}

function isWhole(text: string): boolean {
  const { headers, body, status } = parseHead(text);
  if (status === 0) return false;
  const length = headers.get("Content-Length");
  if (length !== null) return body.length >= Number(length);
  if (headers.get("Transfer-Encoding") === "chunked") return body.endsWith("0\r\n\r\n");
  return status === 204 || status === 304;
}

function parseAnswer(text: string): RawAnswer {
  const answer = parseHead(text);
  const isChunked = answer.headers.get("Transfer-Encoding") === "chunked";
  return { ...answer, body: isChunked ? joinChunks(answer.body) : answer.body };
}

function parseHead(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return { status: 0, headers: new Headers(), body: "" };
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Headers(lines.map((line): [string, string] => {
    const at = line.indexOf(":");
    return [line.slice(0, at), line.slice(at + 1).trim()];
  }));
  return { status: Number(first.split(" ")[1]), headers, body: text.slice(end + 4) };
}

function joinChunks(text: string): string {
  let body = "";
  for (let rest = text;;) {
    const line = rest.indexOf("\r\n");
    const size = parseInt(rest.slice(0, line), 16);
    if (line < 0 || !(size > 0)) return body;
    body += rest.slice(line + 2, line + 2 + size);
    rest = rest.slice(line + 2 + size + 2);
  }
}
