/** What a schema has refused, as the fields of a `validation_failed`. */
import type { RefusedField, RefusedKind } from "../../base/failure.ts";

/** As zod reports it; only what is read here. */
interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[] | undefined;
  readonly origin?: string | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
}

/**
 * An unknown field is named by itself, not by the object that it stands in
 * (docs/decisions/http.md).
 */
export function refusedFieldsOf(issue: Issue): RefusedField[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys" && issue.keys) {
    return issue.keys.map((key) => ({
      path: [...path, key].join("."),
      message: "Unknown field",
      kind: "unknown",
    }));
  }
  const kind = kindOf(issue);
  const limit = issue.minimum ?? issue.maximum;
  return [{
    path: path.join("."),
    message: issue.message,
    ...(kind && { kind }),
    ...(kind && limit !== undefined && { limit: Number(limit) }),
  }];
}

const BELOW: Readonly<Record<string, RefusedKind>> = {
  number: "too_small",
  int: "too_small",
  string: "too_short",
  array: "too_few",
};

const ABOVE: Readonly<Record<string, RefusedKind>> = {
  number: "too_large",
  int: "too_large",
  string: "too_long",
  array: "too_many",
};

/** Null for what only its message says. */
function kindOf({ code, origin = "", message }: Issue): RefusedKind | null {
  switch (code) {
    case "too_small":
      return BELOW[origin] ?? null;
    case "too_big":
      return ABOVE[origin] ?? null;
    case "invalid_value":
      return "not_an_option";
    case "invalid_type":
      return message.endsWith("received undefined") ? "missing" : "wrong_type";
    default:
      return null;
  }
}
