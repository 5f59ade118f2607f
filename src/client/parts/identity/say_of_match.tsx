import { byId, type Call } from "../../api/call.ts";
import type { CompetitorProduct } from "../../../shops/matches/match.ts";
import type { MatchStatement } from "../../../shops/matches/list_matches.ts";
import { identityReasonText } from "../../../engine/wording/page_words.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../controls.tsx";
import { useUndoableChange } from "../undo_queue.ts";

type SpokenMatch = Pick<CompetitorProduct, "id" | "competitor" | "identity">;

const TOUCHED = [
  "matches",
  "products",
  "repairs",
  "repair-pages",
  "competitors",
  "audit-logs",
] as const;
const PATHS = {
  confirm: "/api/competitor-products/{id}/confirm",
  reject: "/api/competitor-products/{id}/reject",
  reopen: "/api/competitor-products/{id}/reopen",
} as const;

export function SayButtons(
  { match, of, onDone }: { readonly match: SpokenMatch; readonly of: string; onDone?(): void },
) {
  const texts = useApp().words.product.identity;
  const send = (call: Call, said: MatchStatement) =>
    call((api) => api.POST(PATHS[said], byId(match.id)));
  const say = useUndoableChange({
    run: send,
    touches: TOUCHED,
    told: (_, said) => (said === "confirm" ? texts.confirmed : texts.rejected)(match.competitor),
    undo: () => (call) => send(call, "reopen"),
    ...(onDone && { onDone }),
  });
  return (
    <span class="say-buttons">
      <Button
        label={texts.isSameOf(of)}
        isDisabled={say.isPending}
        onClick={() => say.mutate("confirm")}
      >
        {texts.isSame}
      </Button>
      <Button
        kind="danger"
        label={texts.isWrongOf(of)}
        isDisabled={say.isPending}
        onClick={() => say.mutate("reject")}
      >
        {texts.isWrong}
      </Button>
    </span>
  );
}

export function useReasonText(match: Pick<SpokenMatch, "identity"> | null): string | null {
  const { language } = useApp().audience;
  const [first] = match?.identity?.reasons ?? [];
  return first ? identityReasonText(first, language) : null;
}

/**
 * True if a link claims an exact match, but the page shows another product and nobody has confirmed
 * the link.
 */
export function isInQuestion(
  { enabled, matchType, identity }: Pick<CompetitorProduct, "enabled" | "matchType" | "identity">,
): boolean {
  return enabled && matchType === "exact" && identity?.verdict === "different" &&
    identity.confirmedBy === null;
}
