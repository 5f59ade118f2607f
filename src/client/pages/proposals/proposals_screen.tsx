/** The inbox lists proposals that wait for a decision, with their reasons. */
import { DAY_MS, iso } from "../../../base/time.ts";
import { useRef, useState } from "preact/hooks";
import { addressOf, byId, get } from "../../api/call.ts";
import { useKeys, useMedia, useSettled } from "../../parts/hooks.ts";
import { TIGHT } from "../../parts/table/table.tsx";
import { Button, Dialog, Menu, Switch } from "../../parts/controls.tsx";
import { countOf, isMatching, type Target } from "../../parts/decision/decide_in_bulk.ts";
import { effectSumText } from "../../parts/price_figures.tsx";
import { FileLinks, type Files, filesOf, KeyList, PageHead } from "../../parts/page.tsx";
import { AcceptDialog, RefusedNote } from "./marked_bar.tsx";
import { InboxList } from "./inbox_list.tsx";
import {
  asOfNow,
  CHIP_NAMES,
  type Inbox,
  ProposalChips,
  type ProposalFilter,
  sortOf,
  SORTS,
  useInbox,
  useShown,
} from "./inbox.tsx";
import type { RefObject } from "preact";
import type { ProposalInMarket } from "../../../rules/proposals/proposal.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { dayOf, startOfDay } from "../../formats/day.ts";
import type { Proposal } from "../../parts/decision/decision.tsx";
import { DecideFooter } from "./decide_footer.tsx";
import { ProposalWhy } from "./proposal_why.tsx";

export function ProposalsScreen() {
  const { words } = useApp();
  const inbox = useInbox();
  const { filter, decisions, proposals } = inbox;
  const [currentId, onCurrent] = useState<string | null>(null);
  const current = proposals.find(({ id }) => id === currentId) ?? null;
  const shown = useShown(inbox, current);
  const [isPanelAsked, setPanelAsked] = useState(false);
  const price = useRef<HTMLInputElement>(null);
  const { ask, approve, dialog } = useAccepting(inbox);
  useInboxKeys(inbox, current, { approve, counter: () => current && price.current?.select() });
  return (
    <>
      <InboxHead inbox={inbox} />
      <ProposalChips filter={filter} summary={inbox.summary}>
        {inbox.mayDecide && isNarrowed(filter) && proposals.length > 0 && (
          <Button onClick={() => ask(inbox.all)}>{words.proposals.approveAll(inbox.total)}</Button>
        )}
      </ProposalChips>
      <RefusedNote decisions={decisions} />
      <div class="inbox">
        <InboxList
          inbox={inbox}
          shownId={shown?.id ?? null}
          onCurrent={onCurrent}
          onOpen={(id) => {
            onCurrent(id);
            setPanelAsked(true);
          }}
          onApprove={() => approve(inbox.marked)}
          onApproveAll={(target) => ask(target)}
        />
        <InboxPanel
          inbox={inbox}
          shown={shown}
          hasKeys={current !== null}
          price={price}
          isAsked={isPanelAsked}
          onClose={() => setPanelAsked(false)}
        />
      </div>
      {dialog}
    </>
  );
}

function useAccepting({ decisions, selection }: Inbox) {
  const [asked, setAsked] = useState<{ target: Target; done(): void } | null>(null);
  const ask = (target: Target, done = () => {}) => setAsked({ target: asOfNow(target), done });
  const approve = (target: Target) => {
    if (countOf(target) > 1) return ask(target, selection.clear);
    decisions.approve(target);
    selection.clear();
  };
  const dialog = asked && (
    <AcceptDialog
      target={asked.target}
      onClose={() => setAsked(null)}
      onAccept={(some) => {
        decisions.approve(asked.target, some);
        asked.done();
        setAsked(null);
      }}
    />
  );
  return { ask, approve, dialog };
}

function isNarrowed({ values }: ProposalFilter): boolean {
  return values.q !== "" || CHIP_NAMES.some((name) => values[name] !== "");
}

const CHANGED_DAYS = 30;

function InboxHead({ inbox }: { inbox: Inbox }) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { filter, query, summary, proposals, total, isOpen, isLater, isPhone } = inbox;
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

function useInboxKeys(
  inbox: Inbox,
  current: Proposal | null,
  on: { approve(target: Target): void; counter(): void },
): void {
  const { mayDecide, decisions, marked, selection } = inbox;
  const wanted = countOf(marked) > 0 ? marked : current ? [current] : [];
  const decide = (action: (target: readonly Proposal[]) => void) => () => {
    // If all matching proposals are selected, the keys `r` and `s` do nothing, because only the
    // buttons of `MarkedBar` ask for a confirmation.
    if (!mayDecide || isMatching(wanted)) return;
    action(wanted);
    selection.clear();
  };
  useKeys({
    a: () => mayDecide && on.approve(wanted),
    r: decide((some) => decisions.reject(some)),
    s: decide(decisions.later),
    e: () => mayDecide && on.counter(),
    u: decisions.undo,
    Escape: selection.clear,
  });
}

const SETTLED_MS = 150;

interface InboxPanelProps {
  readonly inbox: Inbox;
  readonly shown: Proposal | null;
  readonly hasKeys: boolean;
  readonly price: RefObject<HTMLInputElement | null>;
  readonly isAsked: boolean;
  onClose(): void;
}

function InboxPanel({ inbox, shown, hasKeys, price, isAsked, onClose }: InboxPanelProps) {
  const { words } = useApp();
  const { panel } = words.proposals;
  const isBeside = !useMedia(TIGHT);
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
    <aside class="inbox-panel column framed gap-12" aria-label={panel}>
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
