import { useInfiniteQuery } from "@tanstack/preact-query";
import { useMemo } from "preact/hooks";
import { useApp } from "./app.ts";
import type { Ask } from "../api/call.ts";
import type { Page } from "../api/page.ts";

export interface List<Item, P extends Page<Item> = Page<Item>> {
  readonly rows: readonly Item[];
  /** The first page whole, for what it says beside its items; null until it is there. */
  readonly first: P | null;
  readonly hasMore: boolean;
  /** True until the first page is there. */
  readonly isPending: boolean;
  readonly isLoadingMore: boolean;
  readonly error: unknown;
  more(): void;
  again(): void;
}

interface ListOptions {
  /** The area that a change names to have its lists read anew; then what tells this list apart. */
  readonly key: readonly unknown[];
  readonly path: string;
  readonly query?: Ask["query"];
  /** Rows per page. */
  readonly limit?: number;
  /** How often it is read anew while it is shown; false is never. */
  readonly everyMs?: number | false;
}

const LIMIT = 100;

/** A list of the service, page after page, as a table wants it. */
export function useList<Item, P extends Page<Item> = Page<Item>>(
  { key, path, query = {}, limit = LIMIT, everyMs = false }: ListOptions,
): List<Item, P> {
  const { call } = useApp();
  const start: string | null = null;
  const found = useInfiniteQuery({
    queryKey: [...key, query],
    queryFn: ({ pageParam, signal }) =>
      call<P>(path, { query: { ...query, limit, cursor: pageParam }, signal }),
    initialPageParam: start,
    getNextPageParam: (page: P): string | null => page.nextCursor,
    refetchInterval: everyMs,
  });
  const { data, hasNextPage, isFetchingNextPage, isPending, error } = found;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  return {
    rows,
    first: data?.pages[0] ?? null,
    hasMore: hasNextPage,
    isPending,
    isLoadingMore: isFetchingNextPage,
    error,
    more: () => {
      if (hasNextPage && !isFetchingNextPage) void found.fetchNextPage();
    },
    again: () => void found.refetch(),
  };
}
