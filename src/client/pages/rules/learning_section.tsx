/**
 * Units sold and margin per day before and after the price changes of a rule, by month. A price
 * change counts only if sales and cost are known and no other change lies within 14 days. If too
 * few changes count, there are no averages. The sales of other products of the same categories are
 * shown for comparison.
 */
import { column, SimpleTable } from "../../parts/table/table.tsx";
import { useState } from "preact/hooks";
import type { RuleLearning } from "../../../rules/evaluation/learning.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import { ErrorNote, Section } from "../../parts/page.tsx";
import { byPath, get } from "../../api/call.ts";

type Change = RuleLearning["items"][number];

const LEFT_OUT = ["tooYoung", "otherChange", "noSales", "noCost", "otherCurrency"] as const;

export function LearningSection({ ruleId }: { ruleId: string }) {
  const { words: { rules: { learning: texts } }, show } = useApp();
  const [month, setMonth] = useState<string | undefined>(undefined);
  const { data, error, refetch } = useDocument(
    get("/api/rules/{id}/learning", byPath({ id: ruleId }, { month })),
  );
  const step = (months: number) => () => data && setMonth(monthBeside(data.month, months));
  return (
    <Section
      title={texts.title}
      note={data && monthText(data.month, show.locale)}
      actions={
        <>
          <Button kind="quiet" onClick={step(-1)}>{texts.earlier}</Button>
          <Button kind="quiet" onClick={step(1)}>{texts.later}</Button>
        </>
      }
    >
      {error && <ErrorNote error={error} onAgain={() => void refetch()} />}
      {data && (
        <>
          <p>
            {texts.counted(show.number(data.counted), show.number(data.changes))}{" "}
            <LeftOut counts={data.leftOut} />
          </p>
          {data.before && data.after
            ? (
              <dl class="facts framed">
                <dt>{texts.units}</dt>
                <dd>{show.tenths(data.before.units)} → {show.tenths(data.after.units)}</dd>
                <dt>{texts.margin}</dt>
                <dd>
                  {show.money(data.before.marginCents, data.currency)} →{" "}
                  {show.money(data.after.marginCents, data.currency)}
                </dd>
                {data.category && data.category.before !== null && data.category.after !== null && (
                  <>
                    <dt>{texts.category}</dt>
                    <dd>
                      {show.tenths(data.category.before)} → {show.tenths(data.category.after)}
                    </dd>
                  </>
                )}
              </dl>
            )
            : <p class="soft">{texts.tooFew}</p>}
          {data.items.length > 0 && <Changes learning={data} />}
          {data.before && data.after && <p class="soft">{texts.note}</p>}
        </>
      )}
    </Section>
  );
}

export function LeftOut({ counts }: { counts: RuleLearning["leftOut"] }) {
  const { words: { rules: { learning: { without, why } } }, show } = useApp();
  const left = LEFT_OUT.filter((code) => counts[code] > 0);
  if (left.length === 0) return null;
  return (
    <>{without} {left.map((code) => `${show.number(counts[code])} ${why[code]}`).join(", ")}.</>
  );
}

function Changes({ learning: { items, currency } }: { learning: RuleLearning }) {
  const { words: { rules: { learning: texts } }, show } = useApp();
  const figures: readonly [key: string, title: string, cell: (one: Change) => string][] = [
    [
      "price",
      texts.price,
      (one) => `${show.money(one.fromCents, currency)} → ${show.money(one.toCents, currency)}`,
    ],
    [
      "pct",
      texts.marginPct,
      (one) => `${show.share(one.marginBeforePct)} → ${show.share(one.marginAfterPct)}`,
    ],
    [
      "units",
      texts.units,
      (one) => `${show.tenths(one.unitsBefore)} → ${show.tenths(one.unitsAfter)}`,
    ],
  ];
  return (
    <SimpleTable
      label={texts.changes}
      columns={[
        column("sku", texts.changes, 160).cell(({ productId, sku }: Change) => (
          <a href={`/products/${productId}`}>{sku}</a>
        )),
        column("at", texts.at, 130).cell(({ at }: Change) => show.dateTime(at)),
        ...figures.map(([key, title, cell]) => column(key, title, 160).number(cell)),
      ]}
      rows={items}
    />
  );
}

/** `month` is a text such as `2026-10`. The number of months may be negative. */
function monthBeside(month: string, months: number): string {
  const at = new Date(`${month}-15T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + months);
  return at.toISOString().slice(0, 7);
}

/** For example `Oktober 2026`. */
function monthText(month: string, locale: string): string {
  const at = new Date(`${month}-15T00:00:00Z`);
  return new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" })
    .format(at);
}
