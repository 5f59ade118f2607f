/**
 * Forms that set our price by hand, or hold it (protect it from rules until a given time). A
 * doubtful price needs a confirmation, in some cases with a reason. Saving a different price while
 * a proposal is open accepts the proposal with this price. Without a proposal, nothing is saved if
 * another person has changed the price or the hold.
 */
import { byId, byPath, type Call, get, saveOver } from "../../api/call.ts";
import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { exponentOf } from "../../../base/money.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import {
  decidedText,
  PriceDoubtNote,
  type Proposal,
  takenBackText,
  usePriceDoubts,
} from "../../parts/decision/decision.tsx";
import { FormFrame, MoneyField, TextField, useForm } from "../../parts/form/fields.tsx";
import { Gap, LowestPrice } from "../../parts/price_figures.tsx";
import { Fact, Section } from "../../parts/page.tsx";
import { dayOf, endOfDay } from "../../formats/day.ts";
import { decimalText, readMinor } from "../../formats/decimal.ts";
import { limitsOf, marginTermsOf, type OneProduct } from "./one_product.tsx";
import { positionAt, useProduct } from "./product_context.tsx";
import { DAY_MS } from "../../../base/time.ts";
import type { Show } from "../../../engine/wording/show.ts";
import { FormDialog } from "../../parts/form/saved_form.tsx";
import {
  type BulkResult,
  decideInBulk,
  setCounterPrice,
} from "../../parts/decision/decide_in_bulk.ts";

interface PriceFormProps {
  readonly proposal: Proposal | null;
  readonly box: RefObject<HTMLDivElement | null>;
}

export function PriceForm(props: PriceFormProps) {
  const { words, show } = useApp();
  const texts = words.priceEdit;
  const { proposal, box } = props;
  const { id, currency } = useProduct().product;
  const { form, cents, doubted, lacksReason, isOver, cancel } = usePriceForm(props);
  return (
    <Section
      isCard
      title={proposal ? words.fields.applied : texts.title}
      note={proposal ? texts.counterHint : texts.hint}
    >
      <div
        class="price-edit stack gap-10"
        ref={box}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !form.isDirty) return;
          event.preventDefault();
          cancel();
        }}
      >
        <FormFrame
          form={form}
          actions={form.isDirty && <Button onClick={cancel}>{words.cancel}</Button>}
          submit={form.isDirty && (form.changed.until ? texts.saveHeld : texts.save)}
        >
          <MoneyField {...form.text("price", texts.price(currency))} currency={currency} />
          <TextField
            {...form.text("until", texts.hold)}
            {...isOver && { error: words.holding.fromToday }}
            type="date"
          />
          <PriceDoubtNote
            doubted={doubted}
            cents={cents}
            currency={currency}
            onTake={(likely) => form.set({ price: decimalText(likely, currency, show.locale) })}
            onInsist={() => focusSoon(box, "reason")}
          />
          {form.isDirty && !doubted.isOpen && (
            <TextField
              {...form.text(
                "reason",
                doubted.isReasonNeeded ? texts.reasonNeeded : words.fields.reason,
                lacksReason ? texts.onlyReason : undefined,
              )}
              isRequired={doubted.isReasonNeeded}
              isWide
            />
          )}
        </FormFrame>
        {cents !== null && <Outcome cents={cents} />}
        <LowestPrice productId={id} />
      </div>
    </Section>
  );
}

function usePriceForm({ proposal, box }: PriceFormProps) {
  const { show, workspace } = useApp();
  const { product, rivals } = useProduct();
  const initial = initialOf(product, show);
  const set = useSetPrice(proposal);
  const form = useForm({
    initial,
    save: async ({ until, reason }) => {
      if (cents === null || isHeldUp) {
        focusObstacle(box);
        return false;
      }
      const heldUntil = until === "" ? null : endOfDay(until, show.timeZone);
      const wanted: Wanted = {
        ...(cents !== product.ourPriceCents && { ourPriceCents: cents }),
        ...(until !== initial.until && { heldUntil }),
      };
      const isDone = await set(cents, wanted, reason.trim());
      if (isDone) {
        const saved = initialOf({ ...product, ...wanted }, show);
        form.reset(saved);
        setShown(JSON.stringify(saved));
      }
      return isDone;
    },
  });
  const stands = JSON.stringify(initial);
  const [shown, setShown] = useState(stands);
  if (shown !== stands && !form.isSaving) {
    setShown(stands);
    if (!form.isDirty) form.reset(initial);
  }
  const { price, until, reason } = form.values;
  const cents = readMinor(price, exponentOf(product.currency), show.locale);
  const floorPct = useFloorPct(product);
  const held = { ...product, heldUntil: until === "" ? null : product.heldUntil };
  const doubted = usePriceDoubts(
    cents === null ? null : {
      cents,
      oldCents: product.ourPriceCents,
      marketCents: rivals[0]?.cents ?? null,
      floorPct,
      terms: marginTermsOf(product, workspace.value),
      limits: limitsOf(held, Date.now()),
    },
  );
  const lacksReason = doubted.isReasonNeeded && reason.trim() === "";
  const isOver = until !== "" && isOverDay(until, show);
  const isHeldUp = doubted.isOpen || lacksReason || isOver;
  const cancel = () => {
    form.set(initial);
    doubted.insist(null);
  };
  return { form, cents, doubted, lacksReason, isOver, cancel };
}

const NOTHING_DECIDED: BulkResult = { done: [], refused: [] };

function useSetPrice(proposal: Proposal | null) {
  const { words, show } = useApp();
  const { product, doing } = useProduct();
  const texts = words.priceEdit;
  const { currency, ourPriceCents } = product;
  return (cents: number, { ourPriceCents: price, ...hold }: Wanted, reason: string) => {
    const counters = cents === ourPriceCents || cents === 0 ? null : proposal;
    const rest = counters || price === undefined ? hold : { ...hold, ourPriceCents: price };
    const hasRest = Object.keys(rest).length > 0;
    // Until other people have approved the proposal, the product keeps its old price.
    const seenAfter = ({ done }: BulkResult) =>
      done.length > 0 ? { ...product, ourPriceCents: cents } : product;
    return doing.act({
      run: async (call) => {
        const result = counters
          ? await setCounterPrice(call, counters, { cents, reason })
          : NOTHING_DECIDED;
        if (hasRest) await setPrice(call, seenAfter(result), rest, reason);
        return result;
      },
      told: (result) =>
        decidedText({ words, show }, texts.saved(show.money(cents, currency)), result),
      undo: (result) =>
        result.refused.length > 0 && !hasRest ? null : async (call) => {
          // Undoes the hold first, because `takeBack` throws once the price has changed.
          if (hasRest) await takeBack(call, seenAfter(result), rest, words.frame.undone);
          const decision = { action: "rollback", reason: words.frame.undone } as const;
          const { done } = await decideInBulk(call, decision, result.done);
          const undone = texts.undone(show.money(ourPriceCents, currency));
          return takenBackText({ words, show }, undone, done.flatMap((one) => one.reopened ?? []));
        },
    });
  };
}

function Outcome({ cents }: { readonly cents: number }) {
  const { words, show } = useApp();
  const { product, rivals, comparedOf, marginAt } = useProduct();
  const compared = comparedOf(cents);
  const position = positionAt(compared, rivals);
  return (
    <>
      <dl class="small-figures flow gap-6" aria-live="polite">
        <Fact label={words.fields.margin}>{show.share(marginAt(cents))}</Fact>
        <Fact label={words.market.columns.gapPct}>
          <Gap ourCents={compared} theirs={position?.cheapest.unit ?? null} />
        </Fact>
        {position !== null && (
          <Fact label={words.proposals.rankOf(position.of)}>{show.number(position.rank)}</Fact>
        )}
      </dl>
      <p class="soft small">{words.priceEdit.calculated(show.money(cents, product.currency))}</p>
    </>
  );
}

/** True if `day` is in the past or is empty. */
function isOverDay(day: string, { timeZone }: Show): boolean {
  return day < dayOf(new Date().toISOString(), timeZone);
}

function initialOf({ ourPriceCents, currency, heldUntil = null }: Omit<Priced, "id">, show: Show) {
  const isHeld = heldUntil !== null && Date.parse(heldUntil) > Date.now();
  return {
    price: decimalText(ourPriceCents, currency, show.locale),
    until: isHeld ? dayOf(heldUntil, show.timeZone) : "",
    reason: "",
  };
}

function useFloorPct({ market }: OneProduct): number | null {
  const rule = market?.rule;
  const { data } = useDocument(rule ? get("/api/rules/{id}", byId(rule.id)) : null);
  return data?.marginFloor?.pct ?? null;
}

function focusObstacle(box: RefObject<HTMLElement | null>): void {
  const found = box.current?.querySelector(
    '[aria-invalid="true"], .price-doubt button, [name="reason"]',
  );
  if (found instanceof HTMLElement) found.focus();
}

/** Waits for the next frame, in which the field is rendered. */
export function focusSoon(box: RefObject<HTMLElement | null>, name: string): void {
  requestAnimationFrame(() => {
    const field = box.current?.querySelector(`[name="${name}"]`);
    if (!(field instanceof HTMLInputElement)) return;
    field.focus();
    field.select();
  });
}

interface HoldFormProps {
  readonly held: string | null;
  readonly nowMs: number;
  /** True in the form for several products at once, which asks for no reason. */
  readonly isBulk?: boolean;
  hold(heldUntil: string | null, reason: string): Promise<boolean>;
  onClose(): void;
}

const HOLD_AT_FIRST_MS = 14 * DAY_MS;

export function HoldForm({ held, nowMs, isBulk = false, hold, onClose }: HoldFormProps) {
  const { words: { holding: texts, fields }, show } = useApp();
  const suggested = held ?? new Date(nowMs + HOLD_AT_FIRST_MS).toISOString();
  const form = useForm({
    initial: { until: dayOf(suggested, show.timeZone), reason: "" },
    save: ({ until, reason }) => hold(endOfDay(until, show.timeZone), reason),
    isGuarded: false,
  });
  const isOver = isOverDay(form.values.until, show);
  return (
    <FormDialog title={texts.title} form={form} isDisabled={isOver} onClose={onClose}>
      <p class="wide">{texts.text}</p>
      <TextField
        {...form.text("until", texts.until)}
        {...isOver && { error: texts.fromToday }}
        type="date"
        isRequired
        hasFocus
      />
      {!isBulk && <TextField {...form.text("reason", fields.reason)} isWide />}
      {(isBulk || held !== null) && (
        <p class="wide">
          <Button onClick={() => void hold(null, form.values.reason)}>{texts.release}</Button>
        </p>
      )}
    </FormDialog>
  );
}

export function HoldDialog({ onClose }: Pick<HoldFormProps, "onClose">) {
  const { words: { holding: texts, frame }, show } = useApp();
  const { product, doing, nowMs, held } = useProduct();
  const textOf = (until: string | null) =>
    until === null ? texts.released : texts.held(show.date(until));
  const hold = (heldUntil: string | null, reason: string) =>
    doing.act({
      run: (call) => setPrice(call, product, { heldUntil }, reason.trim()),
      told: () => textOf(heldUntil),
      undo: () => async (call) => {
        await takeBack(call, product, { heldUntil }, frame.undone);
        return textOf(held);
      },
      onDone: onClose,
    });
  return <HoldForm held={held} nowMs={nowMs} hold={hold} onClose={onClose} />;
}

interface Wanted {
  readonly ourPriceCents?: number | null;
  /** Until this time, no rule changes the price; null ends the hold. */
  readonly heldUntil?: string | null;
}

type Priced = Pick<OneProduct, "id" | "ourPriceCents" | "currency" | "heldUntil">;

/** Throws `Overtaken` if another person has changed price, currency or hold since `seen`. */
async function setPrice(call: Call, seen: Priced, wanted: Wanted, reason = ""): Promise<unknown> {
  return await saveOver(call, {
    read: (api) => api.GET("/api/products/{id}", byId(seen.id)),
    write: (api) =>
      api.PATCH("/api/products/{id}", {
        ...byPath({ id: seen.id }, { allowLargeChange: true }),
        body: { ...wanted, ...(reason !== "" && { reason }) },
      }),
    isSeen: (latest) =>
      latest.ourPriceCents === seen.ourPriceCents && latest.currency === seen.currency &&
      (latest.heldUntil ?? null) === (seen.heldUntil ?? null),
  });
}

async function takeBack(
  call: Call,
  before: Priced,
  wanted: Wanted,
  reason: string,
): Promise<unknown> {
  const former: Wanted = {
    ...(wanted.ourPriceCents !== undefined && { ourPriceCents: before.ourPriceCents }),
    ...(wanted.heldUntil !== undefined && { heldUntil: before.heldUntil ?? null }),
  };
  return await setPrice(call, { ...before, ...wanted }, former, reason);
}
