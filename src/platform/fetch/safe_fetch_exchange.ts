/**
 * One request to one checked address, by `node:http`: its `lookup` pins the connection while Host and
 * the name of the certificate stay, and `destroy` ends a read that an abort signal does not.
 */
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { portOf } from "./address_guard.ts";
import { familyOf } from "./safe_fetch_address.ts";
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
export interface Answer extends Disposable {
  readonly status: number;
  readonly message: IncomingMessage;
}

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
  const request = open(url, peer, message);
  const answered = Promise.withResolvers<IncomingMessage>();
  const state = { isConnected: false };
  request.on("response", answered.resolve);
  request.on("error", (error) => {
    answered.reject(state.isConnected ? error : new NotConnected("refused", { cause: error }));
  });
  request.on("close", () => answered.reject(new Error("The connection was closed")));
  const timer = giveUpConnecting(request, state);
  try {
    if (message.body) request.write(message.body);
    request.end();
    const response = await deadline.race(answered.promise);
    // A connection that breaks while nobody reads has nobody to tell.
    response.on("error", () => {});
    return {
      status: response.statusCode ?? 0,
      message: response,
      [Symbol.dispose]: () => {
        response.destroy();
        request.destroy();
      },
    };
  } catch (error) {
    request.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function open(url: URL, peer: ReturnType<Dial>, { method, headers }: Message): ClientRequest {
  const { request } = url.protocol === "https:" ? https : http;
  const family = familyOf(peer.address);
  return request({
    // A connection that is kept would pass by the lookup, and with it the check.
    agent: false,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: peer.port,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { ...headers, Host: url.host, Connection: "close" },
    // Answered later: thrown from within the call, an error would be nobody's.
    lookup: (_name, options, answer) =>
      queueMicrotask(() => {
        if (options.all) answer(null, [{ address: peer.address, family }]);
        else answer(null, peer.address, family);
      }),
  });
}

function giveUpConnecting(request: ClientRequest, state: { isConnected: boolean }) {
  request.on("socket", (socket) => {
    socket.on("connect", () => {
      state.isConnected = true;
      clearTimeout(timer);
    });
  });
  const timer = setTimeout(() => {
    if (!state.isConnected) request.destroy(new Error("The connection was not taken in time"));
  }, CONNECT_MS);
  return timer;
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
  return "code" in error && /CERT|TLS|VERIFY/.test(String(error.code));
}
