import type { RefusedField } from "../../base/failure.ts";

/** A failed call: the error of the service, or that it could not be reached. */
export class ApiError extends Error {
  /** The code of the service; `offline` when no answer came at all. */
  readonly code: string;
  /** 0 when no answer came at all. */
  readonly status: number;
  /** Finds the call in the log of the service; null when it never arrived there. */
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

  /** Which fields were refused and why; empty for every other refusal. */
  get fields(): readonly RefusedField[] {
    const { fields } = this.details;
    return Array.isArray(fields) ? fields.filter(isRefusedField) : [];
  }
}

function isRefusedField(value: unknown): value is RefusedField {
  return isRecord(value) && typeof value.path === "string" && typeof value.message === "string";
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/**
 * Converts any error to one that can be shown; an error that is not from the service is a defect of this
 * page.
 */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError({ code: "client_error", message, status: 0, requestId: null, cause: error });
}
