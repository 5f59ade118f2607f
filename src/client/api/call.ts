/** The one way to the service: every screen's requests pass through `call()`. */
import { ApiError, isRecord } from "./api_error.ts";

export interface Ask {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Empty and absent values are left out: an empty filter is none. */
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** Sent as JSON, except for files and forms, which go as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** For large bodies: told again and again which share of it has been sent, from 0 to 1. */
  readonly onSent?: (share: number) => void;
  /** Told which version of the document the answer is, as `If-Match` takes it; null where there is none. */
  readonly onVersion?: (version: string | null) => void;
  /** Set where being signed out is an answer, not an interruption. */
  readonly mayBeSignedOut?: boolean;
  /** Set where the request must arrive even when the page is closed right now. */
  readonly outlivesPage?: boolean;
}

/** Answers the document; throws an `ApiError` for everything else. */
export type Call = <T>(path: string, ask?: Ask) => Promise<T>;

interface CallDeps {
  /** Resolves to true once the same person has signed in again: the call is made once more. */
  signInAgain(): Promise<boolean>;
}

export function createCall({ signInAgain }: CallDeps): Call {
  const call = async <T>(path: string, ask: Ask = {}): Promise<T> => {
    try {
      return await request(path, ask);
    } catch (error) {
      const isSignedOut = error instanceof ApiError && error.code === "not_authenticated";
      if (!isSignedOut || ask.mayBeSignedOut) throw error;
      if (!await signInAgain()) throw error;
      return await request(path, ask);
    }
  };
  return call;
}

async function request<T>(path: string, ask: Ask): Promise<T> {
  const response = await send(path, ask);
  if (!response.ok) throw await refusalOf(response);
  ask.onVersion?.(response.headers.get("ETag"));
  const answer: T = await response.json();
  return answer;
}

async function send(path: string, ask: Ask): Promise<Response> {
  const { method = "GET", query, body, headers, signal } = ask;
  if (ask.onSent && body instanceof FormData) return await sendSlowly(path, ask, body);
  const isRaw = body instanceof Blob || body instanceof FormData || body === undefined;
  const init: RequestInit = {
    method,
    headers: { ...(!isRaw && { "Content-Type": "application/json" }), ...headers },
    body: isRaw ? body : JSON.stringify(body),
    credentials: "same-origin",
    ...(signal && { signal }),
    ...(ask.outlivesPage && { keepalive: true }),
  };
  try {
    return await fetch(addressOf(path, query), init);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw unreachable(cause);
  }
}

function unreachable(cause?: unknown): ApiError {
  const message = "The service cannot be reached";
  return new ApiError({ code: "offline", message, status: 0, requestId: null, cause });
}

/** The older way to send, because the newer one does not say how far it has come. */
function sendSlowly(path: string, ask: Ask, body: FormData): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  request.open(ask.method ?? "POST", addressOf(path, ask.query));
  for (const [name, value] of Object.entries(ask.headers ?? {})) {
    request.setRequestHeader(name, value);
  }
  request.upload.onprogress = ({ loaded, total }) => ask.onSent?.(total > 0 ? loaded / total : 0);
  request.onerror = () => reject(unreachable());
  request.onabort = () => reject(ask.signal?.reason);
  request.onload = () => {
    const requestId = request.getResponseHeader("X-Request-Id") ?? "";
    const headers = { "X-Request-Id": requestId };
    resolve(new Response(request.responseText, { status: request.status, headers }));
  };
  ask.signal?.addEventListener("abort", () => request.abort(), { once: true });
  request.send(body);
  return promise;
}

/** A path with its query, as it stands in links too. */
export function addressOf(path: string, query: Ask["query"] = {}): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

async function refusalOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get("X-Request-Id");
  const { status } = response;
  const body: unknown = await response.json().catch((cause: unknown) => ({ cause }));
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  return new ApiError({
    status,
    requestId,
    code: typeof error.code === "string" ? error.code : "internal_error",
    message: typeof error.message === "string" ? error.message : `HTTP ${status}`,
    ...(isRecord(error.details) && { details: error.details }),
  });
}
