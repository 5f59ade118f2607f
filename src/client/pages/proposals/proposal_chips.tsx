import { Fact } from "../../parts/page.tsx";
import { majorOf, parseMajor } from "../../../base/money.ts";
import { PROPOSAL_STATUSES } from "../../../rules/proposals/proposal_status.ts";
import type { ProposalSummary } from "../../../rules/proposals/proposal_summary.ts";
import { useApp } from "../../app/app.ts";
import { readDecimal } from "../../formats/decimal.ts";
import { FilterChoice, FilterText } from "../../parts/filter.tsx";
import {
  CHIP_NAMES,
  isOpenOf,
  type ProposalFilter,
  SMALL_PCT,
  THIN_PCT,
} from "./proposal_query.ts";
import type { ComponentChildren } from "preact";
import { Button } from "../../parts/controls.tsx";
import type { Proposal } from "../../parts/decision/decision.ts";
import { PriceStep } from "../../parts/decision/price_step.tsx";
import { effectText } from "../../parts/effect_text.ts";
import { ProposalBadge, rankStep } from "./proposal_columns.tsx";
import type { Decisions } from "./use_decisions.ts";

interface ChipsProps {
  readonly filter: ProposalFilter;
  /** Null until it is known. */
  readonly summary: ProposalSummary | null;
  /** Actions on all of them, at the end. */
  readonly children: ComponentChildren;
}

/** Waiting proposals by kind: each chip is a filter with its count. */
export function ProposalChips({ filter, summary, children }: ChipsProps) {
  const { words, show } = useApp();
  const texts = words.proposals.chips;
  const { values } = filter;
  const isOpen = isOpenOf(values);
  const isLater = isOpen && values.later === "true";
  const pct = values.changeBelowPct || SMALL_PCT;
  const go = (status: string, later: string) =>
    filter.setAll({
      ...Object.fromEntries(CHIP_NAMES.map((name) => [name, ""])),
      decidedSince: "",
      status,
      later,
    });
  const kinds = [
    ["expires", "today", texts.expires, summary?.expiring],
    ["changeBelowPct", SMALL_PCT, texts.small(show.percent(Number(pct))), summary?.small],
    ["direction", "up", texts.up, summary?.up],
    ["marginBelowPct", THIN_PCT, texts.thin(show.percent(Number(THIN_PCT))), summary?.thin],
    ["hasMarketMoved", "true", texts.moved, summary?.moved],
  ] as const;
  return (
    <search class="filter-bar inbox-filters">
      <FilterText
        label={texts.search}
        type="search"
        isMain
        value={values.q}
        onValue={(value) => filter.set("q", value)}
      />
      <ul class="chips" aria-label={texts.label}>
        <Chip
          text={words.proposals.statuses.open}
          count={summary?.open}
          isOn={isOpen && !isLater}
          onClick={() => go("", "")}
        />
        {isOpen && !isLater && kinds.map(([name, value, text, count]) => (
          <Chip
            key={name}
            text={text}
            count={count}
            isOn={values[name] !== ""}
            onClick={() => filter.set(name, values[name] === "" ? value : "")}
          />
        ))}
        {isOpen && !isLater && values.changeBelowPct !== "" && <PctField filter={filter} />}
        <Chip
          text={texts.later}
          count={summary?.later}
          isOn={isLater}
          onClick={() => go("", "true")}
        />
        <Chip text={texts.decided} isOn={!isOpen} onClick={() => go("applied", "")} />
      </ul>
      {!isOpen && (
        <FilterChoice
          label={words.proposals.columns.status}
          value={values.status}
          options={[
            ...PROPOSAL_STATUSES.filter((status) => status !== "open").map((status) => ({
              value: status,
              label: words.proposals.statuses[status],
            })),
            { value: "all", label: words.all },
          ]}
          onValue={(value) => filter.set("status", value)}
        />
      )}
      {!isOpen && values.decidedSince && (
        <ul class="chips">
          <Chip
            text={texts.decidedSince(show.time(values.decidedSince))}
            isOn
            onClick={() => filter.set("decidedSince", "")}
          />
        </ul>
      )}
      {values.ruleId && (
        <ul class="chips">
          <Chip text={texts.oneRule} isOn onClick={() => filter.set("ruleId", "")} />
        </ul>
      )}
      {children}
    </search>
  );
}

interface ChipProps {
  readonly text: string;
  readonly count?: number | null | undefined;
  readonly isOn: boolean;
  onClick(): void;
}

function Chip({ text, count, isOn, onClick }: ChipProps) {
  const { show } = useApp();
  return (
    <li>
      <button type="button" class="chip" aria-pressed={isOn} onClick={onClick}>
        {text} {typeof count === "number" && <span class="chip-count">{show.number(count)}</span>}
      </button>
    </li>
  );
}

/** How little a small change is. */
function PctField({ filter }: { filter: ProposalFilter }) {
  const { words, show } = useApp();
  const value = show.number(Number(filter.values.changeBelowPct));
  return (
    <li class="chip-field">
      <FilterText
        label={words.proposals.chips.smallField}
        value={value}
        onValue={(text) => {
          const pct = readPct(text, show.locale);
          if (pct !== null) filter.set("changeBelowPct", String(pct));
        }}
      />
    </li>
  );
}

/** As many decimals as a percentage may have; more could not be compared exactly. */
const PCT_DECIMALS = 4;

/** The percentage that a person has typed; null for what is none, or has more than four decimals. */
export function readPct(text: string, locale: string): number | null {
  const decimal = readDecimal(text, locale);
  const parsed = decimal === null ? null : parseMajor(decimal, PCT_DECIMALS);
  return parsed !== null && "minor" in parsed ? majorOf(parsed.minor, PCT_DECIMALS) : null;
}

interface CardProps {
  readonly proposal: Proposal;
  readonly decisions: Decisions;
  readonly mayDecide: boolean;
  onOpen(proposal: Proposal): void;
}

/** On a phone: what is proposed, what it would change, and the decision, under each other. */
export function ProposalCard({ proposal, decisions, mayDecide, onOpen }: CardProps) {
  const { words, show } = useApp();
  const texts = words.proposals;
  const { sku, productId, productTitle, ruleName, marketNow, marketAfter } = proposal;
  const { currency, marginPct, marginAfterPct, status } = proposal;
  return (
    <div class="proposal-card">
      <p>
        <a href={`/products/${productId}`} title={productTitle ?? sku}>{productTitle ?? sku}</a>
        <small>{sku} · {ruleName}</small>
      </p>
      <PriceStep {...proposal} />
      {marketNow?.cheapestCompetitor && (
        <p class="soft">
          {texts.asks(marketNow.cheapestCompetitor, show.money(marketNow.cheapestCents, currency))}
        </p>
      )}
      <dl>
        <Fact label={words.decision.margin}>
          {show.share(marginPct)} → {show.share(marginAfterPct)}
        </Fact>
        <Fact label={texts.columns.rank}>{rankStep(marketNow, marketAfter)}</Fact>
        <Fact label={texts.columns.effect}>{effectText(words, show, proposal)}</Fact>
      </dl>
      <div class="card-buttons">
        {mayDecide
          ? (
            <>
              <Button kind="main" onClick={() => decisions.approve([proposal])}>
                {texts.approve}
              </Button>
              <Button onClick={() => decisions.reject([proposal])}>{texts.reject}</Button>
              <Button onClick={() => onOpen(proposal)} label={texts.counter}>…</Button>
            </>
          )
          : (
            <>
              <ProposalBadge status={status} />
              <Button onClick={() => onOpen(proposal)}>{texts.panel}</Button>
            </>
          )}
      </div>
    </div>
  );
}
