/** Refusals that callers of the HTTP interface see, each with a code and an HTTP status. */
import { isId } from "./id.ts";

export const FAILURE_STATUS = {
  validation_failed: 400,
  invalid_json: 400,
  invalid_cursor: 400,
  missing_credentials: 401,
  invalid_api_key: 401,
  not_authenticated: 401,
  invalid_login: 401,
  insufficient_scope: 403,
  forbidden: 403,
  csrf_refused: 403,
  second_factor_required: 403,
  second_factor_missing: 403,
  reauthentication_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  sku_exists: 409,
  conflict: 409,
  version_conflict: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  price_unit_suspicious: 422,
  import_refused: 422,
  market_too_large: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type FailureCode = keyof typeof FAILURE_STATUS;

/** Callers get `message` and `details`; only the log shows `cause`. */
export class Failure extends Error {
  readonly status: (typeof FAILURE_STATUS)[FailureCode];

  constructor(
    readonly code: FailureCode,
    message: string,
    readonly details?: Record<string, unknown>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "Failure";
    this.status = FAILURE_STATUS[code];
  }
}

export function shown(text: string): string {
  return text.slice(0, 100).toWellFormed();
}

export function noSuch(kind: string, name: string): Failure {
  return new Failure("not_found", `There is no ${kind} "${shown(name)}"`);
}

/** Throws `not_found` if `id` is not an id, or if `find` returns null. */
export async function requireById<T>(
  kind: string,
  id: string,
  find: (id: string) => Promise<T | null>,
): Promise<T> {
  const found = isId(id) ? await find(id) : null;
  if (found === null) throw noSuch(kind, id);
  return found;
}

export function requireRefusal(error: unknown): Failure {
  if (error instanceof Failure && error.status < 500) return error;
  throw error;
}

export type RefusedKind =
  | "missing"
  | "unknown"
  | "wrong_type"
  | "not_an_option"
  | "too_small"
  | "too_large"
  | "too_short"
  | "too_long"
  | "too_few"
  | "too_many";

export interface RefusedField {
  readonly path: string;
  readonly message: string;
  readonly kind?: RefusedKind;
  readonly limit?: number;
}

export function refuseFields(fields: readonly RefusedField[]): Failure {
  const named = fields.slice(0, 100).map(({ path, ...field }) => ({
    path: path.slice(0, 200).toWellFormed(),
    ...field,
  }));
  const first = named[0];
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : "";
  const message = first ? `${first.path || "body"}: ${first.message}${more}` : "Invalid input";
  return new Failure("validation_failed", message, { fields: named });
}

/** Thrown when untrusted input would take more work than is allowed for one input. */
export class TooComplex extends Error {
  override readonly name = "TooComplex";
}
