import { byId } from "../../api/call.ts";
import type { CompetitorProduct } from "../../../shops/matches/match.ts";
import type { MatchStatement } from "../../../shops/matches/list_matches.ts";
import { identityReasonText } from "../../../engine/wording/identity_words.ts";
import { listenerOf, useApp, useChange } from "../../app/app.ts";
import { Button } from "../controls.tsx";

type SpokenMatch = Pick<CompetitorProduct, "id" | "competitor" | "identity">;

const TOUCHED = ["matches", "products", "repairs", "repairPages", "competitors", "audit"] as const;
const PATHS = {
  confirm: "/api/competitor-products/{id}/confirm",
  reject: "/api/competitor-products/{id}/reject",
  reopen: "/api/competitor-products/{id}/reopen",
} as const;

function useSayOfMatch(onDone?: () => void) {
  const { words, toasts } = useApp();
  const texts = words.product.identity;
  const change = useChange({
    ask: (api, { match: { id }, said }: { match: SpokenMatch; said: MatchStatement }) =>
      api.POST(PATHS[said], byId(id)),
    touches: TOUCHED,
    onDone: (_, { match, said }) => {
      if (said === "reopen") return toasts.tell(words.frame.undone);
      const text = said === "confirm" ? texts.confirmed : texts.rejected;
      toasts.tell(text(match.competitor), () => change.mutate({ match, said: "reopen" }));
      onDone?.();
    },
  });
  return change;
}

export function SayButtons(
  { match, of, onDone }: { readonly match: SpokenMatch; readonly of: string; onDone?(): void },
) {
  const texts = useApp().words.product.identity;
  const say = useSayOfMatch(onDone);
  return (
    <span class="say-buttons">
      <Button
        label={texts.isSameOf(of)}
        isDisabled={say.isPending}
        onClick={() => say.mutate({ match, said: "confirm" })}
      >
        {texts.isSame}
      </Button>
      <Button
        kind="danger"
        label={texts.isWrongOf(of)}
        isDisabled={say.isPending}
        onClick={() => say.mutate({ match, said: "reject" })}
      >
        {texts.isWrong}
      </Button>
    </span>
  );
}

/** The first reason of the verdict on a link's page; null without a verdict. */
export function useReasonText(match: SpokenMatch): string | null {
  const { language } = listenerOf(useApp());
  const [first] = match.identity?.reasons ?? [];
  return first ? identityReasonText(first, language) : null;
}

/** True if an exact match's page shows another product and no person has confirmed the match. */
export function isInQuestion(
  { enabled, matchType, identity }: Pick<CompetitorProduct, "enabled" | "matchType" | "identity">,
): boolean {
  return enabled && matchType === "exact" && identity?.verdict === "different" &&
    identity.confirmedBy === null;
}
