import type { RefusedField } from "../../base/failure.ts";

export class ApiError extends Error {
  /** The service's error code, or `offline` if the service did not answer. */
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
