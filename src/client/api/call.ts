/**
 * Sends requests to the service, with types from its OpenAPI description. If the session has ended
 * or an action needs a new proof of identity, the person signs in or proves their identity, and
 * the request is sent again.
 */
import type { RefusedField } from "../../base/failure.ts";

import createClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
} from "openapi-fetch";
import type { components, paths } from "./interface.ts";

/** Maximum number of rows on a page of most lists (docs/limits.md). */
export const PAGE_SIZE_MAX = 200;

export type Api = Client<paths>;

export interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

export type Ask<T> = (api: Api) => Promise<Answer<T>>;

type Path = ClientPathsWithMethod<Api, "get">;
type InitOf<P extends Path> = MaybeOptionalInit<paths[P], "get">;

/** Copied from `openapi-fetch`, which does not export this type. */
type InitParam<Init> = RequiredKeysOf<Init> extends never ? [(Init & { [key: string]: unknown })?]
  : [Init & { [key: string]: unknown }];
type RequiredKeys<T> = {
  [K in keyof T]: Record<never, never> extends Pick<T, K> ? never : K;
}[keyof T];
type RequiredKeysOf<T> = RequiredKeys<T> extends undefined ? never : RequiredKeys<T>;

export function get<P extends Path, Init extends InitOf<P>>(path: P, ...init: InitParam<Init>) {
  return (api: Api) => api.GET<P, Init>(path, ...init);
}

export function byPath<const Place>(path: Place): { params: { path: Place } };
export function byPath<const Place, const Query>(
  path: Place,
  query: Query,
): { params: { path: Place; query: Query } };
export function byPath(path: unknown, query?: unknown) {
  return { params: { path, query } };
}

export function byId(id: string) {
  return byPath({ id });
}

export function where<const Query>(query: Query) {
  return { params: { query } };
}

interface Terms {
  readonly signal?: AbortSignal;
  /** The service refuses the request if the stored document's version (`ETag`) differs. */
  readonly ifMatch?: string | null;
  /** Called during an upload with the uploaded share of the body, from 0 to 1. */
  readonly onSent?: (share: number) => void;
  readonly onVersion?: (version: string | null) => void;
  readonly mayBeSignedOut?: boolean;
  readonly outlivesPage?: boolean;
}

export type Call = <T>(ask: Ask<T>, terms?: Terms) => Promise<T>;

interface CallDeps {
  signInAgain(): Promise<boolean>;
  proveAgain(): Promise<boolean>;
  onFactorMissing(): void;
}

export function createCall({ signInAgain, proveAgain, onFactorMissing }: CallDeps): Call {
  return async (ask, terms = {}) => {
    let tries = 0;
    const isSettled = async (error: unknown): Promise<boolean> => {
      if (!(error instanceof ApiError)) return false;
      if (error.code === "second_factor_missing") onFactorMissing();
      if (error.code === "reauthentication_required") return await proveAgain();
      if (error.code !== "not_authenticated" || terms.mayBeSignedOut) return false;
      // Another tab may have renewed the session, so the first retry needs no sign-in.
      return tries === 1 || (tries === 2 && await signInAgain());
    };
    for (;;) {
      tries++;
      try {
        return await request(ask, terms);
      } catch (error) {
        if (!await isSettled(error)) throw error;
      }
    }
  };
}

async function request<T>(ask: Ask<T>, terms: Terms): Promise<T> {
  const { data, error, response } = await ask(createApi(terms));
  if (!response.ok || data === undefined) throw refusalOf(response, error);
  terms.onVersion?.(response.headers.get("ETag"));
  return data;
}

export function createApi({ signal, ifMatch, onSent, outlivesPage }: Terms): Api {
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

/** Uses `XMLHttpRequest`, because `fetch` cannot report the progress of an upload. */
function sendSlowly(
  { method, url, headers, signal }: Request,
  form: FormData,
  onSent: (share: number) => void,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  request.open(method, url);
  for (const [name, value] of headers) {
    // The browser sets `content-type` itself, because it chooses the boundary of the parts.
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

function queryText(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(pairs).toString();
}

export function addressOf(path: string, query: Readonly<Record<string, unknown>> = {}): string {
  const text = queryText(query);
  return text === "" ? path : `${path}?${text}`;
}

export function refusalOf({ headers, status }: Response, body: unknown): ApiError {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  return new ApiError({
    status,
    requestId: headers.get("X-Request-Id"),
    code: typeof error.code === "string" ? error.code : "internal_error",
    message: typeof error.message === "string" ? error.message : `HTTP ${status}`,
    ...(isRecord(error.details) && { details: error.details }),
  });
}

export type Wire<Name extends keyof components["schemas"]> = components["schemas"][Name];

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly count: number;
}

export async function* pagesOf<P extends Pick<Page<unknown>, "nextCursor">>(
  read: (cursor: string | null) => Promise<P>,
) {
  let cursor: string | null = null;
  do {
    const page: P = await read(cursor);
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

export class Overtaken<Document> extends Error {
  constructor(readonly latest: Document) {
    super("The document has changed since it was read");
  }
}

interface SaveOptions<Document, Saved> {
  readonly read: Ask<Document>;
  readonly write: Ask<Saved>;
  /** False if another person changed a field that `write` overwrites; then `saveOver` throws. */
  isSeen(latest: Document): boolean;
}

const ATTEMPTS_MAX = 5;

/** Repeats both requests, up to `ATTEMPTS_MAX` times, if another change comes between them. */
export async function saveOver<Document, Saved>(
  call: Call,
  { read, write, isSeen }: SaveOptions<Document, Saved>,
): Promise<Saved> {
  for (let attempt = 1;; attempt++) {
    let version: string | null = null;
    const latest = await call(read, { onVersion: (now) => version = now });
    if (!isSeen(latest)) throw new Overtaken(latest);
    try {
      return await call(write, { ifMatch: version });
    } catch (error) {
      const isOld = error instanceof ApiError && error.code === "version_conflict";
      if (!isOld || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

export class ApiError extends Error {
  /** The service's error code; `offline` or `client_error` if it sent no answer. */
  readonly code: string;
  readonly status: number;
  /** Id of the request in the service's log, or null if the service did not answer. */
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    { code, message, status, requestId, details, cause }: {
      code: string;
      message: string;
      status: number;
      requestId: string | null;
      details?: Record<string, unknown>;
      cause?: unknown;
    },
  ) {
    super(message, { cause });
    this.name = "ApiError";
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details ?? {};
  }

  get fields(): readonly RefusedField[] {
    const { fields } = this.details;
    return Array.isArray(fields) ? fields.filter(isRefusedField) : [];
  }
}

export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && (error.code === "offline" || error.status >= 500);
}

function isRefusedField(value: unknown): value is RefusedField {
  return isRecord(value) && typeof value.path === "string" && typeof value.message === "string";
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError({ code: "client_error", message, status: 0, requestId: null, cause: error });
}
