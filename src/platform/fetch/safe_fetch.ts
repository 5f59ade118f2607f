/**
 * Sends all requests to foreign servers (docs/decisions/scraping.md, "Private addresses"). A
 * failure of the fetch (`FetchTrouble`) is returned as a result; an abort or other error is thrown.
 */
import {
  type AddressAllowList,
  checkedAddresses,
  Deadline,
  type FetchErrorCode,
  FetchTrouble,
  hostOf,
  judgeUrl,
  portOf,
  type Resolve,
  type UrlError,
} from "./fetch_limits.ts";
import {
  ACCEPTED_ENCODINGS,
  type BodyLimits,
  readAnswer,
  readBody,
  type WireAnswer,
} from "./safe_fetch_answer.ts";

export interface SafeFetchSetup {
  readonly allowed: AddressAllowList;
  /** The permitted ports; not checked for URLs that `allowed` permits. */
  readonly ports: ReadonlySet<number>;
  readonly userAgent: string;
  readonly resolve: Resolve;
  readonly dial: Dial;
}

export interface FetchRequest extends BodyLimits {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly timeoutMs: number;
  readonly redirectsMax: number;
  /** If `follows` returns false for a redirect's target, the result of the fetch is `moved`. */
  readonly follows?: (next: URL) => boolean | Promise<boolean>;
  /** `headers` are sent only to this `url`, which may also be the target of a redirect. */
  readonly conditional?: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  } | null;
  readonly signal: AbortSignal;
}

export type FetchResult =
  | {
    readonly kind: "answer";
    readonly url: string;
    readonly status: number;
    readonly headers: Headers;
    readonly body: Uint8Array<ArrayBuffer>;
  }
  | { readonly kind: "moved"; readonly url: string; readonly hops: number }
  | { readonly kind: "failed"; readonly errorCode: FetchErrorCode; readonly message: string };

export type SafeFetch = (request: FetchRequest) => Promise<FetchResult>;

export function createSafeFetch(setup: SafeFetchSetup): SafeFetch {
  return async (request) => {
    using deadline = new Deadline(request.timeoutMs, request.signal);
    try {
      return await new Fetch(setup, request, deadline).follow();
    } catch (error) {
      request.signal.throwIfAborted();
      if (!(error instanceof FetchTrouble)) throw error;
      return { kind: "failed", errorCode: error.errorCode, message: error.message };
    }
  };
}

type Answer = WireAnswer & Disposable;

class Fetch {
  constructor(
    readonly setup: SafeFetchSetup,
    readonly request: FetchRequest,
    readonly deadline: Deadline,
  ) {}

  async follow(): Promise<FetchResult> {
    const { redirectsMax, follows } = this.request;
    // A shop's URL can be saved with any port, so check the first URL like a redirect.
    let url = this.#judged(this.request.url, "unreachable");
    for (let hops = 0;; hops++) {
      using answer = await this.#exchange(url);
      const location = locationOf(answer, url);
      if (location === null) return await this.#resultOf(answer, url);
      if (hops >= redirectsMax) {
        throw new FetchTrouble("redirect_refused", `More than ${redirectsMax} redirects`);
      }
      const next = this.#judged(location, "redirect_refused");
      if (follows && !await follows(next)) return { kind: "moved", url: next.href, hops: hops + 1 };
      url = next;
    }
  }

  #judged(text: string, code: FetchErrorCode): URL {
    const verdict = judgeUrl(text, this.setup);
    if ("url" in verdict) return verdict.url;
    const { error } = verdict;
    throw new FetchTrouble(error === "private_address" ? error : code, URL_ERRORS[error]);
  }

  async #exchange(url: URL): Promise<Answer> {
    const addresses = await checkedAddresses(url, { ...this.setup, deadline: this.deadline });
    let trouble: unknown = new FetchTrouble("unreachable", `"${url.host}" cannot be reached`);
    for (const address of addresses) {
      try {
        return await this.#ask(url, this.setup.dial(address, portOf(url)));
      } catch (error) {
        trouble = error;
        if (!(error instanceof NotConnected) || this.deadline.leftMs === 0) break;
      }
    }
    throw troubleOf(url, trouble);
  }

  #messageTo(url: URL): Uint8Array[] {
    const { method = "GET", headers, body, conditional } = this.request;
    const sent = {
      Host: url.host,
      "User-Agent": this.setup.userAgent,
      Accept: "*/*",
      "Accept-Encoding": ACCEPTED_ENCODINGS,
      ...headers,
      ...(conditional?.url === url.href && conditional.headers),
      ...(body && { "Content-Length": String(body.length) }),
      Connection: "close",
    };
    // `Headers` throws if a name or value would inject further headers.
    new Headers(sent);
    const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
    const first = `${method} ${url.pathname}${url.search} HTTP/1.1`;
    const head = `${[first, ...lines].join("\r\n")}\r\n\r\n`;
    return [Uint8Array.from(head, (letter) => letter.charCodeAt(0)), ...(body ? [body] : [])];
  }

  async #ask(url: URL, peer: Peer): Promise<Answer> {
    const message = this.#messageTo(url);
    const tcp = await this.#connect(peer);
    // Closing the TLS connection also closes the TCP connection, even after a failed handshake.
    let connection: Deno.Conn = tcp;
    const close = () => connection.close();
    try {
      if (url.protocol === "https:") {
        const options = { hostname: hostOf(url), alpnProtocols: ["http/1.1"] };
        connection = await Deno.startTls(tcp, options);
      }
      // Do not wait for `sendAll`, because the server may answer before it has read the whole
      // request.
      sendAll(connection, message).catch(() => {});
      const answer = await this.deadline.race(readAnswer(connection));
      return { ...answer, [Symbol.dispose]: close };
    } catch (error) {
      close();
      throw error;
    }
  }

  async #connect({ address: hostname, port }: Peer): Promise<Deno.TcpConn> {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), 5_000);
    const connecting = Deno.connect({ hostname, port, signal: giveUp.signal })
      .catch((cause) => Promise.reject(new NotConnected("refused", { cause })));
    try {
      return await this.deadline.race(connecting);
    } catch (error) {
      giveUp.abort();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #resultOf(answer: Answer, { href }: URL): Promise<FetchResult> {
    const { status, headers } = answer;
    if (status === 206 && this.request.method !== "POST") {
      throw new FetchTrouble("unsupported_content", "The server sent a part of the file (206)");
    }
    const isGood = status >= 200 && status < 300;
    const body = isGood ? await this.#readWhole(answer) : await this.#readErrorBody(answer);
    return { kind: "answer", url: href, status, headers, body };
  }

  async #readWhole(answer: Answer): Promise<Uint8Array<ArrayBuffer>> {
    try {
      return await readBody(answer, this.request, this.deadline);
    } catch (cause) {
      if (cause instanceof FetchTrouble) throw cause;
      throw new FetchTrouble("unreachable", "The page broke off", { cause });
    }
  }

  async #readErrorBody(answer: Answer): Promise<Uint8Array<ArrayBuffer>> {
    const { signal } = this.request;
    using deadline = new Deadline(Math.min(2_000, this.deadline.leftMs), signal);
    const limits = { bytesMax: 64 * 1024, onTooLarge: "cut" } as const;
    try {
      return await readBody(answer, limits, deadline);
    } catch (error) {
      if (signal.aborted) throw error;
      return new Uint8Array();
    }
  }
}

const URL_ERRORS: Record<UrlError, string> = {
  malformed: "Leads to an invalid URL",
  scheme: "Leads to a URL that is neither http nor https",
  credentials: "Leads to a URL with a user name or a password",
  port: "Leads to a port that is not open to this service",
  private_address: "Leads to an address that is not public",
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function locationOf({ status, headers }: Answer, url: URL): string | null {
  const location = headers.get("Location");
  if (!REDIRECTS.has(status) || location === null) return null;
  const text = asUtf8(location);
  return URL.parse(text, url)?.href ?? text;
}

/** Headers are read as Latin-1, but shops also write them as UTF-8. */
function asUtf8(header: string): string {
  const bytes = Uint8Array.from(header, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return header;
  }
}

interface Peer {
  readonly address: string;
  readonly port: number;
}

type Dial = (address: string, port: number) => Peer;

/** Thrown before anything was sent, so that another address can be tried. */
class NotConnected extends Error {}

async function sendAll(connection: Deno.Conn, parts: readonly Uint8Array[]): Promise<void> {
  for (const part of parts) {
    for (let at = 0; at < part.length;) at += await connection.write(part.subarray(at));
  }
}

function troubleOf(url: URL, error: unknown): unknown {
  if (error instanceof FetchTrouble || !(error instanceof Error)) return error;
  const what = error instanceof NotConnected
    ? "accepts no connection"
    : error instanceof Deno.errors.InvalidData && /certificate/.test(error.message)
    ? "has no valid certificate"
    : "broke off the connection";
  return new FetchTrouble("unreachable", `"${url.host}" ${what}`, { cause: error });
}
