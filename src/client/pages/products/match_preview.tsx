import { sharePct } from "../../../base/percent.ts";
import type { Preview } from "../../../scraping/teaching/preview_page.ts";
import type { Verdict } from "../../../engine/matching/identity_codes.ts";
import { useChange } from "../../app/use_change.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { useMethodNames } from "../../parts/run/use_method_names.ts";
import { scrapeErrorText } from "../../parts/run/scrape_error_text.ts";
import { IdentityNote, type OurSide } from "./identity_note.tsx";

interface Asked {
  readonly url: string;
  readonly extractor: Readonly<Record<string, string>> | null;
  readonly productId: string;
}

interface MatchPreviewProps extends Omit<Asked, "productId"> {
  readonly product: OurSide;
  /** The verdict on the page at an address. */
  onVerdict(url: string, verdict: Verdict | null): void;
}

/** Reads the page once as a run would, before anything is saved, and says whose it is. */
export function MatchPreview({ url, extractor, product, onVerdict }: MatchPreviewProps) {
  const { words } = useApp();
  const texts = words.runs;
  const asked: Asked = { url, extractor, productId: product.id };
  const test = useChange({
    run: async (call, body: Asked) => {
      const preview = await call((api) => api.POST("/api/competitor-products/preview", { body }));
      onVerdict(body.url, preview.verdict);
      return preview;
    },
    touches: [],
    showsError: true,
  });
  // A result of another address or extractor must not be shown for this one.
  const isOfThis = JSON.stringify(test.variables) === JSON.stringify(asked);
  return (
    <div class="wide preview">
      <p>
        <Button
          icon="search"
          isBusy={test.isPending}
          isDisabled={url === ""}
          onClick={() => test.mutate(asked)}
        >
          {texts.test}
        </Button>
        <span class="hint">{texts.testNote}</span>
      </p>
      {isOfThis && test.error && <ErrorNote error={test.error} />}
      {isOfThis && test.data && <Outcome preview={test.data} isPointed={isPointed(extractor)} />}
      {isOfThis && test.data && <IdentityNote preview={test.data} product={product} />}
    </div>
  );
}

/** True where a person says where the price is. */
function isPointed(extractor: MatchPreviewProps["extractor"]): boolean {
  return extractor !== null && ("priceSelector" in extractor || "jsonPath" in extractor);
}

function Outcome(
  { preview, isPointed }: { readonly preview: Preview; readonly isPointed: boolean },
) {
  const { words, show } = useApp();
  const texts = words.runs;
  const named = useMethodNames();
  const { price, currency, method, confidence, inStock, alternatives, pageStatus } = preview;
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
    ...(pageStatus === null || pageStatus === "priced"
      ? []
      : [[texts.pageIs, texts.pageStatuses[pageStatus]] as const]),
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
  // A price that the page has elsewhere is no sign that the place was found.
  const isFallback = isPointed && method !== "extractor";
  return (
    <div class={isFallback ? "note warn" : "note info"} role="status">
      <strong>{texts.testOk(show.money(price, currency))}</strong>
      {isFallback && <p>{words.repairs.fallbackTold(method === null ? "–" : named(method))}</p>}
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
