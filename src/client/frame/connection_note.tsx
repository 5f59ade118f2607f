/** Shows the age of the data while the service cannot be reached. */
import { type Query, type QueryClient, useQueryClient } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import { isUnreachable } from "../api/api_error.ts";
import { useApp } from "../app/app.ts";

const AGAIN_MS = 5_000;

export function ConnectionNote() {
  const { words, show } = useApp();
  const client = useQueryClient();
  const [sinceMs, setSinceMs] = useState<number | null>(null);
  const isLost = sinceMs !== null;
  useEffect(() => client.getQueryCache().subscribe(() => setSinceMs(oldestOf(client))), [client]);
  useEffect(() => {
    if (!isLost) return;
    const again = () => void client.refetchQueries({ type: "active", predicate: isKept });
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [client, isLost]);
  if (!isLost) return null;
  return (
    <p class="note warn banner" role="status">
      {words.frame.connectionLost(show.time(new Date(sinceMs)))}
    </p>
  );
}

function oldestOf(client: QueryClient): number | null {
  const kept = client.getQueryCache().findAll({ type: "active", predicate: isKept });
  return kept.length === 0 ? null : Math.min(...kept.map(({ state }) => state.dataUpdatedAt));
}

function isKept({ state }: Query): boolean {
  return state.data !== undefined && isUnreachable(state.error);
}
