/** A button that reads a shop's failing pages again. */
import { useEffect, useState } from "preact/hooks";
import { byPath, get, type Wire } from "../../api/call.ts";
import { useApp, useChange, useDocument, useRefresh } from "../../app/app.ts";
import { Button } from "../controls.tsx";

const WATCH_MS = 1_000;
const TOUCHED = [
  "repairs",
  "competitors",
  "matches",
  "products",
  "runs",
  "overview",
  "alerts",
] as const;

export type Cause = Wire<"RepairGroup">["cause"];

export interface ShopRetry {
  /** The running retry, or the last one that was started here. */
  readonly retry: Wire<"Retry"> | null;
  readonly isRunning: boolean;
  readonly isBusy: boolean;
  start(cause: Cause | null): void;
  cancel(): void;
}

export function useRetry(competitorId: string, knownId: string | null): ShopRetry {
  const refresh = useRefresh(...TOUCHED);
  const [begunId, setBegunId] = useState<string | null>(null);
  const retryId = begunId ?? knownId;
  const starting = useChange({
    ask: (api, cause: Cause | null) =>
      api.POST("/api/repairs/retries", { body: { competitorId, cause } }),
    touches: [],
    onDone: ({ id }) => setBegunId(id),
  });
  const cancelling = useChange({
    ask: (api, id: string) =>
      api.POST("/api/repairs/retries/{retryId}/cancel", byPath({ retryId: id })),
    touches: TOUCHED,
  });
  const found = useDocument(
    get("/api/repairs/retries/{retryId}", byPath({ retryId: retryId ?? "" })),
    {
      isWanted: retryId !== null,
      everyMs: (retry, error) => error !== null || (retry && !isInFlight(retry)) ? false : WATCH_MS,
    },
  );
  const retry = retryId === null ? null : found.data ?? null;
  const hasEnded = retry !== null && !isInFlight(retry);
  useEffect(() => {
    if (knownId !== null) setBegunId(knownId);
  }, [knownId]);
  useEffect(() => {
    if (!hasEnded) return;
    void refresh();
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

interface ReadAgainProps {
  readonly shop: { readonly id: string; readonly displayName: string };
  /** Null for the pages of all causes. */
  readonly cause?: Cause | null;
  readonly kind?: "main";
}

export function ReadAgain({ shop, cause = null, kind }: ReadAgainProps) {
  const { words: { repairs: { repair: texts } }, show, may } = useApp();
  const { retry, isRunning, isBusy, start } = useRetry(shop.id, null);
  if (!may("manager")) return null;
  const pages = show.number(retry?.pages ?? 0);
  return (
    <span class="read-again flow row gap-10 rows-4">
      {retry && (
        <small role="status">
          {isRunning
            ? texts.running(show.number(retry.done), pages)
            : texts.ended(show.number(Math.max(0, retry.pages - retry.failing)), pages)}
        </small>
      )}
      {!isRunning && (
        <Button
          {...(kind && { kind })}
          label={`${texts.again}: ${shop.displayName}`}
          isBusy={isBusy}
          onClick={() => start(cause)}
        >
          {texts.again}
        </Button>
      )}
    </span>
  );
}
