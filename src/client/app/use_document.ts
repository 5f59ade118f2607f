import { useQuery } from "@tanstack/preact-query";
import type { Ask } from "../api/call.ts";
import { useApp } from "./app.ts";

interface DocumentOptions<T> {
  /**
   * The area that a change names to have it read anew; then everything that tells this document apart,
   * such as its id and what the query says.
   */
  readonly key: readonly unknown[];
  readonly read: Ask<T>;
  readonly isWanted?: boolean;
  /** How often it is read anew, by what is known of it and why it could not be read; false is never. */
  everyMs?(document: T | undefined, error: unknown): number | false;
}

/** A single document of the service. */
export function useDocument<T>({ key, read, isWanted = true, everyMs }: DocumentOptions<T>) {
  const { call } = useApp();
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(read, { signal }),
    enabled: isWanted,
    refetchInterval: ({ state }) => everyMs?.(state.data, state.error) ?? false,
  });
}
