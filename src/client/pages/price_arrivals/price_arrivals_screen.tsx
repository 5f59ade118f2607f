import { useLocation } from "preact-iso";
import { get, where, type Wire } from "../../api/call.ts";
import { useApp, useList } from "../../app/app.ts";
import { Badge, type Tone } from "../../parts/controls.tsx";
import { ChoiceBar, useFilter } from "../../parts/filter.tsx";
import { EmptyState, filesOf, PageHead } from "../../parts/page.tsx";
import { type Column, column } from "../../parts/table/table.tsx";
import { DataTable } from "../../parts/table/data_table.tsx";

const TONES: Readonly<Record<Wire<"PriceArrival">["status"], Tone>> = {
  waiting: "busy",
  not_arrived: "bad",
  missing: "warn",
};

/** Lists our prices that the ERP has fetched but no import has confirmed yet. */
export function PriceArrivalsScreen() {
  const { words } = useApp();
  const texts = words.priceArrivals;
  const { route } = useLocation();
  const filter = useFilter(["status"]);
  const list = useList((page) => get("/api/price-arrivals", where({ ...filter.values, ...page })), {
    everyMs: 10_000,
  });
  return (
    <>
      <PageHead title={texts.title} back={{ href: "/imports", text: words.imports.title }} />
      <p class="soft">{texts.about}</p>
      <ChoiceBar
        filter={filter}
        name="status"
        label={words.fields.status}
        options={words.codes.arrivals}
      />
      <DataTable
        label={texts.title}
        files={filesOf("/api/price-arrivals", filter.values)}
        columns={useArrivalColumns()}
        list={list}
        idOf={({ productId, tier }) => `${productId} ${tier ?? ""}`}
        onOpen={({ productId }) => route(`/products/${productId}`)}
        empty={filter.isAny
          ? <EmptyState icon="imports" title={texts.noneTitle} text={words.products.noneText} />
          : <EmptyState icon="imports" title={texts.emptyTitle} text={texts.emptyText} />}
      />
    </>
  );
}

function useArrivalColumns(): readonly Column<Wire<"PriceArrival">>[] {
  const { words, show } = useApp();
  const { columns } = words.priceArrivals;
  return [
    column("sku", words.fields.sku, { width: 170, narrowWidth: 130 }).cell(({ productId, sku }) => (
      <a href={`/products/${productId}`}>{sku}</a>
    )),
    column("status", words.fields.status, { width: 170, narrowWidth: 150 }).cell(({ status }) => (
      <Badge tone={TONES[status]}>{words.codes.arrivals[status]}</Badge>
    )),
    column("expected", columns.expected, 120).money((
      { expectedCents, currency },
    ) => [expectedCents, currency]),
    column("seen", columns.seen, 120).number(({ seenIn, seenCents, seenCurrency }) =>
      seenIn === null ? words.quarantine.nothing : show.money(seenCents, seenCurrency)
    ),
    column("fetched", words.fields.fetchedAt, 142).time(({ fetchedAt }) => fetchedAt),
    column("tier", words.fields.tier, { width: 120, isWide: true }).cell(({ tier }) => tier ?? "–"),
    column("import", words.fields.seenIn, 120).cell(({ seenIn }) =>
      seenIn && <a href={`/imports/${seenIn}`}>{words.imports.job.undo.ofImport}</a>
    ),
  ];
}
