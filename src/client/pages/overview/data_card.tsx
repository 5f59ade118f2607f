/**
 * Two cards: our price index by category and shop, and the age of the ERP's files and the shops'
 * prices. The further an index is from 100, the stronger is the colour of its cell. A cell with too
 * few compared products shows a dash. A shop with too few current prices shows its last usable
 * index without colours.
 */
import { useApp, useDocument } from "../../app/app.ts";
import { addressOf, get, where } from "../../api/call.ts";
import { MarketNumber } from "../../parts/price_figures.tsx";
import { Card, Meter, Pending, Unbroken } from "../../parts/page.tsx";
import { ShopBadge } from "../../parts/shops.tsx";
import type { MarketSummary } from "./position_card.tsx";
import { momentText } from "../../formats/day.ts";
import {
  FRESH_HOURS,
  useFreshness,
  useHeldText,
  useRepairs,
} from "../../parts/shop/shop_check.tsx";
import { useMarketSummary } from "../../parts/shared_queries.ts";
import { sharePct } from "../../../base/fraction.ts";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import type { Overview, ShopFreshness } from "../../../market/overview/read_overview.ts";
import { Icon } from "../../parts/controls.tsx";
import { isHeld, useHeldImport } from "../../parts/import/import_state.tsx";
import { PausedNote, useImportSources } from "../../parts/import/import_sources.tsx";
import { ReadAgain } from "../../parts/shop/read_again.tsx";

const CATEGORIES_SHOWN = 8;
const SHOPS_SHOWN = 6;
const COMPARED_MIN = 5;
const FULL_POINTS = 6;
const COLOUR_MAX = 40;
const PLAIN_POINTS = 0.35;

type Group = MarketSummary["items"][number];

export function useCategories() {
  const found = useMarketSummary({ by: "category" });
  const rows = found.data?.items.filter(({ category, compared }) => category && compared > 0)
    .toSorted((a, b) => b.compared - a.compared).slice(0, CATEGORIES_SHOWN);
  return { ...found, data: rows };
}

export function IndexCard() {
  const { overview: { index: texts }, market } = useApp().words;
  const categories = useCategories();
  const shops = useMarketSummary({ by: "competitor" });
  const cells = useMarketSummary({ by: "category,competitor" });
  const beside = (
    <span class="scale soft">
      {market.matrix.cheaper} <i aria-hidden="true" /> {texts.dearer}
    </span>
  );
  return (
    <Card title={texts.title} beside={beside}>
      {categories.data && shops.data && cells.data
        ? <IndexTable rows={categories.data} shops={shops.data.items} cells={cells.data.items} />
        : <Pending of={[categories, shops, cells].find(({ error }) => error) ?? shops} />}
    </Card>
  );
}

function IndexTable({ rows, shops, cells }: Record<"rows" | "shops" | "cells", readonly Group[]>) {
  const { words: { overview: { index: texts }, fields, products }, show } = useApp();
  const quiet = useQuietShops();
  const compared = shops.filter((shop) => shop.compared > 0);
  const isCompared = (id: string) => compared.some(({ competitorId }) => competitorId === id);
  const columns = [
    ...compared,
    ...[...quiet.values()].filter(({ competitorId }) => !isCompared(competitorId)),
  ].slice(0, SHOPS_SHOWN);
  if (rows.length === 0) return <p class="note info">{texts.empty}</p>;
  const cellOf = new Map(cells.map((cell) => [`${cell.competitorId} ${cell.category}`, cell]));
  const notes = columns.flatMap(({ competitorId = "" }) => quiet.get(competitorId) ?? [])
    .map(({ competitor, text }) => ` · ${competitor}: ${text}`);
  return (
    <div class="simple-scroll framed" tabIndex={0} role="region" aria-label={texts.title}>
      <table class="heat fine">
        <thead>
          <tr>
            <th scope="col">{fields.category}</th>
            <th scope="col" class="number">{products.title}</th>
            {columns.map(({ competitorId = "", competitor }) => (
              <th key={competitorId} scope="col" class="number">
                <span class="sr-only">{competitor}</span>
                <ShopBadge id={competitorId} name={competitor ?? ""} />
              </th>
            ))}
            <th scope="col" class="number">{texts.compared}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const category = row.category ?? "";
            const href = `/products?category=${encodeURIComponent(category)}`;
            return (
              <tr key={category}>
                <th scope="row">
                  <a href={href} title={category}>{category}</a>
                </th>
                <IndexCell group={row} href={href} isStrong />
                {columns.map(({ competitorId = "" }) => (
                  <ShopCell
                    key={competitorId}
                    group={cellOf.get(`${competitorId} ${row.category}`)}
                    of={{ category, competitorId }}
                    isQuiet={quiet.has(competitorId)}
                  />
                ))}
                <td class="number soft">
                  <a href={`${href}&rankMin=1`}>{show.number(row.compared)}</a>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="soft small">{texts.basis}{notes}</p>
    </div>
  );
}

interface ShopCellProps {
  readonly group: Group | undefined;
  readonly of: { readonly category: string; readonly competitorId: string };
  readonly isQuiet: boolean;
}

function ShopCell({ group, of, isQuiet }: ShopCellProps) {
  const { category, competitorId } = of;
  const isOld = isQuiet && (group?.compared ?? 0) < COMPARED_MIN;
  const read = get("/api/market/trend", where({ competitorId, by: "category" }));
  const trend = useDocument(isOld ? read : null).data?.groups;
  const last = trend?.find((one) => one.category === category)?.last;
  return <IndexCell group={last ?? group} href={addressOf("/products", of)} isQuiet={isQuiet} />;
}

interface IndexCellProps {
  readonly group: Pick<Group, "indexPct" | "compared"> | undefined;
  readonly href: string;
  readonly isStrong?: boolean;
  readonly isQuiet?: boolean;
}

function IndexCell({ group, href, isStrong = false, isQuiet = false }: IndexCellProps) {
  const { words, show } = useApp();
  const index = group?.indexPct ?? null;
  if (!group || index === null || group.compared < COMPARED_MIN) {
    return <td class="number soft" title={words.overview.index.few}>–</td>;
  }
  return (
    <td
      class={isStrong ? "number strong" : isQuiet ? "number quiet" : "number"}
      style={isQuiet ? {} : { background: heatOf(index) }}
    >
      <a href={href}>
        <MarketNumber value={index} text={show.tenths(index)} />
      </a>
    </td>
  );
}

function heatOf(index: number): string | undefined {
  const points = index - 100;
  if (Math.abs(points) < PLAIN_POINTS) return undefined;
  // The square root makes the colours of indexes near 100 visible.
  const part = Math.round(Math.sqrt(Math.min(1, Math.abs(points) / FULL_POINTS)) * COLOUR_MAX);
  return `color-mix(in oklab, var(--${points > 0 ? "above" : "below"}) ${part}%, var(--surface))`;
}

interface QuietShop {
  readonly competitorId: string;
  readonly competitor: string;
  readonly text: string;
}

function useQuietShops(): ReadonlyMap<string, QuietShop> {
  const { show, words: { shops: { lastRead } } } = useApp();
  const { data } = useFreshness();
  const quiet = data?.items.filter(({ fresh, links }) => links > 0 && fresh / links < BAD_SHARE);
  return new Map(
    quiet?.map(({ competitorId, displayName, lastSeenAt }) => {
      const text = lastRead(momentText(show, lastSeenAt));
      return [competitorId, { competitorId, competitor: displayName, text }];
    }),
  );
}

const FRESH_SHOPS_SHOWN = 12;
const WARN_SHARE = 0.95;
const BAD_SHARE = 0.5;
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
              <a href="/runs">{repairs.count(failing)}</a>
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
        source.pausedAt !== null ? <PausedNote key={source.id} source={source} /> : (
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
    <ul class="freshness stack gap-2">
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
        const tone = share < BAD_SHARE ? "bad" : share < WARN_SHARE ? "warn" : "";
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
              <Meter pct={sharePct(share, 1)} tone={tone} />
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
