/** The one way to the service: every screen's requests pass through `call()`. */
import createClient, { type Client } from "openapi-fetch";
import { ApiError, isRecord } from "./api_error.ts";
import type { components, paths } from "./interface.ts";

/** The service as its document describes it: each path with what it takes and answers. */
export type Api = Client<paths>;

/** The result of a request: the document, or the error. */
export interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** A question to the service; it is asked once more after signing in again. */
export type Ask<T> = (api: Api) => Promise<Answer<T>>;

interface Terms {
  readonly signal?: AbortSignal;
  /** Only if the document is this version still: what its `ETag` said. */
  readonly ifMatch?: string | null;
  /** For large forms: told again and again which share of it has been sent, from 0 to 1. */
  readonly onSent?: (share: number) => void;
  /** Told which version of the document the answer is, as `ifMatch` takes it; null if there is none. */
  readonly onVersion?: (version: string | null) => void;
  /** Set where being signed out is an answer, not an interruption. */
  readonly mayBeSignedOut?: boolean;
  /** Set where the request must arrive even when the page is closed right now. */
  readonly outlivesPage?: boolean;
}

/** The parameters of a path that names one document by its id. */
export function byId(id: string) {
  return { params: { path: { id } } };
}

/** Returns the document; throws an `ApiError` for everything else. */
export type Call = <T>(ask: Ask<T>, terms?: Terms) => Promise<T>;

interface CallDeps {
  /** Resolves to true once the same person has signed in again: the call is made once more. */
  signInAgain(): Promise<boolean>;
}

export function createCall({ signInAgain }: CallDeps): Call {
  return async (ask, terms = {}) => {
    try {
      return await request(ask, terms);
    } catch (error) {
      const isSignedOut = error instanceof ApiError && error.code === "not_authenticated";
      if (!isSignedOut || terms.mayBeSignedOut) throw error;
      if (!await signInAgain()) throw error;
      return await request(ask, terms);
    }
  };
}

async function request<T>(ask: Ask<T>, terms: Terms): Promise<T> {
  const { data, error, response } = await ask(apiFor(terms));
  if (!response.ok || data === undefined) throw refusalOf(response, error);
  terms.onVersion?.(response.headers.get("ETag"));
  return data;
}

/** The service under these terms. */
function apiFor({ signal, ifMatch, onSent, outlivesPage }: Terms): Api {
  let form: FormData | null = null;
  return createClient<paths>({
    credentials: "same-origin",
    ...(signal && { signal }),
    ...(outlivesPage && { keepalive: true }),
    ...(typeof ifMatch === "string" && { headers: { "If-Match": ifMatch } }),
    querySerializer: queryText,
    bodySerializer: (body: unknown) => {
      if (!(body instanceof FormData)) return JSON.stringify(body);
      form = body;
      return body;
    },
    fetch: async (asked) => {
      if (onSent && form !== null) return await sendSlowly(asked, form, onSent);
      try {
        return await fetch(asked);
      } catch (cause) {
        if (signal?.aborted) throw cause;
        throw unreachable(cause);
      }
    },
  });
}

function unreachable(cause?: unknown): ApiError {
  const message = "The service cannot be reached";
  return new ApiError({ code: "offline", message, status: 0, requestId: null, cause });
}

/** The older way to send, because the newer one does not say how far it has come. */
function sendSlowly(
  { method, url, headers, signal }: Request,
  form: FormData,
  onSent: (share: number) => void,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  request.open(method, url);
  for (const [name, value] of headers) {
    // Each way of sending parts a form by words of its own.
    if (name !== "content-type") request.setRequestHeader(name, value);
  }
  request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
  request.onerror = () => reject(unreachable());
  request.onabort = () => reject(signal.reason);
  request.onload = () => {
    const requestId = request.getResponseHeader("X-Request-Id") ?? "";
    const headers = { "X-Request-Id": requestId };
    resolve(new Response(request.responseText, { status: request.status, headers }));
  };
  signal.addEventListener("abort", () => request.abort(), { once: true });
  request.send(form);
  return promise;
}

/** Empty and absent values are omitted: an empty filter is none. */
function queryText(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(pairs).toString();
}

/** A path with its query, as in links. */
export function addressOf(path: string, query: Readonly<Record<string, unknown>> = {}): string {
  const text = queryText(query);
  return text === "" ? path : `${path}?${text}`;
}

function refusalOf({ headers, status }: Response, body: unknown): ApiError {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  return new ApiError({
    status,
    requestId: headers.get("X-Request-Id"),
    code: typeof error.code === "string" ? error.code : "internal_error",
    message: typeof error.message === "string" ? error.message : `HTTP ${status}`,
    ...(isRecord(error.details) && { details: error.details }),
  });
}

/** Types of the interface by their names in the OpenAPI document. */
export type Wire<Name extends keyof components["schemas"]> = components["schemas"][Name];
