import { useLocation } from "preact-iso";
import { addressOf } from "../api/call.ts";

export interface Filter<Name extends string> {
  /** Empty where nothing is filtered. */
  readonly values: Readonly<Record<Name, string>>;
  readonly isAny: boolean;
  /** The same for the same filter. */
  readonly key: string;
  set(name: Name, value: string): void;
  clear(): void;
}

/** A list's filter is the query of its address: it can be kept, sent to a colleague, gone back to. */
export function useFilter<Name extends string>(names: readonly Name[]): Filter<Name> {
  const { path, query, route } = useLocation();
  const values = valuesOf(names, query);
  const key = JSON.stringify(values);
  return {
    values,
    key,
    isAny: names.some((name) => values[name] !== ""),
    set: (name, value) => route(addressOf(path, { ...query, [name]: value }), true),
    clear: () => route(path, true),
  };
}

function valuesOf<Name extends string>(
  names: readonly Name[],
  query: Readonly<Record<string, string>>,
): Record<Name, string> {
  const start: Partial<Record<Name, string>> = {};
  for (const name of names) start[name] = query[name] ?? "";
  const isWhole = (part: Partial<Record<Name, string>>): part is Record<Name, string> =>
    names.every((name) => name in part);
  if (!isWhole(start)) throw new Error("A filter has lost a name");
  return start;
}
