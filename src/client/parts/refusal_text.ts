import type { RefusedField } from "../../base/failure.ts";
import type { ApiError } from "../api/api_error.ts";
import type { App } from "../app/app.ts";

type Speaker = Pick<App, "words" | "show">;

/** The refusal of a field in the person's language; the service's words where they say more. */
export function refusalText(
  { words, show }: Speaker,
  { path, message, kind, limit }: RefusedField,
): string {
  const { refusals, fieldRefusals } = words.service;
  const text = kind && refusals[kind];
  if (text) return text(show.number(limit));
  const name = path.split(".").findLast((part) => !/^\d+$/.test(part)) ?? path;
  return fieldRefusals[name] ?? message;
}

/** Of the field at this path, or of something below it; null while nothing is wrong there. */
export function refusalAt(app: Speaker, error: ApiError | null, path: string): string | null {
  const found = error?.fields.find((field) =>
    field.path === path || field.path.startsWith(`${path}.`)
  );
  return found ? refusalText(app, found) : null;
}
