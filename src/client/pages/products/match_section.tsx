import { decimal, divide, whole } from "../../../base/fraction.ts";
import { unitPriceCents } from "../../../base/money.ts";
import { useState } from "preact/hooks";
import type { CompetitorProduct } from "../../../competitors/matches/match.ts";
import { useApp } from "../../app/app.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Gap } from "../../parts/gap.tsx";
import { EmptyState } from "../../parts/empty_state.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { SafeLink } from "../../parts/safe_link.tsx";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";
import type { Column } from "../../parts/table/column.ts";
import type { Product } from "./product.ts";
import { scrapeErrorText } from "../../parts/run/scrape_error_text.ts";
import { MatchPanel } from "./match_panel.tsx";
import { ScrapeButton, ScrapeProgress, useScrapeNow } from "./scrape_now.tsx";
import { useMatches } from "./use_matches.ts";

/** The competitors' pages that offer the product, and what they ask. */
export function MatchSection({ product }: { product: Product }) {
  const { words, may } = useApp();
  const texts = words.product;
  const [panel, setPanel] = useState<CompetitorProduct | "new" | null>(null);
  const list = useMatches(product.id);
  const columns = useMatchColumns(product, setPanel);
  const scrape = useScrapeNow(product.id);
  const add = may("manager") && product.deletedAt === null && (
    <>
      <ScrapeButton scrape={scrape} />
      <Button icon="plus" onClick={() => setPanel("new")}>{texts.addMatch}</Button>
    </>
  );
  return (
    <Section title={texts.offers} actions={add}>
      <ScrapeProgress scrape={scrape} />
      {list.error ? <ErrorNote error={list.error} onAgain={list.again} /> : (
        <SimpleTable
          label={texts.offers}
          columns={columns}
          rows={list.rows}
          idOf={({ id }) => id}
          empty={!list.isPending && (
            <EmptyState icon="competitors" title={texts.noOffers} text={texts.noOffersText} />
          )}
        />
      )}
      {panel !== null && (
        <MatchPanel
          productId={product.id}
          match={panel === "new" ? null : panel}
          onClose={() => setPanel(null)}
        />
      )}
    </Section>
  );
}

function useMatchColumns(
  product: Product,
  edit: (match: CompetitorProduct) => void,
): readonly Column<CompetitorProduct>[] {
  const { words, show, may } = useApp();
  const texts = words.product;
  const { offerColumns } = texts;
  return [
    {
      key: "competitor",
      title: offerColumns.competitor,
      width: 170,
      cell: ({ competitor, url }) => <SafeLink url={url}>{competitor}</SafeLink>,
    },
    {
      key: "price",
      title: offerColumns.price,
      width: 110,
      isNumber: true,
      cell: (match) => <MatchPrice match={match} />,
    },
    {
      key: "gap",
      title: offerColumns.gap,
      width: 100,
      isNumber: true,
      cell: ({ currentPrice, currency, packFactor }) => (
        <Gap
          ourCents={product.ourPriceCents}
          theirs={currentPrice === null || currency !== product.currency
            ? null
            : divide(whole(currentPrice), decimal(packFactor))}
        />
      ),
    },
    {
      key: "stock",
      title: offerColumns.stock,
      width: 90,
      cell: ({ inStock }) =>
        inStock === null ? texts.unknown : inStock ? texts.inStock : texts.outOfStock,
    },
    {
      key: "checked",
      title: offerColumns.checked,
      width: 120,
      cell: ({ lastCheckedAt }) => lastCheckedAt ? show.ago(lastCheckedAt) : texts.neverChecked,
    },
    {
      key: "state",
      title: offerColumns.state,
      width: 130,
      cell: (match) => <MatchState match={match} />,
    },
    {
      key: "edit",
      title: words.actions,
      width: 90,
      cell: (match) =>
        may("manager") && <Button kind="quiet" onClick={() => edit(match)}>{words.edit}</Button>,
    },
  ];
}

function MatchPrice({ match }: { match: CompetitorProduct }) {
  const { words, show } = useApp();
  const { currentPrice, packFactor, currency } = match;
  if (packFactor === 1 || currentPrice === null) return <>{show.money(currentPrice, currency)}</>;
  const seen = show.money(currentPrice, currency);
  return (
    <span title={words.product.perPack(show.number(packFactor), seen)}>
      {show.money(unitPriceCents(currentPrice, packFactor), currency)}{" "}
      <small>({seen} / {show.number(packFactor)})</small>
    </span>
  );
}

function MatchState({ match }: { match: CompetitorProduct }) {
  const { words } = useApp();
  if (!match.enabled) return <Badge>{words.product.disabled}</Badge>;
  if (match.lastStatus === null) return <span class="soft">–</span>;
  const { ok, failed } = words.runs.resultStates;
  if (match.lastStatus === "ok") return <Badge tone="good">{ok}</Badge>;
  return (
    <>
      <Badge tone="bad">{failed}</Badge>
      <small class="below" title={match.lastError ?? undefined}>
        {scrapeErrorText(words, match.lastStatus)}
      </small>
    </>
  );
}
