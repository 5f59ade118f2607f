import { useLocation } from "preact-iso";
import { byPath, type Wire } from "../../api/call.ts";
import { useApp, useChange } from "../../app/app.ts";

const TOUCHED = ["linkChecks", "matches", "products", "competitors", "overview"] as const;

interface MeantLine {
  readonly line: Wire<"LinkCheckLine">;
  readonly sku: string;
}

export function meantBy(line: Wire<"LinkCheckLine">): MeantLine | null {
  const [sku, second] = line.nearSkus;
  return line.status === "open" && sku !== undefined && second === undefined ? { line, sku } : null;
}

export function useAccepting(jobId: string) {
  const { words: { links: texts }, show, toasts } = useApp();
  const { route } = useLocation();
  const accept = useChange({
    ask: (api, body: Wire<"AcceptLinkLines">) =>
      api.POST("/api/link-checks/{jobId}/accept", { ...byPath({ jobId }), body }),
    touches: TOUCHED,
    onDone: ({ status, linked, refused }) => {
      const goesOn = status === "queued" || status === "running";
      const parts = [texts.linkedToast(show.number(linked))];
      if (refused > 0) parts.push(texts.refusedToast(show.number(refused)));
      if (goesOn) parts.push(texts.goesOnToast);
      toasts.tell(`${parts.join(". ")}.`);
    },
  });
  const drop = useChange({
    ask: (api, body: Wire<"DropLinkLines">) =>
      api.POST("/api/link-checks/{jobId}/drop", { ...byPath({ jobId }), body }),
    touches: ["linkChecks"],
  });
  const correct = useChange({
    run: async (call, meant: readonly MeantLine[]) => {
      const lines = meant.map(({ sku, line: { url, packFactor } }) =>
        packFactor === null ? { sku, url } : { sku, url, packFactor }
      );
      const begun = await call((api) => api.POST("/api/link-checks", { body: { lines } }));
      // The new check replaces the original lines.
      const body = { lines: meant.map(({ line }) => line.line), dropped: true };
      await call((api) =>
        api.POST("/api/link-checks/{jobId}/drop", { ...byPath({ jobId }), body })
      );
      return begun;
    },
    touches: ["linkChecks"],
    onDone: (begun) => route(`/links/${begun.jobId}`),
  });
  const shops = useChange({
    ask: (api) => api.POST("/api/link-checks/{jobId}/shops", { ...byPath({ jobId }), body: {} }),
    touches: TOUCHED,
    onDone: (begun) => route(`/links/${begun.jobId}`),
  });
  return {
    isBusy: accept.isPending || drop.isPending || correct.isPending || shops.isPending,
    makeShops: () => shops.mutate(undefined),
    correct: (meant: readonly MeantLine[]) => correct.mutate(meant),
    accept: (body: Wire<"AcceptLinkLines">) => accept.mutate(body),
    drop: (line: number, dropped: boolean) => drop.mutate({ lines: [line], dropped }),
  };
}
