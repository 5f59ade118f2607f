/** This card of the overview shows the age of the ERP files and of the prices of each shop. */
import { sharePct } from "../../../base/fraction.ts";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import type { Overview, ShopFreshness } from "../../../market/overview/read_overview.ts";
import { useApp } from "../../app/app.ts";
import { Card, Pending, Unbroken } from "../../parts/page.tsx";
import { momentText } from "../../formats/day.ts";
import { Icon } from "../../parts/controls.tsx";
import { isHeld } from "../../parts/import/import_state.tsx";
import {
  PausedSource,
  useHeldImport,
  useImportSources,
} from "../../parts/import/source_guards.tsx";
import { ReadAgain } from "../../parts/shop/read_again.tsx";
import { FRESH_HOURS, useFreshness, useHeldText, useRepairs } from "../../parts/shop/shop_state.ts";
import { ShopBadge } from "../../parts/shops.tsx";

const FRESH_SHOPS_SHOWN = 12;
const WARN_SHARE = 0.95;
export const BAD_SHARE = 0.5;
const SOURCES_WATCH_MS = 30_000;

export function DataCard({ overview }: { overview: Overview }) {
  const { words: { overview: { data: texts }, frame, repairs } } = useApp();
  const found = useFreshness();
  const failing = useRepairs().first?.pages ?? 0;
  const held = useHeldText();
  const shops = found.data?.items;
  return (
    <Card title={texts.title} beside={<a href="/competitors">{frame.shopsPlace}</a>}>
      <SourceLines overview={overview} />
      {shops ? <ShopList shops={shops} /> : <Pending of={found} />}
      {shops && shops.length > 0 && (
        <p class="soft small">
          {texts.share(FRESH_HOURS)}
          {failing > 0 && (
            <>
              {" "}
              <a href="/competitors/repairs">{repairs.count(failing)}</a>
            </>
          )}
          {held && (
            <>
              {failing > 0 ? " · " : " "}
              <a href="/competitors/quarantine">{held}</a>
            </>
          )}
        </p>
      )}
    </Card>
  );
}

type LastImport = Overview["imports"][number];

function SourceLines({ overview }: { overview: Overview }) {
  const { words } = useApp();
  const sources = useImportSources(SOURCES_WATCH_MS);
  const { rows } = sources;
  const { last, isLate } = overview.erp;
  const byId = new Map(
    [...(last ? [last] : []), ...overview.imports].map((one) => [one.jobId, one]),
  );
  const isUsed = ({ pausedAt, lastImport, lastPull }: ImportSource) =>
    pausedAt !== null || lastImport !== null || lastPull !== null;
  const held = heldOf(overview);
  if (sources.isPending) return <Pending of={sources} />;
  return (
    <>
      {!rows.some(({ lastImport }) => lastImport !== null) && (
        <p class={isLate ? "erp bad" : "erp"}>
          <Icon name={isLate ? "warning" : "imports"} />
          <a href="/imports">{words.overview.data.never}</a>
        </p>
      )}
      {rows.filter(isUsed).map((source) => (
        source.pausedAt !== null ? <PausedSource key={source.id} source={source} /> : (
          <SourceLine
            key={source.id}
            source={source}
            last={byId.get(source.lastImport?.jobId ?? "")}
            isLate={isLate && source.isDefault}
          />
        )
      ))}
      {held && <HeldLine job={held} />}
    </>
  );
}

export function heldOf({ imports }: Overview): LastImport | undefined {
  return imports.find((one) => isHeld(one) && !one.dryRun);
}

function HeldLine({ job }: { readonly job: LastImport }) {
  const { words, show } = useApp();
  const held = useHeldImport(job.jobId);
  if (!held?.until) return null;
  return (
    <p class="erp warn">
      <Icon name="warning" />
      <span>
        <strong>{words.overview.data.held}</strong>{" "}
        <a href={`/imports/${job.jobId}`}>{job.label}</a>
      </span>
      <span class="number soft">{momentText(show, job.finishedAt)}</span>
    </p>
  );
}

function SourceLine(
  { source, last, isLate }: { source: ImportSource; last: LastImport | undefined; isLate: boolean },
) {
  const { words: { overview: { data: texts }, imports }, show } = useApp();
  const { lastImport, lastPull } = source;
  const name = source.isDefault ? texts.erp : source.name;
  const at = lastPull?.failures ? lastPull.at : lastImport?.finishedAt ?? null;
  const time = momentText(show, at);
  const isUndone = last !== undefined && (last.undoneBy !== null || last.undoes !== null);
  const state = lastPull?.failures
    ? "missing"
    : isLate
    ? "late"
    : lastImport?.status !== "succeeded"
    ? "refused"
    : isUndone
    ? "undone"
    : "came";
  const isGood = state === "came";
  const isPartly = isGood && last?.hasErrors === true;
  return (
    <p class={isPartly ? "erp warn" : isGood || state === "undone" ? "erp" : "erp bad"}>
      <Icon name={isGood && !isPartly ? "check" : state === "undone" ? "undo" : "warning"} />
      <span>
        <strong>{name}</strong> {texts.sourceStates[state]}
        {lastImport !== null && (
          <>
            {" "}
            <a href={`/imports/${lastImport.jobId}`}>
              <Unbroken text={lastImport.label ?? texts.file} />
            </a>
          </>
        )}
        {isGood && last && <small>{texts.changed(last.stats.updated, last.stats.inserted)}</small>}
        {isGood && last && ([["reverted", last.reverted], ["errors", last.stats.errors]] as const)
          .map(([kind, count]) =>
            count > 0 && (
              <small key={kind}>
                <a href={`/imports/${last.jobId}`}>{imports.counts[kind](count)}</a>
              </small>
            )
          )}
      </span>
      <span class="number soft">{time}</span>
    </p>
  );
}

function ShopList({ shops }: { shops: readonly ShopFreshness["items"][number][] }) {
  const { words: { overview: { data: texts } }, show } = useApp();
  if (shops.length === 0) return <p class="note info">{texts.noShops}</p>;
  return (
    <ul class="freshness">
      {shops.slice(0, FRESH_SHOPS_SHOWN).map((shop) => {
        const { competitorId, displayName, links, fresh, failing, stale, mostSeenAt } = shop;
        if (shop.downSince !== null) {
          return (
            <li key={competitorId} class="down row spread gap-8">
              <a href={`/competitors/${competitorId}`}>
                <ShopBadge id={competitorId} name={displayName} />
                <strong class="loss">{texts.down(momentText(show, shop.downSince))}</strong>
              </a>
              <ReadAgain shop={{ id: competitorId, displayName }} />
            </li>
          );
        }
        const share = fresh / links;
        const tone = share < BAD_SHARE ? "bad" : share < WARN_SHARE ? "warn" : "good";
        const details = [
          texts.fresh(displayName, fresh, links),
          ...(failing > 0 ? [texts.failing(failing)] : []),
          ...(stale > 0 ? [texts.stale(stale)] : []),
        ].join(", ");
        return (
          <li key={competitorId}>
            <a href={`/products?competitorId=${competitorId}`} title={details}>
              <ShopBadge id={competitorId} name={displayName} />
              <span class="sr-only">{details}</span>
              <span class={`meter ${tone}`} aria-hidden="true">
                <i style={{ width: `${sharePct(share, 1)}%` }} />
              </span>
              <span class="number" aria-hidden="true">{show.percent(sharePct(share, 0))}</span>
              <span class={tone === "bad" ? "number loss" : "number soft"}>
                {momentText(show, mostSeenAt)}
              </span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
