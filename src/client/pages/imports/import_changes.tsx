/**
 * The tables of what an import changes. The import's document lists a limited number of changes of
 * each kind. If a product's check box is cleared, no change of the product is applied.
 */
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";
import type { Words } from "../../words/words.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { shownMargin } from "../../../engine/wording/show.ts";
import { addressOf } from "../../api/call.ts";
import { type App, useApp } from "../../app/app.ts";
import { Delta } from "../../parts/price_figures.tsx";
import { fieldName, fieldText } from "../../parts/field_text.ts";
import { Figure } from "../../parts/page.tsx";

interface OfProduct {
  readonly sku: string;
}

export type Pick = <Row extends OfProduct>() => readonly Column<Row>[];

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

/** Titles of products by SKU. */
type Titles = ImportDocument["titles"];

function productColumn<Row extends OfProduct>({ fields }: Words, titles: Titles): Column<Row> {
  return column("sku", fields.productId, 300).cell(({ sku }) => (
    <>
      <a href={addressOf("/products", { sku })}>{sku}</a>{" "}
      <span class="product-title">{Object.hasOwn(titles, sku) && titles[sku]}</span>
    </>
  ));
}

export function ImportImpact({ impact }: { impact: NonNullable<ImportDocument["impact"]> }) {
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
      columns={[
        productColumn<Move>(words, titles),
        ...pick<Move>(),
        column("from", words.auditLog.before, 110).number<Move>(({ fromCents, currency }) =>
          show.money(fromCents, currency)
        ),
        column("to", words.auditLog.after, 110).number<Move>(({ toCents, currency }) =>
          show.money(toCents, currency)
        ),
        column("change", words.product.historyColumns.change, 110).number<Move>((move) => (
          <Delta {...move} />
        )),
        column("margin", texts.marginAfter, 120).number<Move>(({ marginPct }) => (
          <span class={marginPct !== null && marginPct < 0 ? "loss" : undefined}>
            {shownMargin(marginPct, show)}
          </span>
        )),
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
      columns={[
        productColumn<Change>(app.words, titles),
        ...pick<Change>(),
        column("field", app.words.fields.field, 130).cell<Change>(({ field, date }) =>
          date === undefined
            ? fieldName(app.words, field)
            : `${fieldName(app.words, field)} ${app.show.date(`${date}T12:00Z`)}`
        ),
        column("from", app.words.auditLog.before, 220).cell<Change>((
          { field, from, fromCurrency },
        ) => fieldText(app, field, from, fromCurrency)),
        column("to", app.words.auditLog.after, 220).cell<Change>(
          ({ field, to, toCurrency, written }) => {
            const shown = fieldText(app, field, to, toCurrency);
            const amount = shown.split("\u00a0")[0];
            return (
              <>
                {shown}
                {written !== undefined && written !== amount && (
                  <small class="soft">{texts.written(written)}</small>
                )}
              </>
            );
          },
        ),
        ...(changes.some(({ fromMarginPct, toMarginPct }) =>
            isKnown(fromMarginPct) || isKnown(toMarginPct)
          )
          ? [
            column("margin", app.words.products.columns.margin, 170).number(marginCell(app)),
          ]
          : []),
      ]}
    />
  );
}

const isKnown = (pct: number | null | undefined) => typeof pct === "number";

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
      columns={[
        column("sku", words.fields.sku, 160).cell<Addition>(({ sku }) => sku),
        ...pick<Addition>(),
        column("title", words.fields.title, 320).cell<Addition>(({ title }) => title),
        column("price", words.fields.ourPrice, 110).number<Addition>((one) =>
          show.money(one.priceCents, one.currency)
        ),
      ]}
    />
  );
}

export function Removals({ removals, titles }: { removals: readonly Removal[]; titles: Titles }) {
  const { words } = useApp();
  const texts = words.imports.job;
  return (
    <SimpleTable
      label={texts.views.removals}
      rows={removals}
      columns={[productColumn<Removal>(words, titles)]}
    />
  );
}

type Held = NonNullable<ImportDocument["hold"]>;

export function HeldNote({ hold, isDryRun }: { readonly hold: Held; readonly isDryRun: boolean }) {
  const { words, show } = useApp();
  const texts = words.imports.job.hold;
  const sources = words.importSources;
  const { moved, products, movePct, sharePct, causes } = hold;
  const binding = hold.guards.filter(({ binds }) => binds);
  // The guard of a workspace, `price_guard`, also covers costs and currencies. A source has three
  // separate guards.
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
          )}. {remedy && <strong class="remedy">{sources.remedies[remedy](column)}</strong>}
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

type Sample = Held["samples"][number];

export function HeldSamples(
  { hold, pick, titles }: {
    readonly hold: Held;
    readonly pick: Pick;
    readonly titles: Titles;
  },
) {
  const { words, show } = useApp();
  const texts = words.imports.job;
  return (
    <SimpleTable
      label={texts.hold.samples}
      rows={hold.samples}
      columns={[
        productColumn<Sample>(words, titles),
        ...pick<Sample>(),
        column("cause", words.fields.field, { width: 130, narrowWidth: 90 }).cell<Sample>((
          { cause },
        ) => texts.hold.causes[cause]),
        column("from", words.auditLog.before, 110).number<Sample>(({ fromCents, fromCurrency }) =>
          show.money(fromCents, fromCurrency)
        ),
        column("to", words.auditLog.after, 110).number<Sample>(({ toCents, toCurrency }) =>
          show.money(toCents, toCurrency)
        ),
        column("change", words.product.historyColumns.change, 110).number<Sample>((one) =>
          one.cause === "currency" ? "–" : <Delta {...one} />
        ),
      ]}
    />
  );
}
