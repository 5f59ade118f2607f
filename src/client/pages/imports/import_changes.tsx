/**
 * Shows an import's changes; the service returns only a limited number of them. If a product's
 * check box is cleared, its changes are not applied.
 */
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";
import type { Words } from "../../words/words.ts";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { shownMargin } from "../../../engine/wording/show.ts";
import { addressOf } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import type { ComponentChildren } from "preact";
import { Delta } from "../../parts/price_figures.tsx";
import { fieldName, fieldText } from "../../parts/field_text.ts";
import { Figure } from "../../parts/page.tsx";
import { reasonsOf } from "../../parts/import/import_state.tsx";

interface OfProduct {
  readonly sku: string;
}

export type PickColumns = readonly Column<OfProduct>[];

export function pickColumn(
  words: Words,
  excluded: ReadonlySet<string>,
  onExcluded: (excluded: ReadonlySet<string>) => void,
): Column<OfProduct> {
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

function productColumn({ fields }: Words, titles: ImportDocument["titles"]): Column<OfProduct> {
  return column("sku", fields.productId, 300).cell(({ sku }) => (
    <>
      <a href={addressOf("/products", { sku })}>{sku}</a>{" "}
      <span class="beside">{Object.hasOwn(titles, sku) && titles[sku]}</span>
    </>
  ));
}

export function ImportImpact({ impact }: { impact: Impact }) {
  const { words: { imports: { job: { impactStats: names } } } } = useApp();
  return (
    <>
      <Figure
        label={names.priceChanges}
        value={impact.priceChanges}
        note={names.ways(impact.up, impact.down)}
      />
      <Figure
        label={names.over20pct}
        value={impact.over20pct}
        tone={impact.over20pct > 0 && "warn"}
      />
      <Figure
        label={names.belowCost}
        value={impact.belowCost}
        tone={impact.belowCost > 0 && "bad"}
      />
    </>
  );
}

type Impact = NonNullable<ImportDocument["impact"]>;
type Move = Impact["largest"][number];
type Change = NonNullable<ImportDocument["changes"]>[number];
type Addition = NonNullable<ImportDocument["additions"]>[number];
type Held = NonNullable<ImportDocument["hold"]>;
type Sample = Held["samples"][number];

export interface View {
  readonly name: string;
  readonly text: string;
  readonly count: number;
  readonly note?: string | false | null | undefined;
  readonly children: ComponentChildren;
}

export function useChangeViews(job: ImportDocument, pick: PickColumns): readonly View[] {
  const { words } = useApp();
  const { imports: { job: { views, ...texts } }, findingGroups, fields } = words;
  const { changes = [], additions = [], removals = [], stats, removed } = job;
  const changed = new Set(changes.map(({ sku }) => sku)).size;
  const product = [productColumn(words, job.titles), ...pick];
  const ofFields = useFieldColumns(changes);
  const limited = (name: keyof typeof views, shown: number, all: number) => ({
    ...{ name, text: views[name] },
    count: shown === 0 ? 0 : Math.max(shown, all),
    note: shown < all && findingGroups.first(shown),
  });
  const added = [
    column("sku", fields.sku, 160).cell<Addition>(({ sku }) => sku),
    ...pick,
    column("title", fields.title, 320).cell<Addition>(({ title }) => title),
    column("price", fields.ourPrice, 110).money<Addition>((one) => [one.priceCents, one.currency]),
  ];
  return [
    ...useMoneyViews(job, product),
    {
      ...limited("changes", changed, stats.updated),
      children: (
        <SimpleTable label={texts.changes} rows={changes} columns={[...product, ...ofFields]} />
      ),
    },
    {
      ...limited("additions", additions.length, stats.inserted),
      children: <SimpleTable label={views.additions} rows={additions} columns={added} />,
    },
    {
      ...limited("removals", removals.length, removed),
      children: <SimpleTable label={views.removals} rows={removals} columns={product} />,
    },
  ];
}

function useMoneyViews({ hold, impact }: ImportDocument, ofProduct: PickColumns): readonly View[] {
  const { words: { imports: { job: { views, ...texts } }, fields } } = useApp();
  const money = useMoneyColumns();
  const { largest = [], priceChanges = 0 } = impact ?? {};
  const held = [
    ...ofProduct,
    column("cause", fields.field, { width: 130, narrowWidth: 90 }).cell<Sample>(({ cause }) =>
      texts.hold.causes[cause]
    ),
    ...money,
  ];
  const moved = [
    ...ofProduct,
    ...money,
    column("margin", fields.marginAfter, 120).number<Move>(({ marginPct }) => (
      <Margin pct={marginPct} />
    )),
  ];
  return [
    {
      ...{ name: "held", text: views.held, count: hold?.moved ?? 0 },
      note: texts.hold.samplesNote,
      children: (
        <SimpleTable
          label={texts.hold.samples}
          rows={hold?.samples ?? []}
          columns={held}
        />
      ),
    },
    {
      ...{ name: "prices", text: views.prices, count: priceChanges },
      note: largest.length < priceChanges && texts.largest,
      children: <SimpleTable label={texts.largest} rows={largest} columns={moved} />,
    },
  ];
}

function useMoneyColumns(): readonly Column<Sample | Move>[] {
  const { words: { auditLog, fields } } = useApp();
  return [
    column("from", auditLog.before, 110).money((
      row,
    ) => [row.fromCents, "cause" in row ? row.fromCurrency : row.currency]),
    column("to", auditLog.after, 110).money((
      row,
    ) => [row.toCents, "cause" in row ? row.toCurrency : row.currency]),
    column("change", fields.change, 110).number((row) =>
      "cause" in row && row.cause === "currency" ? "–" : <Delta {...row} />
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
    ...hasMargin ? [column("margin", words.fields.margin, 170).number(marginStep)] : [],
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
  const app = useApp();
  const { words: { imports: { job: { hold: texts } }, importSources: sources }, show } = app;
  return (
    <div class="note warn" role="alert">
      <strong>{isDryRun ? texts.wouldBe : texts.isHeld}</strong>
      {reasonsOf(app, hold).map(({ code, text, sharePct, column, remedy }) => (
        <p key={code}>
          {sources.guard(text, show.percent(sharePct))}.{" "}
          {remedy && <strong class="remedy">{sources.remedies[remedy](column ?? "")}</strong>}
        </p>
      ))}
      <p>{isDryRun ? texts.toDoLater : texts.toDo}</p>
    </div>
  );
}
