import { sharePct } from "../../../base/percent.ts";
import type { Preview } from "../../../scraping/preview/preview.ts";
import { useChange } from "../../app/use_change.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { useMethodNames } from "../../parts/run/use_method_names.ts";
import { scrapeErrorText } from "../../parts/run/scrape_error_text.ts";

interface MatchPreviewProps {
  readonly url: string;
  readonly extractor: Readonly<Record<string, string>> | null;
}

/** Reads the page once as a run would, before anything is saved. */
export function MatchPreview({ url, extractor }: MatchPreviewProps) {
  const { words } = useApp();
  const texts = words.runs;
  const test = useChange({
    run: (call, body: MatchPreviewProps) =>
      call<Preview>("/api/competitor-products/preview", { method: "POST", body }),
    touches: [],
    showsError: true,
  });
  // What was found at another address, or in another way, would look as if it were of this one.
  const isOfThis = JSON.stringify(test.variables) === JSON.stringify({ url, extractor });
  return (
    <div class="wide preview">
      <p>
        <Button
          icon="search"
          isBusy={test.isPending}
          isDisabled={url === ""}
          onClick={() => test.mutate({ url, extractor })}
        >
          {texts.test}
        </Button>
        <span class="hint">{texts.testNote}</span>
      </p>
      {isOfThis && test.error && <ErrorNote error={test.error} />}
      {isOfThis && test.data && <Outcome preview={test.data} />}
    </div>
  );
}

function Outcome({ preview }: { preview: Preview }) {
  const { words, show } = useApp();
  const texts = words.runs;
  const named = useMethodNames();
  const { price, currency, method, confidence, inStock, alternatives } = preview;
  if (preview.status !== "ok") {
    return (
      <div class="note bad" role="alert">
        <strong>{texts.testFailed}</strong>
        <p>{scrapeErrorText(words, preview.errorCode)}</p>
        {preview.message && <small class="exact">{preview.message}</small>}
      </div>
    );
  }
  const { inStock: yes, outOfStock, unknown } = words.product;
  const facts: readonly (readonly [label: string, value: string])[] = [
    [texts.stock, inStock === null ? unknown : inStock ? yes : outOfStock],
    [texts.resultColumns.method, method === null ? "–" : named(method)],
    [
      texts.resultColumns.confidence,
      confidence === null ? "–" : show.percent(sharePct(confidence, 1)),
    ],
    [
      texts.resultColumns.others,
      alternatives.map((one) => `${named(one.method)} ${show.money(one.price, one.currency)}`)
        .join(", ") || "–",
    ],
  ];
  return (
    <div class="note info" role="status">
      <strong>{texts.testOk(show.money(price, currency))}</strong>
      <dl class="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
