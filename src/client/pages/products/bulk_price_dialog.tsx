/**
 * Sets the prices of many products by one formula. Doubtful prices, such as prices below cost, are
 * set only if the person accepts this kind of doubt.
 */
import { column, SimpleTable } from "../../parts/table/table.tsx";
import { useQuery } from "@tanstack/preact-query";
import { useMemo, useState } from "preact/hooks";
import { exponentOf, majorOf, parseMajor } from "../../../base/money.ts";
import { needsReason } from "../../../base/price_doubts.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { readSigned } from "../../formats/decimal.ts";
import { Button, Dialog } from "../../parts/controls.tsx";
import { Delta } from "../../parts/price_figures.tsx";
import { ErrorNote, Loading, Progress } from "../../parts/page.tsx";
import { CheckField, DecimalField, SelectField, TextField } from "../../parts/form/fields.tsx";
import { useSettled } from "../../parts/hooks.ts";
import { type Marked, markedProducts } from "./one_product.tsx";
import {
  acceptedOf,
  DOUBT_CODES,
  type DoubtCode,
  largestOf,
  LEFT_OUT,
  type PlannedPrice,
  planPrices,
  pricedOf,
  type PriceWish,
} from "./price_plan.ts";
import {
  reversed,
  type SeenPrice,
  type SetPrices,
  setPrices,
  type SetPricesOutcome,
} from "../../parts/decision/decide_in_bulk.ts";
import { get } from "../../api/call.ts";
import { useUndoableChange } from "../../parts/undo_queue.ts";
import { pick } from "../../../base/collections.ts";

interface BulkPriceProps {
  readonly marked: Marked;
  onClose(): void;
}

const KINDS = ["percent", "cheapestPct", "cheapestCents", "amount"] as const;
type Kind = (typeof KINDS)[number];
const SHOWN = 8;
const PCT_DECIMALS = 2;
const TYPING_PAUSE_MS = 200;

export function BulkPriceDialog({ marked, onClose }: BulkPriceProps) {
  const { words: { bulkPrices: texts, cancel, fields, priceEdit } } = useApp();
  const plan = usePlan(marked);
  const { prices, products } = plan;
  const [reason, setReason] = useState("");
  const [isAsked, setAsked] = useState(false);
  const pricing = useBulkPrices(marked, onClose);
  const isReasonNeeded = prices.some(({ doubts }) => needsReason(doubts));
  const lacksReason = isReasonNeeded && reason.trim() === "";
  const isBusy = pricing.sent !== null;
  const isReady = plan.isSettled && prices.length > 0 && !isBusy;
  const set = () => {
    setAsked(true);
    if (isReady && !lacksReason) pricing.set(prices, reason.trim());
  };
  return (
    <Dialog
      title={texts.title}
      onClose={() => {
        if (!isBusy) onClose();
      }}
      actions={
        <>
          <Button onClick={onClose} isDisabled={isBusy}>{cancel}</Button>
          <Button kind="main" isBusy={isBusy} isDisabled={!isReady} onClick={set}>
            {texts.set(prices.length)}
          </Button>
        </>
      }
    >
      <div class="form">
        <div class="fields">
          <WishFields plan={plan} />
          <TextField
            name="reason"
            label={isReasonNeeded ? priceEdit.reasonNeeded : fields.reason}
            isWide
            isRequired={isReasonNeeded}
            value={reason}
            error={isAsked && lacksReason ? priceEdit.onlyReason : null}
            onValue={setReason}
          />
        </div>
        {products.error
          ? <ErrorNote error={products.error} onAgain={() => void products.refetch()} />
          : products.isPending
          ? <Loading label={texts.reading(plan.read)} />
          : <PlanNote plan={plan} />}
        {pricing.sent !== null && (
          <Progress
            done={pricing.sent}
            total={prices.length}
            label={texts.sent(pricing.sent, prices.length)}
          />
        )}
      </div>
    </Dialog>
  );
}

type Plan = ReturnType<typeof usePlan>;

function usePlan(marked: Marked) {
  const { call, show, workspace: { value: workspace } } = useApp();
  const [read, setRead] = useState(0);
  const products = useQuery({
    queryKey: ["marked", marked.query, marked.selection.isAll, [...marked.selection.ids]],
    queryFn: () => markedProducts(call, marked, (product) => pricedOf(product, workspace), setRead),
    staleTime: Infinity,
    gcTime: 0,
  });
  const rules = useDocument(get("/api/rules")).data;
  const [kind, setKind] = useState<Kind>("percent");
  const [text, setText] = useState("");
  const [accepted, onAccepted] = useState<ReadonlySet<DoubtCode>>(new Set());
  const currency = workspace?.currency ?? "EUR";
  const typed = useSettled(text, TYPING_PAUSE_MS);
  const wish = useMemo(() => wishOf(kind, typed, currency, show.locale), [kind, typed, currency]);
  const planned = useMemo(() => {
    if (!wish || !products.data || !rules) return null;
    const floors = new Map(rules.map(({ id, marginFloor }) => [id, marginFloor?.pct ?? null]));
    return planPrices(products.data, wish, { workspace, floors, nowMs: Date.now() });
  }, [wish, products.data, rules, workspace]);
  return {
    ...{ products, read, planned, accepted, onAccepted, kind, text, setText, currency },
    prices: useMemo(() => planned ? acceptedOf(planned, accepted) : [], [planned, accepted]),
    isSettled: typed === text,
    isMissing: typed !== "" && wish === null,
    choose: (value: string) => {
      setKind(KINDS.find((one) => one === value) ?? "percent");
      setText("");
    },
  };
}

function WishFields({ plan: { kind, text, currency, ...plan } }: { plan: Plan }) {
  const { words: { bulkPrices: texts, form } } = useApp();
  return (
    <>
      <SelectField
        name="kind"
        label={texts.kind}
        value={kind}
        options={pick(texts.kinds, KINDS)}
        onValue={plan.choose}
      />
      <DecimalField
        name="value"
        label={isPctOf(kind) ? texts.pct : texts.amount(currency)}
        hint={texts.hints[kind]}
        hasFocus
        value={text}
        error={plan.isMissing ? form.noNumber : null}
        onValue={plan.setText}
      />
    </>
  );
}

function PlanNote({ plan: { planned, prices, accepted, onAccepted } }: { plan: Plan }) {
  const { words: { bulkPrices: texts, fields }, show } = useApp();
  if (planned === null) return null;
  const down = prices.filter(({ fromCents, toCents }) => fromCents !== null && toCents < fromCents);
  const up = prices.filter(({ fromCents, toCents }) => fromCents !== null && toCents > fromCents);
  const left = LEFT_OUT.filter((why) => planned.leftOut[why] > 0);
  return (
    <div class="bulk-plan stack gap-8" aria-live="polite">
      <p>
        <strong>{texts.changes(prices.length)}</strong>
        {prices.length > 0 && (
          <>
            {": "}
            {texts.directions(down.length, up.length)}
          </>
        )}
      </p>
      {left.length > 0 && (
        <p class="soft">
          {texts.stay}{" "}
          {left.map((why) => `${show.number(planned.leftOut[why])} ${texts.leftOut[why]}`)
            .join(", ")}
        </p>
      )}
      <DoubtBoxes prices={planned.prices} accepted={accepted} onAccepted={onAccepted} />
      {prices.length > 0 && (
        <SimpleTable
          label={texts.largest}
          rows={largestOf(prices, SHOWN)}
          columns={[
            column("sku", fields.sku, 110).cell<PlannedPrice>(({ sku }) => sku),
            column("from", fields.current, 100).money<PlannedPrice>((
              { fromCents, currency },
            ) => [fromCents, currency]),
            column("to", fields.after, 100).number<PlannedPrice>(({ toCents, currency }) => (
              <strong>{show.money(toCents, currency)}</strong>
            )),
            column("change", fields.change, 80).number<PlannedPrice>((price) => (
              <Delta {...price} />
            )),
          ]}
        />
      )}
    </div>
  );
}

function DoubtBoxes(
  { prices, accepted, onAccepted }: Pick<Plan, "prices" | "accepted" | "onAccepted">,
) {
  const texts = useApp().words.bulkPrices;
  const counts = DOUBT_CODES.map((code) => ({
    code,
    count: prices.filter(({ doubts }) => doubts.some((doubt) => doubt.code === code)).length,
  })).filter(({ count }) => count > 0);
  if (counts.length === 0) return null;
  return (
    <div class="price-doubt note warn fine" role="group" aria-label={texts.doubtTitle}>
      <p>{texts.doubtTitle}</p>
      {counts.map(({ code, count }) => (
        <CheckField
          key={code}
          name={code}
          label={texts.doubts[code](count)}
          isOn={accepted.has(code)}
          onChange={() => onAccepted(accepted.symmetricDifference(new Set([code])))}
        />
      ))}
    </div>
  );
}

const isPctOf = (kind: Kind) => kind === "percent" || kind === "cheapestPct";

function wishOf(kind: Kind, text: string, currency: string, locale: string): PriceWish | null {
  const signed = readSigned(text, locale);
  if (signed === null) return null;
  const digits = isPctOf(kind) ? PCT_DECIMALS : exponentOf(currency);
  const parsed = parseMajor(signed.decimal, digits);
  if (!("minor" in parsed)) return null;
  const value = signed.isNegative ? -parsed.minor : parsed.minor;
  switch (kind) {
    case "percent":
    case "cheapestPct":
      return { kind, pct: majorOf(value, PCT_DECIMALS) };
    case "cheapestCents":
      return { kind, cents: value, currency };
    case "amount":
      return value > 0 ? { kind, cents: value, currency } : null;
  }
}

function useBulkPrices({ selection }: Marked, onClose: () => void) {
  const { words: { bulkPrices: texts, frame }, toasts } = useApp();
  const [sent, setSent] = useState<number | null>(null);
  const textOf = ({ left, error }: SetPricesOutcome, text: string) => {
    if (error !== null) toasts.refuse(error);
    return left > 0 ? `${text} · ${texts.left(left)}` : text;
  };
  const change = useUndoableChange({
    run: (call, wish: SetPrices) => setPrices(call, wish, setSent),
    touches: ["products", "proposals", "overview", "audit-logs"],
    told: (outcome) => textOf(outcome, texts.done(outcome.done.length)),
    undo: ({ done }) =>
      done.length === 0 ? null : async (call) => {
        const reason = frame.undone;
        const outcome = await setPrices(call, { prices: done.map(reversed), reason });
        return textOf(outcome, texts.undone(outcome.done.length));
      },
    onDone: () => {
      setSent(null);
      selection.clear();
      onClose();
    },
  });
  return {
    sent,
    set: (prices: readonly PlannedPrice[], reason: string) =>
      change.mutate({ prices: prices.map(priceOf), reason }),
  };
}

function priceOf({ id, currency, fromCents, toCents }: PlannedPrice): SeenPrice {
  return { id, currency, seenCents: fromCents, ourPriceCents: toCents };
}
