/** Explains a proposal and decides on it: next to the list, or over it in a narrow window. */
import type { RefObject } from "preact";
import type { ProposalInMarket } from "../../../rules/proposals/proposal.ts";
import { byId, get } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import type { Proposal } from "../../parts/decision/decision.ts";
import { Dialog } from "../../parts/controls.tsx";
import { KeyList } from "../../parts/page.tsx";
import { useMedia } from "../../parts/use_media.ts";
import { useSettled } from "../../parts/use_settled.ts";
import { DecideFooter } from "./decide_footer.tsx";
import { ProposalWhy } from "./proposal_why.tsx";
import type { Inbox } from "./use_inbox.ts";

const SETTLED_MS = 150;
const BESIDE = "(min-width: 1100px)";

interface InboxPanelProps {
  readonly inbox: Inbox;
  readonly shown: Proposal | null;
  /** True if keys act on `shown`; otherwise only the buttons do. */
  readonly hasKeys: boolean;
  /** The field of the counter-price. */
  readonly price: RefObject<HTMLInputElement | null>;
  /** A narrow window shows the panel instead of the list. */
  readonly isAsked: boolean;
  onClose(): void;
}

export function InboxPanel({ inbox, shown, hasKeys, price, isAsked, onClose }: InboxPanelProps) {
  const { words } = useApp();
  const { panel } = words.proposals;
  const isBeside = useMedia(BESIDE);
  const market = useMarket(isBeside || isAsked ? shown : null);
  const offers = market?.offers ?? null;
  const why = shown && <ProposalWhy proposal={shown} market={market} />;
  const footer = shown && (
    <DecideFooter
      proposal={shown}
      offers={offers}
      decisions={inbox.decisions}
      price={price}
      onDone={onClose}
    />
  );
  if (!isBeside) {
    return isAsked && why && (
      <Dialog kind="panel" title={panel} onClose={onClose} actions={footer}>{why}</Dialog>
    );
  }
  return inbox.proposals.length > 0 && (
    <aside class="inbox-panel framed gap-12" aria-label={panel}>
      {why
        ? (
          <>
            <div class="inbox-why" tabIndex={0} role="region" aria-label={panel}>{why}</div>
            <footer class={hasKeys ? undefined : "keyless"}>
              {footer}
              {!hasKeys && <small class="soft">{words.proposals.keysFirst}</small>}
            </footer>
          </>
        )
        : (
          <>
            <h2>{panel}</h2>
            <PanelHint />
          </>
        )}
    </aside>
  );
}

/** Null while loading. Loading waits until the person rests on a proposal. */
function useMarket(shown: Proposal | null): ProposalInMarket | null {
  const id = useSettled(shown?.id ?? null, SETTLED_MS);
  const { data } = useDocument(get("/api/proposals/{id}", byId(id ?? "")), {
    isWanted: id !== null,
  });
  return data && data.id === shown?.id ? data : null;
}

function PanelHint() {
  const texts = useApp().words.proposals;
  return (
    <>
      <p class="soft">{texts.panelHint}</p>
      <KeyList rows={texts.keysHint} />
    </>
  );
}
