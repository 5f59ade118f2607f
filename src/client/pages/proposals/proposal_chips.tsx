/**
 * The filters of the inbox. A filter that no proposal matches has a chip only while it is active.
 */
import { majorOf } from "../../../base/money.ts";
import { PROPOSAL_STATUSES } from "../../../rules/proposals/proposal_status.ts";
import type { ProposalSummary } from "../../../rules/proposals/preview_many.ts";
import { useApp } from "../../app/app.ts";
import { readMinor } from "../../formats/decimal.ts";
import { FilterChoice, FilterText } from "../../parts/filter.tsx";
import { THIN_PCT } from "../../parts/percentages.tsx";
import { CHIP_NAMES, isOpenOf, type ProposalFilter, SMALL_PCT } from "./proposal_query.ts";
import type { ComponentChildren, ComponentProps } from "preact";
import { Chip } from "../../parts/controls.tsx";

interface ChipsProps {
  readonly filter: ProposalFilter;
  readonly summary: ProposalSummary | null;
  readonly children: ComponentChildren;
}

export function ProposalChips({ filter, summary, children }: ChipsProps) {
  const { words } = useApp();
  const texts = words.proposals.chips;
  const { values } = filter;
  const isOpen = isOpenOf(values);
  const isLater = isOpen && values.later === "true";
  const go = (status: string, later: string) =>
    filter.setAll({
      ...Object.fromEntries(CHIP_NAMES.map((name) => [name, ""])),
      decidedSince: "",
      status,
      later,
    });
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
        <ListedChip
          text={words.proposals.statuses.open}
          count={summary?.open}
          isOn={isOpen && !isLater}
          onClick={() => go("", "")}
        />
        {isOpen && !isLater && <KindChips filter={filter} summary={summary} />}
        {(isLater || summary?.later !== 0) && (
          <ListedChip
            text={texts.later}
            count={summary?.later}
            isOn={isLater}
            onClick={() => go("", "true")}
          />
        )}
        <ListedChip text={texts.decided} isOn={!isOpen} onClick={() => go("applied", "")} />
      </ul>
      {!isOpen && <DecidedFilter filter={filter} />}
      {values.ruleId && (
        <ul class="chips">
          <ListedChip text={texts.oneRule} isOn drops onClick={() => filter.set("ruleId", "")} />
        </ul>
      )}
      {children}
    </search>
  );
}

function KindChips({ filter, summary }: Omit<ChipsProps, "children">) {
  const { words: { proposals: { chips: texts } }, show } = useApp();
  const { values } = filter;
  const pct = values.changeBelowPct || SMALL_PCT;
  const kinds = [
    ["expires", "today", texts.expires, summary?.expiring],
    ["changeBelowPct", SMALL_PCT, texts.small(show.percent(Number(pct))), summary?.small],
    ["direction", "up", texts.up, summary?.up],
    ["marginBelowPct", String(THIN_PCT), texts.thin(show.percent(THIN_PCT)), summary?.thin],
    ["hasMarketMoved", "true", texts.moved, summary?.moved],
  ] as const;
  return (
    <>
      {kinds.map(([name, value, text, count]) =>
        (count !== 0 || values[name] !== "") && (
          <ListedChip
            key={name}
            text={text}
            count={count}
            isOn={values[name] !== ""}
            onClick={() => filter.set(name, values[name] === "" ? value : "")}
          />
        )
      )}
      {values.changeBelowPct !== "" && <PctField filter={filter} />}
    </>
  );
}

function DecidedFilter({ filter }: { filter: ProposalFilter }) {
  const { words, show } = useApp();
  const { columns, statuses, chips } = words.proposals;
  const { status, decidedSince } = filter.values;
  return (
    <>
      <FilterChoice
        label={columns.status}
        value={status}
        options={[
          ...PROPOSAL_STATUSES.filter((one) => one !== "open").map((one) => ({
            value: one,
            label: statuses[one],
          })),
          { value: "all", label: words.all },
        ]}
        onValue={(value) => filter.set("status", value)}
      />
      {decidedSince && (
        <ul class="chips">
          <ListedChip
            text={chips.decidedSince(show.time(decidedSince))}
            isOn
            drops
            onClick={() => filter.set("decidedSince", "")}
          />
        </ul>
      )}
    </>
  );
}

function ListedChip(chip: ComponentProps<typeof Chip>) {
  return (
    <li>
      <Chip {...chip} />
    </li>
  );
}

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

/** Maximum number of decimals of a percentage. */
const PCT_DECIMALS = 4;

export function readPct(text: string, locale: string): number | null {
  const minor = readMinor(text, PCT_DECIMALS, locale);
  return minor === null ? null : majorOf(minor, PCT_DECIMALS);
}
