import { column, numberColumn } from "../../parts/table/column.ts";
import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { scrapeErrorText } from "../../parts/run/scrape_error_text.ts";
import { useMethodNames } from "../../parts/run/use_method_names.ts";
import { SimpleTable } from "../../parts/table/simple_table.tsx";

type Trial = Wire<"RecipeTrial">;

const TONES: Readonly<Record<Trial["verdict"], Tone>> = {
  same: "good",
  plausible: "good",
  differs: "bad",
  nothing: "warn",
};

/** The place that was shown, and what stands there on further pages of the shop. */
export function TeachTrials({ teaching }: { teaching: Wire<"RecipeTeaching"> }) {
  const { words, show } = useApp();
  const texts = words.repairs.teach;
  const { selectors, tests, verdict } = teaching;
  const isGood = verdict === "same" || verdict === "plausible";
  return (
    <>
      {selectors[0] !== undefined && (
        <p>
          <code>{selectors[0]}</code>
        </p>
      )}
      <h3>{texts.tests(tests.length, show.number(tests.length))}</h3>
      <SimpleTable
        label={texts.tests(tests.length, show.number(tests.length))}
        rows={tests}
        idOf={({ url }) => url}
        columns={[
          column<Trial>("page", texts.columns.page, 150, (one) => <Tried trial={one} />),
          numberColumn<Trial>("was", texts.columns.was, 80, ({ wasPrice, currency }) =>
            show.money(wasPrice, currency)),
          numberColumn<Trial>(
            "now",
            texts.columns.now,
            90,
            ({ price, currency }) => <strong>{show.money(price, currency)}</strong>,
          ),
          column<Trial>(
            "verdict",
            texts.columns.verdict,
            100,
            (one) => <Badge tone={TONES[one.verdict]}>{texts.verdicts[one.verdict]}</Badge>,
          ),
        ]}
      />
      <p class={isGood ? "note info" : "note warn"}>{isGood ? texts.good : texts.bad}</p>
    </>
  );
}

/** A page's name, the content of the place, and its other facts. */
function Tried({ trial }: { trial: Trial }) {
  const { words, show } = useApp();
  const texts = words.repairs.teach;
  const named = useMethodNames();
  const { title, url, text, price, otherwise, errorCode } = trial;
  const isFallback = price === null && otherwise !== null;
  return (
    <>
      {title ?? url}
      {text !== null && <small class="exact">{texts.text(text)}</small>}
      {otherwise && (
        <small class="exact">
          {(isFallback ? texts.fallback : texts.other)(
            named(otherwise.method),
            show.money(otherwise.price, otherwise.currency),
          )}
        </small>
      )}
      {price === null && otherwise === null && errorCode !== null && (
        <small class="exact">{scrapeErrorText(words, errorCode)}</small>
      )}
    </>
  );
}
