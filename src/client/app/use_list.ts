import { useInfiniteQuery } from "@tanstack/preact-query";
import { useMemo } from "preact/hooks";
import { useApp } from "./app.ts";
import type { Answer, Api } from "../api/call.ts";
import type { Page } from "../api/page.ts";

export interface List<Item, P extends Page<Item> = Page<Item>> {
  readonly rows: readonly Item[];
  /** The whole first page, for fields next to its items; `null` until it is there. */
  readonly first: P | null;
  readonly hasMore: boolean;
  /** True until the first page is there. */
  readonly isPending: boolean;
  readonly isLoadingMore: boolean;
  readonly error: unknown;
  more(): void;
  again(): void;
}

/** Which page of a list is asked for; a part of the query. */
interface PageQuery {
  readonly limit: number;
  readonly cursor: string | null;
}

interface ListOptions<P> {
  /** The area for invalidation, then everything that identifies this list, such as the query. */
  readonly key: readonly unknown[];
  read(api: Api, page: PageQuery): Promise<Answer<P>>;
  /** Rows per page. */
  readonly limit?: number;
  /** The interval of reading again while the list is shown; false is never. */
  readonly everyMs?: number | false;
  /** Set where rows must not move under the reader: only a change made here reads again. */
  readonly isStill?: boolean;
}

const LIMIT = 100;

/** A list of the service, page after page, as a table wants it. */
export function useList<Item, Whole>(
  { key, read, limit = LIMIT, everyMs = false, isStill = false }: ListOptions<Page<Item> & Whole>,
): List<Item, Page<Item> & Whole> {
  const { call } = useApp();
  const start: string | null = null;
  const found = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam: cursor, signal }) =>
      call((api) => read(api, { limit, cursor }), { signal }),
    initialPageParam: start,
    getNextPageParam: (page: Page<Item> & Whole): string | null => page.nextCursor,
    refetchInterval: everyMs,
    refetchOnWindowFocus: !isStill,
    refetchOnReconnect: !isStill,
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
