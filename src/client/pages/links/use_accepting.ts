import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import { useChange } from "../../app/use_change.ts";

/** What links may change on other screens. */
const TOUCHED = ["linkChecks", "matches", "products", "competitors", "overview"];

/** Makes links of lines, or puts them aside. */
export function useAccepting(jobId: string) {
  const { words, show, toasts } = useApp();
  const texts = words.links;
  const accept = useChange({
    run: (call, body: Wire<"AcceptLinkLines">) =>
      call((api) =>
        api.POST("/api/link-checks/{jobId}/accept", { params: { path: { jobId } }, body })
      ),
    touches: TOUCHED,
    onDone: ({ status, linked, refused }) => {
      const goesOn = status === "queued" || status === "running";
      const told = [texts.linkedTold(linked, show.number(linked))];
      if (refused > 0) told.push(texts.refusedTold(refused, show.number(refused)));
      if (goesOn) told.push(texts.goesOnTold);
      toasts.tell(`${told.join(". ")}.`);
    },
  });
  const drop = useChange({
    run: (call, body: Wire<"DropLinkLines">) =>
      call((api) =>
        api.POST("/api/link-checks/{jobId}/drop", { params: { path: { jobId } }, body })
      ),
    touches: ["linkChecks"],
  });
  return {
    isBusy: accept.isPending || drop.isPending,
    accept: (body: Wire<"AcceptLinkLines">) => accept.mutate(body),
    drop: (line: number, dropped: boolean) => drop.mutate({ lines: [line], dropped }),
  };
}
