/** The inbox lists proposals that wait for a decision, or decided ones, with their reasons. */
import { DAY_MS, iso } from "../../../base/time.ts";
import { useState } from "preact/hooks";
import { addressOf, byId, get } from "../../api/call.ts";
import { useKeys, useMedia, useSettled } from "../../parts/hooks.ts";
import { TIGHT } from "../../parts/table/table.tsx";
import { Dialog, Menu, Switch } from "../../parts/controls.tsx";
import { countOf, isMatching } from "../../parts/decision/decide_in_bulk.ts";
import { effectSumText } from "../../parts/price_figures.tsx";
import { FileLinks, type Files, filesOf, KeyList, PageHead } from "../../parts/page.tsx";
import { AcceptDialog, RefusedNote } from "./marked_bar.tsx";
import { InboxList } from "./inbox_list.tsx";
import { InboxContext, ProposalChips, sortOf, SORTS, useInbox, useInboxState } from "./inbox.tsx";
import type { ProposalInMarket } from "../../../rules/proposals/proposal.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { dayOf, startOfDay } from "../../formats/day.ts";
import type { Proposal } from "../../parts/decision/decision.tsx";
import { DecideFooter } from "./decide_footer.tsx";
import { ProposalWhy } from "./proposal_why.tsx";

export function ProposalsScreen() {
  const inbox = useInboxState();
  const [isPanelAsked, setPanelAsked] = useState(false);
  useInboxKeys(inbox);
  return (
    <InboxContext value={inbox}>
      <InboxHead />
      <ProposalChips />
      <RefusedNote />
      <div class="inbox">
        <InboxList
          onOpen={(id) => {
            inbox.onCurrent(id);
            setPanelAsked(true);
          }}
        />
        <InboxPanel isAsked={isPanelAsked} onClose={() => setPanelAsked(false)} />
      </div>
      {inbox.asked && <AcceptDialog target={inbox.asked} />}
    </InboxContext>
  );
}

const CHANGED_DAYS = 30;

function InboxHead() {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { filter, query, summary, proposals, total, isOpen, isLater, isPhone } = useInbox();
  const { timeZone } = show;
  const since = startOfDay(dayOf(iso(Date.now() - CHANGED_DAYS * DAY_MS), timeZone), timeZone);
  return (
    <PageHead
      title={texts.title}
      beside={isOpen && proposals.length > 0 && (
        <span class="soft">
          {isLater ? texts.putOffCount(total) : texts.open(total)}
          {!isLater && summary?.expiring ? ` · ${texts.expiring(summary.expiring)}` : ""}
          {!isLater && typeof summary?.effect30dCents === "number" &&
            ` · ${effectSumText(words, show, summary.effect30dCents)}`}
        </span>
      )}
    >
      {isOpen && !isPhone && (
        <Switch
          label={texts.order}
          options={SORTS}
          value={sortOf(filter.values)}
          textOf={(one) => texts.sorts[one]}
          onValue={(one) => filter.set("sort", one)}
        />
      )}
      <Menu icon="export" label={words.market.export}>
        <MenuFiles what={texts.listed} {...filesOf("/api/proposals", query)} />
        <MenuFiles
          what={texts.changedPrices}
          csv={addressOf("/api/price-changes", { format: "csv", dialect: "excel", since })}
          xlsx={addressOf("/api/price-changes", { format: "xlsx", since })}
        />
      </Menu>
    </PageHead>
  );
}

function MenuFiles({ what, ...files }: Files & { readonly what: string }) {
  return (
    <p class="menu-files row spread gap-16">
      {what} <FileLinks what={what} {...files} />
    </p>
  );
}

function useInboxKeys(inbox: ReturnType<typeof useInbox>): void {
  const { mayDecide, decisions, marked, selection, current, price } = inbox;
  const wanted = countOf(marked) > 0 ? marked : current ? [current] : [];
  const decide = (action: (target: readonly Proposal[]) => void) => () => {
    // A key must not decide all matching proposals: only buttons of `MarkedBar` ask before this.
    if (!mayDecide || isMatching(wanted)) return;
    action(wanted);
    selection.clear();
  };
  useKeys({
    a: () => mayDecide && inbox.approve(wanted),
    r: decide((some) => decisions.reject(some)),
    s: decide(decisions.later),
    e: () => mayDecide && current && price.current?.select(),
    u: decisions.undo,
    Escape: selection.clear,
  });
}

const SETTLED_MS = 150;

interface InboxPanelProps {
  readonly isAsked: boolean;
  onClose(): void;
}

function InboxPanel({ isAsked, onClose }: InboxPanelProps) {
  const { words } = useApp();
  const { proposals, shown, current } = useInbox();
  const { panel } = words.proposals;
  const isBeside = !useMedia(TIGHT);
  const market = useMarket(isBeside || isAsked ? shown : null);
  const why = shown && <ProposalWhy proposal={shown} market={market} />;
  const footer = shown && (
    <DecideFooter proposal={shown} offers={market?.offers ?? null} onDone={onClose} />
  );
  if (!isBeside) {
    return isAsked && why && (
      <Dialog kind="panel" title={panel} onClose={onClose} actions={footer}>{why}</Dialog>
    );
  }
  return proposals.length > 0 && (
    <aside class="inbox-panel column framed gap-12" aria-label={panel}>
      {why
        ? (
          <>
            <div class="inbox-why" tabIndex={0} role="region" aria-label={panel}>{why}</div>
            <footer class={current ? undefined : "keyless"}>
              {footer}
              {!current && <small class="soft">{words.proposals.keysFirst}</small>}
            </footer>
          </>
        )
        : (
          <>
            <h2>{panel}</h2>
            <p class="soft">{words.proposals.panelHint}</p>
            <KeyList rows={words.proposals.keysHint} />
          </>
        )}
    </aside>
  );
}

function useMarket(shown: Proposal | null): ProposalInMarket | null {
  const id = useSettled(shown?.id ?? null, SETTLED_MS);
  const { data } = useDocument(id === null ? null : get("/api/proposals/{id}", byId(id)));
  return data && data.id === shown?.id ? data : null;
}
