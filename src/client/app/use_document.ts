import { useQuery } from "@tanstack/preact-query";
import { useApp } from "./app.ts";
import type { Ask } from "../api/call.ts";

interface DocumentOptions<T> {
  /** The area that a change names to have it read anew; then what tells this document apart. */
  readonly key: readonly unknown[];
  readonly path: string;
  readonly query?: Ask["query"];
  readonly isWanted?: boolean;
  /** How often it is read anew, by what is known of it and why it could not be read; false is never. */
  everyMs?(document: T | undefined, error: unknown): number | false;
}

/** A single document of the service. */
export function useDocument<T>(
  { key, path, query = {}, isWanted = true, everyMs }: DocumentOptions<T>,
) {
  const { call } = useApp();
  return useQuery({
    queryKey: [...key, query],
    queryFn: ({ signal }) => call<T>(path, { query, signal }),
    enabled: isWanted,
    refetchInterval: ({ state }) => everyMs?.(state.data, state.error) ?? false,
  });
}
