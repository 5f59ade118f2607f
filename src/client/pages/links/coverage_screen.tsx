/** Shows which share of our products is linked to a page of each shop, by brand or category. */
import { useState } from "preact/hooks";
import { pick, sumOf } from "../../../base/collections.ts";
import { sharePct } from "../../../base/fraction.ts";
import { addressOf, get, where, type Wire } from "../../api/call.ts";
import { useApp, useDocument, useRefresh } from "../../app/app.ts";
import { readNumber } from "../../formats/decimal.ts";
import { Badge, Button, Switch } from "../../parts/controls.tsx";
import {
  EmptyState,
  Figure,
  Figures,
  FileLinks,
  filesOf,
  Meter,
  PageHead,
  Pending,
  Section,
} from "../../parts/page.tsx";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";
import { useProductCount, useSuggestionCounts } from "../../parts/shared_queries.ts";
import { ShopBadge } from "../../parts/shops.tsx";
import { changeDiscovery, useOutages } from "../../parts/shop/shop_check.tsx";
import { useFilter } from "../../parts/filter.tsx";
import { DISCOVERY_MODES } from "../../../shops/choices.ts";
import { CheckField, DigitsField, SelectField, useForm } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/saved_form.tsx";

type Coverage = Wire<"Coverage">;
type Cell = Coverage["groups"][number]["shops"][number];

const GROUPS = ["brand", "category"] as const;
const GAP_FILES = filesOf("/api/coverage/products", { missing: "any" });

export function CoverageScreen() {
  const { words: { coverage: texts, links, frame }, may } = useApp();
  const [isAsked, setAsked] = useState(false);
  const filter = useFilter(["by"]);
  const by = GROUPS.find((one) => one === filter.values.by) ?? "brand";
  const found = useDocument(get("/api/coverage", where({ by })), { everyMs: 10_000 });
  const { data } = found;
  const hasShops = data !== undefined && data.shops.length > 0;
  return (
    <div class="page wide">
      <PageHead title={links.title} beside={<span class="soft">{texts.title}</span>}>
        {hasShops && may("manager") && (
          <Button
            kind="main"
            icon="search"
            onClick={() => setAsked(true)}
          >
            {texts.search}
          </Button>
        )}
      </PageHead>
      <LinkTabs current="coverage" />
      {!data && <Pending of={found} />}
      {data && !hasShops && (
        <EmptyState icon="competitors" title={texts.emptyTitle} text={texts.emptyText}>
          <a class="button plain" href="/competitors">{frame.shopsPlace}</a>
        </EmptyState>
      )}
      {hasShops && (
        <>
          <CoverageFigures coverage={data} />
          <Section
            title={texts.byGroup}
            note={texts.byGroupNote}
            isCard
            actions={
              <Switch
                label={texts.by}
                options={GROUPS}
                value={by}
                textOf={(one) => texts.groups[one]}
                onValue={(one) => filter.set("by", one)}
              />
            }
          >
            <Matrix coverage={data} by={by} />
            <p class="row fine gap-8">
              {texts.gaps}
              <FileLinks what={texts.gaps} {...GAP_FILES} />
            </p>
          </Section>
        </>
      )}
      {isAsked && data && <SearchDialog shops={data.shops} onClose={() => setAsked(false)} />}
    </div>
  );
}

function CoverageFigures({ coverage }: { coverage: Coverage }) {
  const { words: { coverage: texts, frame, repairs }, show } = useApp();
  const { products, anywhere, atThree, shops } = coverage;
  const counts = useSuggestionCounts();
  const share = (part: number) => products === 0 ? "–" : show.share(sharePct(part / products, 1));
  return (
    <Figures>
      <Figure
        label={texts.any}
        value={share(anywhere)}
        note={
          <>
            {texts.ofAll(anywhere, products)}
            {anywhere < products && (
              <>
                {" · "}
                <a href="/products?missing=any">{texts.without(products - anywhere)}</a>
              </>
            )}
          </>
        }
      />
      <Figure label={texts.three} value={share(atThree)} note={frame.products(atThree)} />
      <Figure
        label={texts.linked}
        value={sumOf(shops, ({ linked }) => linked)}
        note={<a href="/competitors">{repairs.inShops(shops.length)}</a>}
      />
      <Figure
        label={texts.suggested}
        value={counts?.open ?? "–"}
        note={counts && (
          <a href="/links">{texts.certainty(counts.open - counts.same, counts.same)}</a>
        )}
      />
    </Figures>
  );
}

interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly products: number;
  readonly shops: readonly Cell[];
  readonly query: Readonly<Record<string, string>> | null;
}

function Matrix({ coverage, by }: { coverage: Coverage; by: (typeof GROUPS)[number] }) {
  const { words: { coverage: texts, causes, fields, shops }, show } = useApp();
  const outages = useOutages();
  const { groups, rest } = coverage;
  const rows: readonly GroupRow[] = [
    { ...coverage, id: "all", name: texts.all, query: {} },
    ...groups.map(({ name, ...group }) => ({
      ...group,
      id: `group ${name}`,
      name: name ?? texts.noName,
      query: name === null ? null : { [by]: name },
    })),
    ...rest ? [{ ...rest, id: "rest", name: causes.more(rest.groups), query: null }] : [],
  ];
  const link = ({ query }: GroupRow, text: string) =>
    query === null ? text : <a href={addressOf("/products", query)}>{text}</a>;
  const columns: readonly Column<GroupRow>[] = [
    column("group", texts.groups[by], 110).cell((row) => link(row, row.name)),
    column("count", fields.trackedProducts, 64).number((row) =>
      link(row, show.number(row.products))
    ),
    ...coverage.shops.map(({ competitorId, competitor }, at) => {
      const isDown = outages.has(competitorId);
      const head = (
        <span class="coverage-shop row gap-4 nowrap">
          <ShopBadge id={competitorId} name={competitor} />
          <span class="clip" title={competitor} aria-hidden="true">{competitor}</span>
          {isDown && <Badge tone="bad">{shops.states.down}</Badge>}
        </span>
      );
      const title = isDown ? `${competitor}, ${shops.states.down}` : competitor;
      return column(competitorId, title, { width: 72, head }).cell((row: GroupRow) => (
        <CellLink row={row} cell={row.shops[at]} shop={competitor} />
      ));
    }),
  ];
  return <SimpleTable label={texts.byGroup} kind="coverage" columns={columns} rows={rows} />;
}

interface CellProps {
  readonly row: GroupRow;
  readonly cell: Cell | undefined;
  readonly shop: string;
}

function CellLink({ row: { name, products, query }, cell, shop }: CellProps) {
  const { words, show } = useApp();
  if (cell === undefined) return null;
  const { linked, percent, competitorId } = cell;
  const missing = products - linked;
  const pct = show.share(percent);
  const label = words.coverage.cell(name, shop, pct, missing);
  const body = (
    <>
      <span class="sr-only">{label}</span>
      <span class="coverage-line row spread gap-8" aria-hidden="true">
        <strong>{pct}</strong>
        <span class="soft">{show.number(missing)}</span>
      </span>
      <Meter pct={percent} />
    </>
  );
  return query === null || missing === 0
    ? <span class="coverage-cell" title={label}>{body}</span>
    : (
      <a
        class="coverage-cell"
        href={addressOf("/products", { ...query, missing: competitorId })}
        title={label}
      >
        {body}
      </a>
    );
}

interface DialogProps {
  readonly shops: readonly { readonly competitorId: string; readonly competitor: string }[];
  onClose(): void;
}

const MODES = DISCOVERY_MODES.filter((mode) => mode !== "off");

function SearchDialog({ shops, onClose }: DialogProps) {
  const { words: { coverage: texts, discovery, frame }, show } = useApp();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = shops.filter(({ competitorId }) => !left.has(competitorId));
  const form = useSearchForm({ shops: chosen, onClose });
  return (
    <FormDialog
      title={texts.searchTitle}
      save={texts.start(chosen.length)}
      form={form}
      isDisabled={chosen.length === 0}
      onClose={onClose}
      above={<p>{texts.searchText}</p>}
    >
      <SelectField {...form.text("mode", discovery.mode)} options={pick(discovery.modes, MODES)} />
      <DigitsField
        {...form.text("pagesPerDay", discovery.pagesPerDay, discovery.pagesPerDayHint)}
        placeholder={show.number(5_000)}
      />
      <fieldset class="wide">
        <legend>{frame.shopsPlace}</legend>
        {shops.map(({ competitorId, competitor }) => (
          <CheckField
            key={competitorId}
            name={competitorId}
            label={competitor}
            isOn={!left.has(competitorId)}
            onChange={() => setLeft(left.symmetricDifference(new Set([competitorId])))}
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}

function useSearchForm({ shops, onClose }: DialogProps) {
  const { call, words, show, toasts } = useApp();
  const refresh = useRefresh("competitors");
  return useForm({
    initial: { mode: String(MODES[0]), pagesPerDay: "" },
    isGuarded: false,
    save: async (values) => {
      const mode = MODES.find((one) => one === values.mode);
      const typed = readNumber(values.pagesPerDay, show.locale);
      const pagesPerDay = typeof typed === "string" ? NaN : typed;
      try {
        for (const { competitorId } of shops) {
          await changeDiscovery(call, competitorId, {
            ...(mode && { mode }),
            ...(pagesPerDay !== null && { pagesPerDay }),
          });
        }
      } finally {
        await refresh();
      }
      toasts.tell(words.coverage.started(shops.length));
      onClose();
    },
  });
}

type LinkTab = "open" | "coverage" | "accepted" | "rejected";

export function LinkTabs({ current }: { current: LinkTab }) {
  const { words: { review: texts }, show } = useApp();
  const open = useSuggestionCounts()?.open ?? null;
  const noLinks = useProductCount({ state: "no_links" });
  const soldOut = useProductCount({ state: "sold_out" });
  const tab = (href: string, text: string, own: LinkTab | null, count: number | null = null) => (
    <a
      class="row fine gap-6"
      href={href}
      aria-current={own === current ? "page" : undefined}
    >
      {text}
      {count !== null && <span class="chip-count">{show.number(count)}</span>}
    </a>
  );
  return (
    <nav class="tabs views" aria-label={texts.tabs}>
      {tab("/links", texts.open, "open", open)}
      {tab("/links/coverage", texts.coverage, "coverage")}
      {tab("/products?state=no_links", texts.noLinks, null, noLinks)}
      {tab("/products?state=sold_out", texts.soldOut, null, soldOut)}
      {tab("/links?status=accepted", texts.accepted, "accepted")}
      {tab("/links?status=rejected", texts.rejected, "rejected")}
    </nav>
  );
}
