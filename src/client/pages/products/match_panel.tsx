/**
 * Shows a product's link to a page of a shop. A test reads the page once without saving, and
 * compares the page with our product. If the test finds another product on the page, saving needs a
 * confirmation.
 */
import { FormDialog, useSavedForm } from "../../parts/form/saved_form.tsx";
import type { Show } from "../../../engine/wording/show.ts";
import type { CompetitorProduct } from "../../../shops/matches/match.ts";
import { byId, get, type Wire } from "../../api/call.ts";
import { useApp, useChange } from "../../app/app.ts";
import { numberText, readNumber } from "../../formats/decimal.ts";
import { Button, SafeLink } from "../../parts/controls.tsx";
import {
  CheckField,
  DecimalField,
  type Form,
  SelectField,
  TextField,
} from "../../parts/form/fields.tsx";
import {
  brandOnPage,
  type ComparedRow,
  mpnOnPage,
  positionOf,
  SayButtons,
  STANDING_MARKS,
} from "../../parts/identity.tsx";
import { RemoveButton } from "../../parts/action_button.tsx";
import { useState } from "preact/hooks";
import type { Preview } from "../../../scraping/teaching/preview_page.ts";
import type { Verdict } from "../../../engine/matching/identity_codes.ts";
import { bandOf } from "../../../engine/extraction/page_status.ts";
import { ErrorNote, Fact } from "../../parts/page.tsx";
import { scrapeErrorText, useMethodNames } from "../../parts/shop/read_again.tsx";
import type { MatchIdentity } from "../../../shops/matches/match_identity.ts";
import {
  confidenceText,
  identityReasonText,
  variantText,
  verdictWords,
} from "../../../engine/wording/page_words.ts";
import { type Column, column, SimpleTable } from "../../parts/table/table.tsx";
import { useProduct } from "./product_context.tsx";

interface MatchPanelProps {
  readonly match: CompetitorProduct | null;
  onClose(): void;
}

export function MatchPanel({ match, onClose }: MatchPanelProps) {
  const { words } = useApp();
  const texts = words.product.match;
  const own = useMatchForm({ match, onClose });
  const { form } = own;
  return (
    <FormDialog
      {...own.dialog}
      place="panel"
      title={match === null ? words.product.addMatch : texts.editTitle}
      save={words.save}
      isDisabled={own.isForeign && !own.isAnyway}
      actions={match && (
        <RemoveButton
          kind="danger"
          ask={(api) => api.DELETE("/api/competitor-products/{id}", byId(match.id))}
          question={{ title: texts.remove, text: texts.removeText }}
          onDone={onClose}
        />
      )}
    >
      <MatchFields form={form} match={match} />
      {match && <KeptIdentity match={match} onDecided={onClose} />}
      <MatchPreview
        url={own.url}
        extractor={match?.extractor ?? null}
        onVerdict={own.noteVerdict}
      />
      {own.isForeign && (
        <CheckField
          name="anyway"
          isOn={own.isAnyway}
          onChange={own.setAnyway}
          label={texts.linkAnyway}
          hint={texts.linkAnywayHint}
        />
      )}
    </FormDialog>
  );
}

function useMatchForm({ match, onClose }: MatchPanelProps) {
  const { call, show } = useApp();
  const { product } = useProduct();
  const [foreign, setForeign] = useState<string | null>(null);
  const [isAnyway, setAnyway] = useState(false);
  const params = { path: { id: match?.id ?? "" } };
  const saved = useSavedForm({
    document: match,
    resource: `competitor_product:${match?.id}`,
    read: get("/api/competitor-products/{id}", { params }),
    write: (api, body: Wire<"CompetitorProductPatch">) =>
      api.PATCH("/api/competitor-products/{id}", { params, body }),
    valuesOf: (one) => matchValues(one, show),
    save: async (values, changed, over) => {
      const isMeant = foreign === values.url.trim() && isAnyway;
      const body = matchBody(match === null ? values : changed, show);
      if (match === null) {
        const made = { productId: product.id, url: values.url, ...body };
        const confirmed = isMeant && { confirmed: true };
        return await call((api) =>
          api.POST("/api/competitor-products", { body: { ...made, ...confirmed } })
        );
      }
      const changedMatch = await over(body);
      if (changedMatch !== null && isMeant) {
        await call((api) => api.POST("/api/competitor-products/{id}/confirm", byId(match.id)));
      }
      return changedMatch;
    },
    touches: ["matches", "products", "competitors"],
    onClose,
  });
  const url = saved.form.values.url.trim();
  const noteVerdict = (of: string, verdict: Verdict | null) => {
    setForeign(verdict === "different" ? of : null);
    setAnyway(false);
  };
  const isForeign = foreign !== null && foreign === url;
  return { ...saved, url, isForeign, isAnyway, setAnyway, noteVerdict };
}

function MatchFields(
  { form, match }: Pick<MatchPanelProps, "match"> & { form: Form<MatchValues> },
) {
  const { product: { match: texts }, codes, fields, review } = useApp().words;
  return (
    <>
      <TextField
        {...form.text("url", texts.url)}
        hint={match ? <SafeLink url={match.url}>{review.toPage}</SafeLink> : texts.urlHint}
        type="url"
        hasFocus={match === null}
        isWide
      />
      <DecimalField {...form.text("packFactor", fields.packFactor, texts.packFactorHint)} />
      <SelectField {...form.text("matchType", fields.matchType)} options={codes.matchTypes} />
      <CheckField {...form.flag("enabled", texts.enabled)} />
    </>
  );
}

function KeptIdentity({ match, onDecided }: { match: CompetitorProduct; onDecided(): void }) {
  const { words: { product: { identity: texts } }, show, may } = useApp();
  const { identity } = match;
  if (identity === null) return null;
  const { confirmedBy, rejectedBy, checkedAt } = identity;
  const who = confirmedBy ?? rejectedBy;
  const said = confirmedBy !== null ? texts.confirmedBy : texts.rejectedBy;
  return (
    <section class="wide stack gap-6" aria-label={texts.kept}>
      {checkedAt !== null && <p class="hint">{texts.checked(show.dateTime(checkedAt))}</p>}
      <IdentityNote preview={identity} />
      {who !== null && <p>{said(who.name, show.dateTime(who.at))}</p>}
      {may("manager") && who === null && identity.verdict !== null && identity.verdict !== "same" &&
        (
          <p>
            <SayButtons match={match} of={match.competitor} onDone={onDecided} />
          </p>
        )}
    </section>
  );
}

function matchValues(match: CompetitorProduct | null, show: Show) {
  return {
    url: match?.url ?? "",
    packFactor: numberText(match?.packFactor ?? 1, show.locale),
    matchType: match?.matchType ?? "exact",
    enabled: match?.enabled ?? true,
  };
}

type MatchValues = ReturnType<typeof matchValues>;

function matchBody({ url, packFactor, ...plain }: Partial<MatchValues>, show: Show) {
  return {
    ...plain,
    ...(url !== undefined && { url: url.trim() }),
    ...(packFactor !== undefined && { packFactor: readNumber(packFactor, show.locale) }),
  };
}

interface Asked {
  readonly url: string;
  readonly extractor: CompetitorProduct["extractor"];
  readonly productId: string;
}

interface MatchPreviewProps extends Omit<Asked, "productId"> {
  onVerdict(url: string, verdict: Verdict | null): void;
}

function MatchPreview({ url, extractor, onVerdict }: MatchPreviewProps) {
  const texts = useApp().words.runs;
  const asked: Asked = { url, extractor, productId: useProduct().product.id };
  const test = useChange({
    run: async (call, body: Asked) => {
      const preview = await call((api) => api.POST("/api/competitor-products/preview", { body }));
      onVerdict(body.url, preview.verdict);
      return preview;
    },
    showsError: true,
  });
  const isOfThis = JSON.stringify(test.variables) === JSON.stringify(asked);
  return (
    <div class="wide preview stack gap-10">
      <p class="flow row gap-10">
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
      {isOfThis && test.data && <Outcome preview={test.data} />}
      {isOfThis && test.data && <IdentityNote preview={test.data} />}
    </div>
  );
}

function Outcome({ preview }: { preview: Preview }) {
  const { words, show, audience } = useApp();
  const texts = words.runs;
  const named = useMethodNames();
  const { price, currency, method, confidence, inStock, alternatives, pageStatus, page } = preview;
  if (preview.status !== "ok") {
    return (
      <div class="note bad" role="alert">
        <strong>{texts.testFailed}</strong>
        <p>{scrapeErrorText(words, preview.errorCode)}</p>
        {preview.message && <small class="exact">{preview.message}</small>}
      </div>
    );
  }
  const { yes, no, unknown, offerColumns } = words.product;
  const former = (cents: number | null) => cents !== null && show.money(cents, currency);
  const others = alternatives.map((one) =>
    `${named(one.method)} ${show.money(one.price, one.currency)}`
  );
  const facts = [
    [texts.pageIs, pageStatus && pageStatus !== "priced" && words.codes.pageStatuses[pageStatus]],
    [texts.variant, page?.variant && variantText(page.variant, audience.language)],
    [texts.listPrice, former(preview.listPrice)],
    [texts.lowest30, former(preview.lowest30)],
    [offerColumns.stock, inStock === null ? unknown : inStock ? yes : no],
    [words.fields.condition, page?.condition && words.codes.conditions[page.condition]],
    [texts.seller, page?.seller],
    [words.fields.method, method && named(method)],
    [
      words.fields.confidence,
      confidence !== null && confidenceText(confidence, bandOf(confidence), audience),
    ],
    [texts.resultColumns.others, others.join(", ")],
  ] as const;
  return (
    <div class="note info" role="status">
      <strong>{texts.testOk(show.money(price, currency))}</strong>
      <dl class="facts framed">
        {facts.map(([label, value]) => value && <Fact key={label} label={label}>{value}</Fact>)}
      </dl>
    </div>
  );
}

const TONES = { same: "good", probably: "info", different: "bad", unknown: "warn" } as const;

function IdentityNote(
  { preview }: { readonly preview: Pick<MatchIdentity, "verdict" | "reasons" | "page"> },
) {
  const { words, audience: { language } } = useApp();
  const { product } = useProduct();
  const { verdict, reasons, page } = preview;
  if (verdict === null || page === null) return null;
  const { codes: { conditions }, fields, product: { notKnown, identity: texts } } = words;
  const stateOf = (condition: typeof product.condition) => condition && conditions[condition];
  const row = (key: ComparedRow, label: string, ours: string | null, theirs: string | null) => ({
    ...{ key, label, ours, theirs },
  });
  const gtins = page.gtins?.join(", ") ?? page.gtin;
  const rows = [
    row("title", fields.title, product.title, page.title),
    row("brand", fields.brand, product.brand, brandOnPage(page, product.brand, texts)),
    row("gtin", fields.ean, product.ean, gtins),
    row("mpn", fields.mpn, product.mpn, mpnOnPage(page, reasons, texts)),
    row("condition", fields.condition, stateOf(product.condition), stateOf(page.condition)),
  ];
  const columns: readonly Column<typeof rows[number]>[] = [
    column("field", texts.field, 120).cell(({ label }) => label),
    column("ours", texts.ours, 140).cell(({ ours }) => ours ?? notKnown),
    column("theirs", texts.theirs, 140).cell((row) => {
      const stands = positionOf(row.key, reasons);
      const said = row.theirs ?? notKnown;
      return stands
        ? (
          <span class={stands === "same" ? "side good" : "side bad"}>
            {`${STANDING_MARKS[stands]} ${said}`}
          </span>
        )
        : said;
    }),
  ];
  return (
    <div class={`note ${TONES[verdict]}`} role={verdict === "different" ? "alert" : "status"}>
      <strong>{verdictWords(language)[verdict]}</strong>
      <ul>
        {reasons.map((reason) => <li key={reason.code}>{identityReasonText(reason, language)}</li>)}
      </ul>
      <SimpleTable label={texts.sides} columns={columns} rows={rows} />
    </div>
  );
}
