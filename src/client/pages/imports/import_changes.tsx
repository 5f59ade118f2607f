import type { Column } from "../../parts/table/column.ts";
import type { Words } from "../../words/words.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { shownMargin } from "../../../engine/wording/show.ts";
import { addressOf } from "../../api/call.ts";
import { type App, useApp } from "../../app/app.ts";
import { Delta } from "../../parts/delta.tsx";
import { fieldName, fieldText } from "../../parts/field_text.ts";
import { Figure, Figures } from "../../parts/figures.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";

interface OfProduct {
  readonly sku: string;
}

/** The column of the ticks; none where nothing can be applied. */
export type Pick = <Row extends OfProduct>() => readonly Column<Row>[];

/** Whether a product is to be applied: everything that the file says of it, or nothing. */
export function pickColumn<Row extends OfProduct>(
  words: Words,
  excluded: ReadonlySet<string>,
  onExcluded: (excluded: ReadonlySet<string>) => void,
): Column<Row> {
  const texts = words.imports.job;
  return {
    key: "pick",
    title: texts.included,
    width: 60,
    cell: ({ sku }) => (
      <input
        type="checkbox"
        aria-label={texts.include(sku)}
        checked={!excluded.has(sku)}
        onChange={({ currentTarget }) => {
          const next = new Set(excluded);
          if (currentTarget.checked) next.delete(sku);
          else next.add(sku);
          onExcluded(next);
        }}
      />
    ),
  };
}

/** Names of products by SKU. */
export type Titles = ImportDocument["titles"];

/** A product of the catalogue, by the number that the file knows it by, and what it is called. */
export function productColumn<Row extends OfProduct>(
  { imports }: Words,
  titles: Titles,
): Column<Row> {
  return {
    key: "sku",
    title: imports.job.product,
    width: 300,
    cell: ({ sku }) => (
      <>
        <a href={addressOf("/products", { sku })}>{sku}</a>{" "}
        <span class="product-title">{Object.hasOwn(titles, sku) && titles[sku]}</span>
      </>
    ),
  };
}

/** The effect on existing prices, in money. */
export function ImportImpact({ impact }: { impact: NonNullable<ImportDocument["impact"]> }) {
  const { words, show } = useApp();
  const { raisedCents, loweredCents } = impact;
  const names = words.imports.job.impactStats;
  return (
    <Figures>
      <Figure label={names.priceChanges} value={show.number(impact.priceChanges)} />
      <Figure
        label={names.up}
        value={show.number(impact.up)}
        note={raisedCents > 0 && names.raised(show.moneyChange(raisedCents))}
      />
      <Figure
        label={names.down}
        value={show.number(impact.down)}
        note={loweredCents > 0 && names.lowered(show.moneyChange(-loweredCents))}
      />
      <Figure
        label={names.over20pct}
        value={show.number(impact.over20pct)}
        {...(impact.over20pct > 0 && { tone: "warn" })}
      />
      <Figure
        label={names.belowCost}
        value={show.number(impact.belowCost)}
        {...(impact.belowCost > 0 && { tone: "bad" })}
      />
    </Figures>
  );
}

interface PickProps {
  readonly pick: Pick;
  readonly titles: Titles;
}

type Move = NonNullable<ImportDocument["impact"]>["largest"][number];
type Change = NonNullable<ImportDocument["changes"]>[number];
type Addition = NonNullable<ImportDocument["additions"]>[number];
type Removal = NonNullable<ImportDocument["removals"]>[number];

export function LargestMoves(
  { largest, pick, titles }: PickProps & { readonly largest: readonly Move[] },
) {
  const { words, show } = useApp();
  const texts = words.imports.job;
  return (
    <SimpleTable
      label={texts.largest}
      rows={largest}
      idOf={({ sku }) => sku}
      columns={[
        productColumn<Move>(words, titles),
        ...pick<Move>(),
        {
          key: "from",
          title: texts.before,
          width: 110,
          isNumber: true,
          cell: ({ fromCents, currency }) => show.money(fromCents, currency),
        },
        {
          key: "to",
          title: texts.after,
          width: 110,
          isNumber: true,
          cell: ({ toCents, currency }) => show.money(toCents, currency),
        },
        {
          key: "change",
          title: words.product.historyColumns.change,
          width: 110,
          isNumber: true,
          cell: (move) => <Delta {...move} />,
        },
        {
          key: "margin",
          title: texts.marginAfter,
          width: 120,
          isNumber: true,
          cell: ({ marginPct }) => (
            <span class={marginPct !== null && marginPct < 0 ? "loss" : undefined}>
              {shownMargin(marginPct, show)}
            </span>
          ),
        },
      ]}
    />
  );
}

export function FieldChanges(
  { changes, pick, titles }: PickProps & { readonly changes: readonly Change[] },
) {
  const app = useApp();
  const texts = app.words.imports.job;
  return (
    <SimpleTable
      label={texts.changes}
      rows={changes}
      idOf={({ sku, field, date = "" }) => `${sku} ${field} ${date}`}
      columns={[
        productColumn<Change>(app.words, titles),
        ...pick<Change>(),
        {
          key: "field",
          title: texts.field,
          width: 130,
          cell: ({ field, date }) =>
            date === undefined
              ? fieldName(app.words, field)
              : `${fieldName(app.words, field)} ${app.show.date(`${date}T12:00Z`)}`,
        },
        {
          key: "from",
          title: texts.before,
          width: 220,
          cell: ({ field, from, fromCurrency }) => fieldText(app, field, from, fromCurrency),
        },
        {
          key: "to",
          title: texts.after,
          width: 220,
          cell: ({ field, to, toCurrency, written }) => {
            const shown = fieldText(app, field, to, toCurrency);
            return (
              <>
                {shown}
                {written !== undefined && !isShownAs(written, shown) && (
                  <small class="soft">{texts.written(written)}</small>
                )}
              </>
            );
          },
        },
        ...(changes.some(({ fromMarginPct, toMarginPct }) =>
            isKnown(fromMarginPct) || isKnown(toMarginPct)
          )
          ? [{
            key: "margin",
            title: app.words.products.columns.margin,
            width: 170,
            isNumber: true,
            cell: marginCell(app),
          }]
          : []),
      ]}
    />
  );
}

/** True when the written value differs from the shown one by the currency's sign only. */
function isShownAs(written: string, shown: string): boolean {
  return shown.split("\u00a0")[0] === written;
}

const isKnown = (pct: number | null | undefined) => typeof pct === "number";

/** Of prices and costs alone; nothing where it is not known on either side. */
function marginCell({ show }: App) {
  return ({ fromMarginPct: from = null, toMarginPct: to = null }: Change) =>
    from !== null || to !== null
      ? (
        <>
          {shownMargin(from, show)} →{" "}
          <span class={to !== null && to < 0 ? "loss" : undefined}>{shownMargin(to, show)}</span>
        </>
      )
      : "";
}

export function Additions(
  { additions, pick }: Omit<PickProps, "titles"> & { readonly additions: readonly Addition[] },
) {
  const { words, show } = useApp();
  const texts = words.imports.job;
  return (
    <SimpleTable
      label={texts.views.additions}
      rows={additions}
      idOf={({ sku }) => sku}
      columns={[
        { key: "sku", title: texts.findings.sku, width: 160, cell: ({ sku }) => sku },
        ...pick<Addition>(),
        {
          key: "title",
          title: words.products.columns.title,
          width: 320,
          cell: ({ title }) => title,
        },
        {
          key: "price",
          title: words.products.columns.ourPrice,
          width: 110,
          isNumber: true,
          cell: ({ priceCents, currency }) => show.money(priceCents, currency),
        },
      ]}
    />
  );
}

export function Removals(
  { removals, titles }: { readonly removals: readonly Removal[]; readonly titles: Titles },
) {
  const { words } = useApp();
  const texts = words.imports.job;
  return (
    <SimpleTable
      label={texts.views.removals}
      rows={removals}
      idOf={({ productId }) => productId}
      columns={[productColumn<Removal>(words, titles)]}
    />
  );
}
