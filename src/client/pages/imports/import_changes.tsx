/**
 * The tables of an import's changes. The service returns a limited number of changes of each kind.
 * If a product's check box is cleared, no change of the product is applied.
 */
import {
  type Column,
  column,
  SimpleTable,
  type SimpleTableProps,
} from "../../parts/table/table.tsx";
import type { Words } from "../../words/words.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { shownMargin } from "../../../engine/wording/show.ts";
import { addressOf } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import type { ComponentChildren } from "preact";
import { Delta } from "../../parts/price_figures.tsx";
import { fieldName, fieldText } from "../../parts/field_text.ts";
import { Figure } from "../../parts/page.tsx";

interface OfProduct {
  readonly sku: string;
}

export type PickColumns = <Row extends OfProduct>() => readonly Column<Row>[];

export function pickColumn<Row extends OfProduct>(
  words: Words,
  excluded: ReadonlySet<string>,
  onExcluded: (excluded: ReadonlySet<string>) => void,
): Column<Row> {
  const texts = words.imports.job;
  return column("pick", texts.included, 60).cell(({ sku }) => (
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
  ));
}

type Titles = ImportDocument["titles"];

function productColumn<Row extends OfProduct>({ fields }: Words, titles: Titles): Column<Row> {
  return column("sku", fields.productId, 300).cell(({ sku }) => (
    <>
      <a href={addressOf("/products", { sku })}>{sku}</a>{" "}
      <span class="product-title">{Object.hasOwn(titles, sku) && titles[sku]}</span>
    </>
  ));
}

export function ImportImpact({ impact }: { impact: Impact }) {
  const { words: { imports: { job: { impactStats: names } } }, show } = useApp();
  return (
    <>
      <Figure
        label={names.priceChanges}
        value={show.number(impact.priceChanges)}
        note={names.ways(show.number(impact.up), show.number(impact.down))}
      />
      <Figure
        label={names.over20pct}
        value={show.number(impact.over20pct)}
        tone={impact.over20pct > 0 && "warn"}
      />
      <Figure
        label={names.belowCost}
        value={show.number(impact.belowCost)}
        tone={impact.belowCost > 0 && "bad"}
      />
    </>
  );
}

export interface View {
  readonly name: string;
  readonly text: string;
  readonly count: number;
  readonly note?: string | false | null | undefined;
  readonly children: ComponentChildren;
}

type Impact = NonNullable<ImportDocument["impact"]>;
type Move = Impact["largest"][number];
type Change = NonNullable<ImportDocument["changes"]>[number];
type Addition = NonNullable<ImportDocument["additions"]>[number];
type Removal = NonNullable<ImportDocument["removals"]>[number];
type Held = NonNullable<ImportDocument["hold"]>;
type Sample = Held["samples"][number];

export function useChangeViews(job: ImportDocument, pick: PickColumns): readonly View[] {
  const { words, show } = useApp();
  const { fields } = words;
  const { changes = [], additions = [], removals = [], titles, stats } = job;
  const changed = new Set(changes.map(({ sku }) => sku)).size;
  const { view, first } = useView();
  const ofFields = useFieldColumns(changes);
  return [
    ...useMoneyViews(job, pick),
    view(
      "changes",
      Math.max(changed, changes.length > 0 ? stats.updated : 0),
      first(changed, stats.updated),
      {
        label: words.imports.job.changes,
        rows: changes,
        columns: [productColumn<Change>(words, titles), ...pick<Change>(), ...ofFields],
      },
    ),
    view(
      "additions",
      additions.length > 0 ? stats.inserted : 0,
      first(additions.length, stats.inserted),
      {
        rows: additions,
        columns: [
          column("sku", fields.sku, 160).cell<Addition>(({ sku }) => sku),
          ...pick<Addition>(),
          column("title", fields.title, 320).cell<Addition>(({ title }) => title),
          column("price", fields.ourPrice, 110).number<Addition>((one) =>
            show.money(one.priceCents, one.currency)
          ),
        ],
      },
    ),
    view(
      "removals",
      removals.length > 0 ? job.removed : 0,
      first(removals.length, job.removed),
      { rows: removals, columns: [productColumn<Removal>(words, titles)] },
    ),
  ];
}

function useMoneyViews(job: ImportDocument, pick: PickColumns): readonly View[] {
  const { words } = useApp();
  const { imports: { job: texts }, fields } = words;
  const { hold, impact, titles } = job;
  const { view, first } = useView();
  const money = useMoneyColumns();
  return [
    view("held", hold?.moved ?? 0, texts.hold.samplesNote, {
      label: texts.hold.samples,
      rows: hold?.samples ?? [],
      columns: [
        productColumn<Sample>(words, titles),
        ...pick<Sample>(),
        column("cause", fields.field, { width: 130, narrowWidth: 90 }).cell<Sample>(({ cause }) =>
          texts.hold.causes[cause]
        ),
        ...money<Sample>((sample, side) => sample[`${side}Currency`]),
      ],
    }),
    view(
      "prices",
      impact?.priceChanges ?? 0,
      impact && first(impact.largest.length, impact.priceChanges) && texts.largest,
      {
        label: texts.largest,
        rows: impact?.largest ?? [],
        columns: [
          productColumn<Move>(words, titles),
          ...pick<Move>(),
          ...money<Move>(({ currency }) => currency),
          column("margin", words.fields.marginAfter, 120).number<Move>(({ marginPct }) => (
            <Margin pct={marginPct} />
          )),
        ],
      },
    ),
  ];
}

function useView() {
  const { words: { imports: { job: texts }, findingGroups }, show } = useApp();
  return {
    first: (shown: number, all: number) => shown < all && findingGroups.first(show.number(shown)),
    view: <Row,>(
      name: keyof typeof texts.views,
      count: number,
      note: View["note"],
      table: Omit<SimpleTableProps<Row>, "label"> & { readonly label?: string },
    ): View => ({
      name,
      text: texts.views[name],
      count,
      note,
      children: <SimpleTable label={texts.views[name]} {...table} />,
    }),
  };
}

type Side = "from" | "to";
type Priced = Pick<Move, "fromCents" | "toCents"> & { readonly cause?: Sample["cause"] };

function useMoneyColumns() {
  const { words: { auditLog, fields }, show } = useApp();
  return <Row extends Priced>(
    currencyOf: (row: Row, side: Side) => string | null,
  ): readonly Column<Row>[] => [
    column("from", auditLog.before, 110).number((row) =>
      show.money(row.fromCents, currencyOf(row, "from"))
    ),
    column("to", auditLog.after, 110).number((row) =>
      show.money(row.toCents, currencyOf(row, "to"))
    ),
    column("change", fields.change, 110).number((row) =>
      row.cause === "currency" ? "–" : <Delta {...row} />
    ),
  ];
}

function useFieldColumns(changes: readonly Change[]): readonly Column<Change>[] {
  const app = useApp();
  const { words, show } = app;
  const hasMargin = changes.some(({ fromMarginPct, toMarginPct }) =>
    typeof (fromMarginPct ?? toMarginPct) === "number"
  );
  return [
    column("field", words.fields.field, 130).cell(({ field, date }) =>
      date === undefined
        ? fieldName(words, field)
        : `${fieldName(words, field)} ${show.date(`${date}T12:00Z`)}`
    ),
    column("from", words.auditLog.before, 220).cell(({ field, from, fromCurrency }) =>
      fieldText(app, field, from, fromCurrency)
    ),
    column("to", words.auditLog.after, 220).cell(({ field, to, toCurrency, written }) => {
      const shown = fieldText(app, field, to, toCurrency);
      const amount = shown.split("\u00a0")[0];
      return (
        <>
          {shown}
          {written !== undefined && written !== amount && (
            <small class="soft">{words.imports.job.written(written)}</small>
          )}
        </>
      );
    }),
    ...hasMargin ? [column("margin", words.products.columns.margin, 170).number(marginStep)] : [],
  ];
}

function marginStep({ fromMarginPct: from = null, toMarginPct: to = null }: Change) {
  return (from !== null || to !== null) && (
    <>
      <Margin pct={from} isPast /> → <Margin pct={to} />
    </>
  );
}

function Margin({ pct, isPast = false }: { pct: number | null; isPast?: boolean }) {
  const { show } = useApp();
  const isLoss = !isPast && pct !== null && pct < 0;
  return <span class={isLoss ? "loss" : undefined}>{shownMargin(pct, show)}</span>;
}

export function HeldNote({ hold, isDryRun }: { readonly hold: Held; readonly isDryRun: boolean }) {
  const { words, show } = useApp();
  const texts = words.imports.job.hold;
  const sources = words.importSources;
  const { moved, products, movePct, sharePct, causes } = hold;
  const binding = hold.guards.filter(({ binds }) => binds);
  // Only the limits of an import source include `cost_guard`, a limit for changed costs.
  const isOfSource = hold.guards.some(({ code }) => code === "cost_guard");
  const byWorkspace = !isOfSource && binding.some(({ code }) => code === "price_guard");
  const bySource = binding.filter(({ code }) => isOfSource || code !== "price_guard");
  const why = [
    [causes.price, texts.causes.price],
    [causes.cost, texts.causes.cost],
    [causes.currency, texts.causes.currency],
  ] as const;
  const counted = why.filter(([count]) => count > 0)
    .map(([count, name]) => `${name} ${show.number(count)}`).join(", ");
  return (
    <div class="note warn" role="alert">
      <strong>{isDryRun ? texts.wouldBe : texts.isHeld}</strong>
      {bySource.map(({ code, count, of, sharePct, column, remedy }) => (
        <p key={code}>
          {sources.guard(
            sources.guards[code](show.number(count), show.number(of)),
            show.percent(sharePct),
          )}. {remedy && <strong class="remedy">{sources.remedies[remedy](column ?? "")}</strong>}
        </p>
      ))}
      {byWorkspace && (
        <p>
          {texts.why(
            show.number(moved),
            show.number(products),
            show.percent(movePct),
            show.percent(sharePct),
          )} {texts.reasons(counted)}
        </p>
      )}
      <p>{isDryRun ? texts.toDoLater : texts.toDo}</p>
    </div>
  );
}
