import { useLocation } from "preact-iso";
import { addressOf } from "../api/call.ts";

export interface Filter<Name extends string> {
  /** Empty where nothing is filtered. */
  readonly values: Readonly<Record<Name, string>>;
  readonly isAny: boolean;
  /** The same for the same filter. */
  readonly key: string;
  set(name: Name, value: string): void;
  /** Several at once. */
  setAll(values: Readonly<Partial<Record<Name, string>>>): void;
  clear(): void;
}

/** A list's filter is the query of its address: it can be kept, sent to a colleague, gone back to. */
export function useFilter<Name extends string>(names: readonly Name[]): Filter<Name> {
  const { path, query, route } = useLocation();
  const values = valuesOf(names, query);
  const key = JSON.stringify(values);
  // The address as it is now: another field may have changed it since this was drawn.
  const change = (changed: Readonly<Partial<Record<Name, string>>>) => {
    const now = Object.fromEntries(new URLSearchParams(location.search));
    route(addressOf(path, { ...now, ...changed }), true);
  };
  return {
    values,
    key,
    isAny: names.some((name) => values[name] !== ""),
    set: (name, value) => change(asPatch(name, value)),
    setAll: change,
    clear: () => route(path, true),
  };
}

function asPatch<Name extends string>(name: Name, value: string): Partial<Record<Name, string>> {
  const patch: Partial<Record<Name, string>> = {};
  patch[name] = value;
  return patch;
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
