import { useQueryClient } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import type { Wire } from "../../api/wire.ts";
import { useChange } from "../../app/use_change.ts";
import { useDocument } from "../../app/use_document.ts";

const WATCH_MS = 1_000;
/** The areas that reading pages again may change. */
const TOUCHED = [
  "repairs",
  "competitors",
  "matches",
  "products",
  "observations",
  "runs",
  "overview",
];

export type Cause = Wire<"RepairGroup">["cause"];

export interface ShopRetry {
  /** The retry that is watched: one in hand, or the last that was begun here; null before any. */
  readonly retry: Wire<"Retry"> | null;
  readonly isRunning: boolean;
  readonly isBusy: boolean;
  start(cause: Cause | null): void;
  cancel(): void;
}

/** Reads the failing pages of a shop once more, and follows that to its end. */
export function useRetry(competitorId: string, knownId: string | null): ShopRetry {
  const client = useQueryClient();
  const [begunId, setBegunId] = useState<string | null>(null);
  const retryId = begunId ?? knownId;
  const starting = useChange({
    run: (call, cause: Cause | null) =>
      call((api) => api.POST("/api/repairs/retries", { body: { competitorId, cause } })),
    touches: [],
    onDone: ({ id }) => setBegunId(id),
  });
  const cancelling = useChange({
    run: (call, id: string) =>
      call((api) =>
        api.POST("/api/repairs/retries/{retryId}/cancel", { params: { path: { retryId: id } } })
      ),
    touches: TOUCHED,
  });
  const found = useDocument({
    key: ["retries", retryId],
    read: (api) =>
      api.GET("/api/repairs/retries/{retryId}", { params: { path: { retryId: retryId ?? "" } } }),
    isWanted: retryId !== null,
    everyMs: (retry, error) => error !== null || (retry && !isInFlight(retry)) ? false : WATCH_MS,
  });
  const retry = retryId === null ? null : found.data ?? null;
  const hasEnded = retry !== null && !isInFlight(retry);
  // A retry found in the list of groups is also watched to its end.
  useEffect(() => {
    if (knownId !== null) setBegunId(knownId);
  }, [knownId]);
  useEffect(() => {
    if (!hasEnded) return;
    for (const area of TOUCHED) void client.invalidateQueries({ queryKey: [area] });
  }, [retryId, hasEnded]);
  return {
    retry,
    isRunning: retry !== null && !hasEnded,
    isBusy: starting.isPending || cancelling.isPending || (retryId !== null && found.isPending),
    start: (cause) => starting.mutate(cause),
    cancel: () => retry && cancelling.mutate(retry.id),
  };
}

function isInFlight({ status }: Wire<"Retry">): boolean {
  return status === "queued" || status === "running";
}
