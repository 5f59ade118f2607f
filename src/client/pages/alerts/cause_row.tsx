/**
 * Shows one cause of alerts, such as a rule or a shop, as a row of the alerts screen. Snoozing
 * hides a cause only from the person who snoozes it. Marking a cause as read hides it from
 * everyone.
 */
import { DAY_MS } from "../../../base/time.ts";
import { alertText } from "../../../engine/wording/alert_text.ts";
import { get, where, type Wire } from "../../api/call.ts";
import { useApp, useChange, useDocument } from "../../app/app.ts";
import { atHour, dayOf, momentText, startOfTomorrow } from "../../formats/day.ts";
import { Button, Icon, type IconName, Menu } from "../../parts/controls.tsx";
import { decideInBulk } from "../../parts/decision/decide_in_bulk.ts";
import { decidedText, EndsBadge, type Proposal } from "../../parts/decision/decision.tsx";
import { useHeldImport } from "../../parts/import/import_state.tsx";
import { Delta, effectSumText, effectText, MarginAfter } from "../../parts/price_figures.tsx";
import { ReadAgain } from "../../parts/shop/read_again.tsx";
import { Unbroken } from "../../parts/page.tsx";
import { useUndoableChange } from "../../parts/undo_queue.ts";

type Cause = Wire<"AlertCause">;

const ICONS: Readonly<Record<Cause["kind"], IconName>> = {
  rule: "rules",
  shop: "competitors",
  prices: "warning",
  links: "link",
  import: "imports",
  delivery: "imports",
  system: "settings",
};

interface CauseRowProps {
  readonly cause: Cause;
  readonly ending: number;
  readonly isInfo: boolean;
  readonly isFirst: boolean;
}

export function CauseRow({ cause, ending, isInfo, isFirst }: CauseRowProps) {
  const { words: { causes: texts, imports }, may } = useApp();
  const { kind, severity, latest, snoozed } = cause;
  const { facts } = latest;
  const isDown = facts?.code === "domain_failing";
  const proposals = useRuleProposals(cause.proposals > 0 ? latest.ruleId : null);
  const open = proposals?.total ?? cause.proposals;
  const { title, body } = useCauseText(cause, open, ending);
  const snooze = useSnooze(cause, title);
  const read = useRead(cause, title);
  const tone = severity === "high" || severity === "critical"
    ? "bad"
    : kind === "rule"
    ? "info"
    : "plain";
  const hasProposals = cause.proposals > 0 && latest.ruleId !== null;
  const href = hasProposals ? `/proposals?ruleId=${latest.ruleId}` : hrefOf(latest);
  const isHeld = facts?.code === "import_held";
  return (
    <li class="cause-row stack framed fine gap-12 rows-2">
      <span class={`cause-icon ${tone}`}>
        <Icon name={ICONS[kind]} />
      </span>
      <div>
        <h3>
          <a href={href}>{title}</a>
        </h3>
        <p class="breaks soft">{body}</p>
      </div>
      <div class="cause-actions row gap-6">
        {isDown && facts.competitorId !== undefined
          ? (
            <ReadAgain
              shop={{ id: facts.competitorId, displayName: facts.competitor ?? facts.domain }}
            />
          )
          : (
            <a class={isFirst ? "button main" : "button"} href={href}>
              {open > 0 ? texts.decide(open) : isHeld ? imports.job.hold.look : texts.look[kind]}
            </a>
          )}
        {snoozed
          ? <Wake until={snoozed.until} change={snooze} />
          : isInfo && may("manager")
          ? (
            <Button isBusy={read.isPending} onClick={() => read.mutate(undefined)}>
              {texts.read}
            </Button>
          )
          : <SnoozeMenu onSnooze={snooze.mutate} onRead={() => read.mutate(undefined)} />}
      </div>
      {proposals && open > 0 && <CauseProposals items={proposals.items} total={open} href={href} />}
    </li>
  );
}

function useCauseText({ latest, count, proposals, firstAt }: Cause, open: number, ending: number) {
  const { words, show, audience } = useApp();
  const texts = words.causes;
  const { facts } = latest;
  const { title, body } = alertText(audience, latest);
  const held = useHeldImport(facts?.code === "import_held" ? facts.jobId : null);
  const effect = useRuleEffect(proposals > 0 ? latest.ruleId : null);
  const momentOf = (instant: string) => momentText(show, instant);
  const [at, since] = [momentOf(latest.createdAt), momentOf(firstAt)];
  const timed = (text: string) => `${text.replace(/\.$/, "")} · ${count > 1 ? texts.last(at) : at}`;
  if (held) {
    const until = held.until === null ? "" : ` ${words.imports.job.hold.kept(held.until)}.`;
    return { title, body: `${texts.heldSince(at, held.why)}${until}` };
  }
  const isDown = facts?.code === "domain_failing";
  if (isDown && facts.competitor !== undefined) {
    return { title: words.repairs.down(facts.competitor, momentOf(facts.since)), body: texts.down };
  }
  if (count === 1) return { title, body: isDown ? body : timed(body) };
  if (facts?.code === "rule_fired") {
    const { ruleName } = facts;
    const last = ending > 0 ? [words.proposals.expiring(ending)] : [];
    const fresh = open > proposals ? [texts.fresh(proposals, since)] : [];
    const told = `${[...fresh, ...last, effect ?? texts.newest(title)].join(". ")}.`;
    return {
      title: open > 0 ? texts.ready(ruleName, open) : texts.fired(ruleName, count),
      body: fresh.length > 0 && since === at ? told : timed(told),
    };
  }
  const told = `${body} ${texts.times(count, since)}.`;
  return { title, body: isDown || since === at ? told : timed(told) };
}

export function hrefOf({ facts, ruleId, productId }: Cause["latest"]): string {
  switch (facts?.code) {
    case "domain_failing":
      return facts.competitorId === undefined
        ? "/competitors"
        : `/competitors/${facts.competitorId}`;
    case "recipe_drifting":
      return `/competitors/${facts.competitorId}`;
    case "discovery_fell_back":
      return `/links?competitorId=${facts.competitorId}`;
    case "other_product":
    case "other_products":
      return "/competitors";
    case "shop_held":
      return "/competitors/quarantine";
    case "prices_not_arrived":
      return "/imports/arrivals";
    case "import_overdue":
      return "/imports";
    case "not_fetched":
    case "source_silent":
      return "/imports/sources";
    case "webhook_disabled":
      return "/settings/webhooks";
  }
  if (facts && "jobId" in facts) return `/imports/${facts.jobId}`;
  if (ruleId) return `/rules/${ruleId}`;
  return productId ? `/products/${productId}` : "/settings";
}

function useSnooze(cause: Cause, title: string) {
  const { words, toasts } = useApp();
  const change = useChange({
    ask: (api, until: string | null) =>
      api.POST("/api/alerts/causes/snooze", { body: { key: cause.key, until } }),
    onDone: (_, until) => {
      if (until !== null) toasts.tell(words.causes.snoozed(title), () => change.mutate(null));
    },
  });
  return change;
}

function useRead(cause: Cause, title: string) {
  const { words, toasts } = useApp();
  return useChange({
    ask: (api) => api.POST("/api/alerts/causes/read", { body: { key: cause.key } }),
    touches: ["alerts", "overview"],
    onDone: () => toasts.tell(words.causes.told(title)),
  });
}

function Wake(
  { until, change }: { until: string | null; change: ReturnType<typeof useSnooze> },
) {
  const { words: { causes: texts, rules }, show } = useApp();
  return (
    <>
      <span class="soft">
        {until === null ? texts.change : rules.brakes.until(show.dateTime(until))}
      </span>
      <Button isBusy={change.isPending} onClick={() => change.mutate(null)}>{texts.wake}</Button>
    </>
  );
}

interface SnoozeMenuProps {
  onSnooze(until: string): void;
  onRead(): void;
}

function SnoozeMenu({ onSnooze, onRead }: SnoozeMenuProps) {
  const { words: { causes: texts, proposals }, show, may } = useApp();
  const { timeZone } = show;
  const now = new Date();
  const at = (day: string, hour: number) => atHour(day, hour, timeZone);
  const tomorrow = dayOf(startOfTomorrow(timeZone, now), timeZone);
  const daysOn = (8 - new Date(`${tomorrow}T12:00:00Z`).getUTCDay()) % 7;
  const monday = new Date(Date.parse(tomorrow) + daysOn * DAY_MS).toISOString().slice(0, 10);
  const snooze = (name: "afternoon" | "tomorrow" | "monday", until: string) => ({
    text: texts[name],
    until,
    act: () => onSnooze(until),
  });
  const items = [
    ...[
      snooze("afternoon", at(dayOf(now.toISOString(), timeZone), 14)),
      snooze("tomorrow", at(tomorrow, 7)),
      ...(daysOn > 0 ? [snooze("monday", at(monday, 7))] : []),
    ].filter(({ until }) => Date.parse(until) > now.getTime()),
    { text: texts.change, until: null, act: () => onSnooze("change") },
    ...(may("manager") ? [{ text: texts.done, until: null, act: onRead }] : []),
  ];
  return (
    <Menu
      label={
        <>
          {proposals.later} <span aria-hidden="true">▾</span>
        </>
      }
    >
      {items.map(({ text, until, act }) => (
        <button key={text} type="button" class="menu-item row spread gap-12" onClick={act}>
          {text}
          {until !== null && <small>{momentText(show, until, now.getTime())}</small>}
        </button>
      ))}
    </Menu>
  );
}

function useRuleProposals(ruleId: string | null) {
  const wanted = { status: "open", later: "false", sort: "effect", limit: 3 } as const;
  return useDocument(ruleId === null ? null : get("/api/proposals", where({ ruleId, ...wanted })))
    .data;
}

function useRuleEffect(ruleId: string | null): string | null {
  const { words, show } = useApp();
  const { data } = useDocument(
    ruleId === null ? null : get("/api/proposals/summary", where({ ruleId })),
  );
  const cents = data?.effect30dCents;
  return typeof cents === "number" ? effectSumText(words, show, cents) : null;
}

function CauseProposals(
  { items, total, href }: { items: readonly Proposal[]; total: number; href: string },
) {
  const { words, show, may } = useApp();
  const texts = words.causes;
  return (
    <ul class="cause-proposals ruled">
      {items.map((proposal) => {
        const { id, sku, productTitle, productId, marginPct, marginAfterPct } = proposal;
        const { currentCents, proposedCents, currency, effect } = proposal;
        return (
          <li key={id}>
            <span>
              <a href={`/products/${productId}`}>
                <Unbroken text={productTitle ?? sku} />
              </a>
              <small>
                <MarginAfter
                  pct={marginAfterPct}
                  text={texts.margin(show.share(marginPct), show.share(marginAfterPct))}
                />{" "}
                <EndsBadge proposal={proposal} isOnlySoon />
              </small>
            </span>
            <span class="number">
              {show.money(currentCents, currency)} →{" "}
              <strong>{show.money(proposedCents, currency)}</strong>
              {effect && (
                <small>
                  {effectText(words, show, proposal)}
                  {effect.basis === "30d" && ` ${words.proposals.in30Days}`}
                </small>
              )}
            </span>
            <span class="number">
              <Delta fromCents={currentCents} toCents={proposedCents} />
            </span>
            {may("manager") && <DecideButtons proposal={proposal} />}
          </li>
        );
      })}
      {total > items.length && (
        <li>
          <a href={href}>{texts.more(total - items.length)}</a>
        </li>
      )}
    </ul>
  );
}

const DECISIONS = {
  approve: { undo: "rollback", kind: "plain", label: "acceptOf", told: "approved" },
  reject: { undo: "reopen", kind: "quiet", label: "rejectOf", told: "rejected" },
} as const;

function DecideButtons({ proposal }: { readonly proposal: Proposal }) {
  const app = useApp();
  const { causes: texts, proposals } = app.words;
  const decide = useUndoableChange({
    run: (call, action: keyof typeof DECISIONS) => decideInBulk(call, { action }, [proposal]),
    touches: ["proposals", "alerts", "products", "overview"],
    told: (result, action) =>
      decidedText(app, proposals[DECISIONS[action].told](proposal.sku), result),
    undo: ({ done }, action) =>
      done.length === 0
        ? null
        : (call) => decideInBulk(call, { action: DECISIONS[action].undo }, done),
  });
  return (
    <span class="row-actions">
      {(["approve", "reject"] as const).map((action) => (
        <Button
          key={action}
          kind={DECISIONS[action].kind}
          label={texts[DECISIONS[action].label](proposal.sku)}
          isBusy={decide.isPending}
          onClick={() => decide.mutate(action)}
        >
          {proposals[action]}
        </Button>
      ))}
    </span>
  );
}
