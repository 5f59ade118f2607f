/** Sends one request to a checked address. */
import { joinedBytes } from "../../base/bytes.ts";
import { readAnswer, type WireAnswer } from "./safe_fetch_answer.ts";
import { type Deadline, FetchTrouble, hostOf, portOf } from "./fetch_limits.ts";
import {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type Gunzip,
  type Inflate,
  type InflateRaw,
} from "node:zlib";

export interface Message {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export type Dial = (address: string, port: number) => {
  readonly address: string;
  readonly port: number;
};

export type Answer = WireAnswer & Disposable;

export async function exchange(
  url: URL,
  addresses: readonly string[],
  message: Message,
  { dial, deadline }: { readonly dial: Dial; readonly deadline: Deadline },
): Promise<Answer> {
  let trouble: unknown = new FetchTrouble("unreachable", `"${url.host}" cannot be reached`);
  for (const address of addresses) {
    try {
      return await ask(url, dial(address, portOf(url)), message, deadline);
    } catch (error) {
      if (!(error instanceof NotConnected) || deadline.leftMs === 0) throw troubleOf(url, error);
      trouble = error;
    }
  }
  throw troubleOf(url, trouble);
}

/** The connection failed before anything was sent, so another address may be tried. */
class NotConnected extends Error {}

async function ask(
  url: URL,
  peer: ReturnType<Dial>,
  message: Message,
  deadline: Deadline,
): Promise<Answer> {
  const parts = partsOf(url, message);
  const tcp = await connect(peer, deadline);
  // Closing the TLS connection also closes the TCP connection, even after a failed handshake.
  let connection: Deno.Conn = tcp;
  const close = () => connection.close();
  try {
    if (url.protocol === "https:") {
      connection = await Deno.startTls(tcp, { hostname: hostOf(url), alpnProtocols: ["http/1.1"] });
    }
    // Do not wait for `sendAll`, because the server may answer before it has read the whole
    // request.
    sendAll(connection, parts).catch(() => {});
    const answer = await deadline.race(readAnswer(connection));
    return { ...answer, [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

async function connect(peer: ReturnType<Dial>, deadline: Deadline): Promise<Deno.TcpConn> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), 5_000);
  const { address: hostname, port } = peer;
  const connecting = Deno.connect({ hostname, port, signal: giveUp.signal })
    .catch((cause) => Promise.reject(new NotConnected("refused", { cause })));
  try {
    return await deadline.race(connecting);
  } catch (error) {
    giveUp.abort();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function partsOf(url: URL, { method, headers, body }: Message): Uint8Array[] {
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    ...Object.entries({
      Host: url.host,
      ...headers,
      ...(body && { "Content-Length": String(body.length) }),
      Connection: "close",
    }).map(([name, value]) => `${name}: ${value}`),
  ];
  // The constructor throws for a name or value that would inject further headers.
  new Headers(headers);
  const head = `${lines.join("\r\n")}\r\n\r\n`;
  return [Uint8Array.from(head, (letter) => letter.charCodeAt(0)), ...(body ? [body] : [])];
}

async function sendAll(connection: Deno.Conn, parts: readonly Uint8Array[]): Promise<void> {
  for (const part of parts) {
    for (let at = 0; at < part.length;) at += await connection.write(part.subarray(at));
  }
}

function troubleOf(url: URL, error: unknown): unknown {
  if (error instanceof FetchTrouble || !(error instanceof Error)) return error;
  const what = error instanceof NotConnected
    ? "accepts no connection"
    : isAboutCertificate(error)
    ? "has no valid certificate"
    : "broke off the connection";
  return new FetchTrouble("unreachable", `"${url.host}" ${what}`, { cause: error });
}

function isAboutCertificate(error: Error): boolean {
  return error instanceof Deno.errors.InvalidData && /certificate/.test(error.message);
}

export interface BodyLimits {
  readonly bytesMax: number;
  /** `refuse` throws `too_large` for a longer body; `cut` returns the beginning of the body. */
  readonly onTooLarge: "refuse" | "cut";
  /** Resolves when the body may use `bytes` of memory. */
  readonly admit?: (bytes: number) => Promise<void>;
  /** Receives the body of a successful answer in pieces; the result then has an empty body. */
  readonly take?: (piece: Uint8Array) => Promise<void>;
}

export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** `bytesMax` limits both the compressed and the decoded bytes. */
export async function readBody(
  { headers, body }: Pick<WireAnswer, "headers" | "body">,
  limits: BodyLimits,
  deadline: Deadline,
): Promise<Uint8Array<ArrayBuffer>> {
  const sent = countingSent(body, limits);
  const encoding = (headers.get("Content-Encoding") ?? "").trim().toLowerCase();
  if (encoding === "" || encoding === "identity") return await collect(sent, limits, deadline);
  return await inflate(sent, encoding, limits, deadline);
}

type SentEnd = "whole" | "cut";

async function* countingSent(
  body: WireAnswer["body"],
  { bytesMax, onTooLarge }: BodyLimits,
): AsyncGenerator<Uint8Array, SentEnd> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    yield chunk;
    if (bytes <= bytesMax) continue;
    if (onTooLarge === "cut") return "cut";
    throw tooLarge(bytesMax);
  }
  return "whole";
}

async function collect(
  chunks: AsyncIterator<Uint8Array>,
  { bytesMax, onTooLarge, admit, take }: BodyLimits,
  deadline: Deadline,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await deadline.race(chunks.next());
    if (done) break;
    bytes += value.length;
    if (!take) parts.push(value);
    else if (bytes <= bytesMax) await deadline.race(take(value));
    if (bytes <= bytesMax) {
      if (admit) await deadline.race(admit(bytes));
      continue;
    }
    if (onTooLarge === "refuse") throw tooLarge(bytesMax);
    break;
  }
  return joinedBytes(parts).subarray(0, bytesMax);
}

async function inflate(
  sent: AsyncGenerator<Uint8Array, SentEnd>,
  encoding: string,
  limits: BodyLimits,
  deadline: Deadline,
): Promise<Uint8Array<ArrayBuffer>> {
  const first = await deadline.race(sent.next());
  if (first.done) return new Uint8Array();
  const decoder = decoderFor(encoding, first.value);
  // Without a listener, an error of the decoder would end the process.
  decoder.on("error", () => {});
  const feeding = feed(decoder, first.value, sent);
  try {
    return await collect(decoder[Symbol.asyncIterator](), limits, deadline);
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(Z_|ERR_)/.test(String(error.code))) {
      throw new FetchTrouble("unsupported_content", "The page's compression is broken", {
        cause: error,
      });
    }
    throw error;
  } finally {
    decoder.destroy();
    await Promise.race([feeding, Promise.resolve()]);
  }
}

type Decoder = Gunzip | Inflate | InflateRaw | BrotliDecompress;

function decoderFor(encoding: string, first: Uint8Array): Decoder {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      // Some servers send `deflate` without the zlib header.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    case "br":
      return createBrotliDecompress();
    default:
      throw new FetchTrouble(
        "unsupported_content",
        `The page is sent in the unknown encoding "${encoding.slice(0, 40)}"`,
      );
  }
}

async function feed(
  decoder: Decoder,
  first: Uint8Array,
  sent: AsyncGenerator<Uint8Array, SentEnd>,
): Promise<void> {
  try {
    await write(decoder, first);
    let next = await sent.next();
    for (; !next.done; next = await sent.next()) {
      if (decoder.destroyed) return void await sent.return("cut");
      await write(decoder, next.value);
    }
    // `end` would treat an incomplete stream as an error and drop the decoded bytes.
    if (next.value === "cut") decoder.flush(() => decoder.push(null));
    else decoder.end();
  } catch (error) {
    decoder.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

function write(decoder: Decoder, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (decoder.destroyed || decoder.write(chunk)) return resolve();
    decoder.once("drain", resolve);
    decoder.once("close", resolve);
  });
}

function tooLarge(bytesMax: number): FetchTrouble {
  return new FetchTrouble("too_large", `The page is larger than ${bytesMax} bytes`);
}
