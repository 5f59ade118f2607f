/**
 * One request to one checked address over a connection of its own, which goes to that address whatever
 * the name in the URL leads to; Host and the certificate are those of the name.
 */
import { portOf } from "./address_guard.ts";
import { readAnswer, type WireAnswer } from "./safe_fetch_answer.ts";
import { type Deadline, FetchTrouble } from "./safe_fetch_deadline.ts";

/** What is sent, on every hop. */
export interface Message {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** Where a connection really goes; the identity, but for tests that have no public address. */
export type Dial = (address: string, port: number) => {
  readonly address: string;
  readonly port: number;
};

/** An answer whose body is still to be read; disposing ends the connection. */
export type Answer = WireAnswer & Disposable;

/** The next address is tried when one does not take the connection in this time. */
const CONNECT_MS = 5_000;

/** Asks the addresses one after the other until one takes the connection. */
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

/** The address did not take the connection, so nothing was sent: another one may. */
class NotConnected extends Error {}

async function ask(
  url: URL,
  peer: ReturnType<Dial>,
  message: Message,
  deadline: Deadline,
): Promise<Answer> {
  const parts = partsOf(url, message);
  const tcp = await connect(peer, deadline);
  // A connection that TLS was begun on is closed by its TLS, whether it has come about or not.
  let connection: Deno.Conn = tcp;
  const close = () => connection.close();
  try {
    if (url.protocol === "https:") {
      connection = await Deno.startTls(tcp, { hostname: hostOf(url), alpnProtocols: ["http/1.1"] });
    }
    // Beside reading: a server may answer before it has taken all of a request.
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
  const timer = setTimeout(() => giveUp.abort(), CONNECT_MS);
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

/** The name that a certificate must have, or an address without brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
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
  // By it a name or value that could be more than one header is refused.
  new Headers(headers);
  const head = `${lines.join("\r\n")}\r\n\r\n`;
  return [Uint8Array.from(head, (letter) => letter.charCodeAt(0)), ...(body ? [body] : [])];
}

async function sendAll(connection: Deno.Conn, parts: readonly Uint8Array[]): Promise<void> {
  for (const part of parts) {
    for (let at = 0; at < part.length;) at += await connection.write(part.subarray(at));
  }
}

/** What a caller is told; a trouble with a code of its own passes as it is. */
function troubleOf(url: URL, error: unknown): unknown {
  if (error instanceof FetchTrouble || !(error instanceof Error)) return error;
  const what = error instanceof NotConnected
    ? "takes no connection"
    : isAboutCertificate(error)
    ? "has no valid certificate"
    : "broke off the connection";
  return new FetchTrouble("unreachable", `"${url.host}" ${what}`, { cause: error });
}

function isAboutCertificate(error: Error): boolean {
  return error instanceof Deno.errors.InvalidData && /certificate/.test(error.message);
}
