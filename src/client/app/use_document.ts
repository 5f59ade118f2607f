import { useQuery } from "@tanstack/preact-query";
import type { Ask } from "../api/call.ts";
import { useApp } from "./app.ts";

interface DocumentOptions<T> {
  /**
   * The area for invalidation, then everything that identifies this document, such as its id and
   * the query.
   */
  readonly key: readonly unknown[];
  readonly read: Ask<T>;
  readonly isWanted?: boolean;
  /** The interval of reading again, by the document and the last error; false is never. */
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
