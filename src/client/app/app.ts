/**
 * Gives every screen the API, the texts, the formats, the signed-in person, and hooks that read and
 * change data.
 */
import type { Audience, Show } from "../../engine/wording/show.ts";
import {
  type Answer,
  type Api,
  type Ask,
  type Call,
  createApi,
  isUnreachable,
  type Page,
} from "../api/call.ts";
import type { paths } from "../api/interface.ts";
import type { Words } from "../words/words.ts";
import type { AppState, Role } from "./app_state.ts";
import { type Context, createContext } from "preact";
import { useContext, useEffect, useMemo } from "preact/hooks";
import {
  skipToken,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/preact-query";
import { useLocation } from "preact-iso";

export interface App extends AppState {
  readonly call: Call;
  readonly words: Words;
  readonly show: Show;
  readonly audience: Audience;
  may(role: Role): boolean;
}

export const AppContext = createContext<App | null>(null);

export type Speaker = Pick<App, "words" | "show">;

export const useApp = () => useRequired(AppContext);

export function useRequired<T>(context: Context<T | null>): T {
  const value = useContext(context);
  if (value === null) throw new Error("A context is read outside of its provider");
  return value;
}

/**
 * Areas of paths: all data of an area are reloaded together after a change. If several entries
 * match, the longest applies. Other paths have the area after `/api/`, such as `products`.
 */
const AREAS = {
  "/api/auth/factors": "factors",
  "/api/auth/sessions": "sessions",
  "/api/competitor-products": "matches",
  "/api/competitor-products/preview": "previews",
  "/api/fetches": "competitors",
  "/api/market": "products",
  "/api/overview/mail": "morning mail",
  "/api/people": "users",
  "/api/price-arrivals": "imports",
  "/api/repairs/pages": "repair-pages",
  "/api/repairs/retries": "retries",
  "/api/rules/actions": "references",
  "/api/rules/triggers": "references",
  "/api/settings": "automation",
  "/api/webhooks/{id}/deliveries": "deliveries",
} as const;

type Place<Path> = Path extends `/api/${infer Place}/${string}` ? Place
  : Path extends `/api/${infer Place}` ? Place
  : never;

/** Parts after `/api/` whose area has another name: `people`, for example, has the area `users`. */
type Renamed<Path = keyof typeof AREAS> = Path extends `/api/${string}/${string}` ? never
  : Place<Path>;

type Area = Exclude<Place<keyof paths>, Renamed> | (typeof AREAS)[keyof typeof AREAS];

/** Areas to reload after a change, as names or as requests that read the area. */
export type Touched = readonly (Area | Ask<unknown>)[];

const CLIENT = createApi({});

function requestOf(ask: Ask<unknown>) {
  let address = "";
  const request: unknown[] = [];
  const note = (method: string | symbol) => (path: string, ...terms: readonly unknown[]) => {
    address = path;
    request.push(method, path, ...terms);
    return Promise.withResolvers().promise;
  };
  ask(new Proxy(CLIENT, { get: (_, method) => note(method) }));
  const [, area = address.split("/")[2] ?? ""] =
    Object.entries(AREAS).filter(([beginning]) => address.startsWith(beginning))
      .toSorted(([one], [other]) => other.length - one.length)[0] ?? [];
  return { area, request };
}

export function keyOf(read: Ask<unknown>, version?: number): readonly unknown[] {
  const { area, request } = requestOf(read);
  return [area, ...request, ...(version === undefined ? [] : [version])];
}

interface DocumentOptions<T> {
  readonly everyMs?: number | false | ((document: T | undefined, error: unknown) => number | false);
  readonly version?: number;
}

export function useDocument<T>(read: Ask<T> | null, options: DocumentOptions<T> = {}) {
  const { call } = useApp();
  const { everyMs = false, version } = options;
  const found = useQuery({
    queryKey: read === null ? ["nothing"] : keyOf(read, version),
    queryFn: read === null ? skipToken : ({ signal }): Promise<T> => call(read, { signal }),
    refetchInterval: ({ state: { data, error } }) =>
      typeof everyMs === "function" ? everyMs(data, error) : everyMs,
  });
  return { ...found, error: shownError(found.error, found.data !== undefined) };
}

function shownError(error: unknown, hasData: boolean): unknown {
  return hasData && isUnreachable(error) ? null : error;
}

export type List<Item> = ReturnType<typeof useList<Item, object>>;

interface ListOptions {
  readonly limit?: number;
  readonly everyMs?: number | false;
  readonly isStill?: boolean;
  readonly version?: number;
}

export function listKeyOf(read: Ask<unknown>): readonly unknown[] {
  const { area, request } = requestOf(read);
  return [area, "list", ...request];
}

const NO_PAGES: readonly never[] = [];

export function useList<Item, Whole>(
  read: (page: { limit: number; cursor: string | null }) => Ask<Page<Item> & Whole>,
  { limit = 100, everyMs = false, isStill = false, version }: ListOptions = {},
) {
  const { call } = useApp();
  const start: string | null = null;
  const found = useInfiniteQuery({
    queryKey: [
      ...listKeyOf(read({ limit, cursor: start })),
      ...(version === undefined ? [] : [version]),
    ],
    queryFn: ({ pageParam: cursor, signal }) => call(read({ limit, cursor }), { signal }),
    initialPageParam: start,
    getNextPageParam: (page: Page<Item> & Whole): string | null => page.nextCursor,
    refetchInterval: everyMs,
    refetchOnWindowFocus: !isStill,
    refetchOnReconnect: !isStill,
  });
  const { data, hasNextPage, isFetchingNextPage, isPending, error } = found;
  const rows = useMemo(
    (): readonly Item[] => data?.pages.flatMap((page) => page.items) ?? [],
    [data],
  );
  return {
    rows,
    pages: data?.pages ?? NO_PAGES,
    first: data?.pages[0] ?? null,
    hasMore: hasNextPage,
    isPending,
    isLoadingMore: isFetchingNextPage,
    error: shownError(error, data !== undefined),
    more: () => {
      if (hasNextPage && !isFetchingNextPage) void found.fetchNextPage();
    },
    again: () => void found.refetch(),
  };
}

export function wholeList<Item>(
  { isPending, error, refetch }: Pick<
    ReturnType<typeof useDocument>,
    "isPending" | "error" | "refetch"
  >,
  rows: readonly Item[],
) {
  const again = () => void refetch();
  return { rows, hasMore: false, isLoadingMore: false, isPending, error, more: () => {}, again };
}

export function useRefresh(...touched: Touched): () => Promise<unknown> {
  const refresh = useRefreshOf();
  return () => refresh(touched);
}

function useRefreshOf() {
  const client = useQueryClient();
  return (touched: Touched) =>
    Promise.all(touched.map((one) => {
      const area = typeof one === "string" ? one : requestOf(one).area;
      return client.invalidateQueries({ queryKey: [area] });
    }));
}

interface ChangeOptions<Input, Output> {
  /**
   * Data to reload after the change, whether the change succeeded or failed. By default, `ask`
   * reloads the area of its request, and `run` reloads nothing.
   */
  readonly touches?: Touched | undefined;
  onDone?(output: Output, input: Input): void;
  /** True if the screen shows errors itself; otherwise a toast shows them. */
  readonly showsError?: boolean;
}

type Action<Input, Output> =
  | { ask(api: Api, input: Input): Promise<Answer<Output>> }
  | { run(call: Call, input: Input): Promise<Output> };

export function useChange<Input, Output>(
  options: ChangeOptions<Input, Output> & Action<Input, Output>,
) {
  const { call, toasts } = useApp();
  const refresh = useRefreshOf();
  return useMutation({
    mutationFn: (input: Input) =>
      "run" in options ? options.run(call, input) : call((api) => options.ask(api, input)),
    onSuccess: (output, input) => options.onDone?.(output, input),
    onError: (error) => {
      if (!options.showsError) toasts.refuse(error);
    },
    onSettled: (_output, _error, input) => {
      const own = "ask" in options ? [(api: Api) => options.ask(api, input)] : [];
      return refresh(options.touches ?? own);
    },
  });
}

export function useLeaveGuard(): void {
  const { unsaved, questions, words } = useApp();
  const { route } = useLocation();
  useEffect(() => {
    const close = (event: BeforeUnloadEvent) => {
      if (unsaved.value > 0) event.preventDefault();
    };
    const follow = (event: MouseEvent) => {
      const target = event.target instanceof Element ? event.target.closest("a") : null;
      const isHere = target !== null && target.origin === location.origin && target.target === "";
      if (!isHere || unsaved.value === 0 || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      void questions.ask({ ...words.form.leave, isDangerous: true }).then((isLeft) => {
        if (isLeft) route(target.href.slice(location.origin.length));
      });
    };
    addEventListener("beforeunload", close);
    addEventListener("click", follow, { capture: true });
    return () => {
      removeEventListener("beforeunload", close);
      removeEventListener("click", follow, { capture: true });
    };
  }, [words]);
}

export function useClosing(onClose: () => void): (isDirty: boolean) => void {
  const { questions, words } = useApp();
  return (isDirty) => {
    if (!isDirty) return onClose();
    void questions.ask({ ...words.form.leave, isDangerous: true }).then((isLeft) => {
      if (isLeft) onClose();
    });
  };
}

export function useSignOut(): () => void {
  const { call, pendingChanges, signInAsked, toasts, user, workspace } = useApp();
  const client = useQueryClient();
  const signOut = async () => {
    try {
      await Promise.all(pendingChanges);
      await call((api) => api.POST("/api/auth/logout"), { mayBeSignedOut: true });
    } catch (error) {
      toasts.refuse(error);
      return;
    }
    client.clear();
    user.value = null;
    workspace.value = null;
    signInAsked.value?.(false);
    signInAsked.value = null;
  };
  return () => void signOut();
}
