/**
 * The form that sets our price by hand. A doubtful price is saved only if the person insists on it,
 * and in some cases gives a reason. If there is an open proposal, saving another price accepts the
 * proposal at that price.
 */
import { byId, get } from "../../api/call.ts";
import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { exponentOf } from "../../../base/money.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import type { Proposal } from "../../parts/decision/decision.ts";
import { PriceDoubtNote, usePriceDoubts } from "../../parts/decision/price_doubt_note.tsx";
import { takenBackText } from "../../parts/decision/reopened_text.ts";
import { FormFrame, MoneyField, TextField, useForm } from "../../parts/form/fields.tsx";
import { Gap } from "../../parts/percentages.tsx";
import { LowestPrice } from "../../parts/lowest_price.tsx";
import { Fact, Section } from "../../parts/page.tsx";
import { dayOf, endOfDay } from "../../formats/day.ts";
import { decimalText, readMinor } from "../../formats/decimal.ts";
import { marginAt, marginTermsOf, type OneProduct } from "./one_product.tsx";
import { limitsOf } from "./product.ts";
import { counterPrice, setPrice, takeBack, takeBackCounter, type Wanted } from "./set_price.ts";
import { parcelCents } from "../../formats/parcel.ts";
import { positionAt, type Rival } from "./price_position.ts";
import type { Doing } from "./use_doing.ts";

interface PriceEditProps {
  readonly product: OneProduct;
  /** The open proposal. Saving another price accepts this proposal at that price. */
  readonly proposal: Proposal | null;
  readonly rivals: readonly Rival[];
  readonly doing: Doing;
  readonly box: RefObject<HTMLDivElement | null>;
  /** False to show nothing but the lowest price of 30 days. */
  readonly mayEdit: boolean;
}

export function PriceEdit({ mayEdit, ...props }: PriceEditProps) {
  const { words } = useApp();
  return mayEdit
    ? <PriceForm {...props} />
    : (
      <Section isCard title={words.products.columns.ourPrice}>
        <LowestPrice productId={props.product.id} isDeleted={props.product.deletedAt !== null} />
      </Section>
    );
}

type PriceFormProps = Omit<PriceEditProps, "mayEdit">;

function PriceForm(props: PriceFormProps) {
  const { words, show } = useApp();
  const texts = words.priceEdit;
  const { product, proposal, rivals, box } = props;
  const { currency } = product;
  const { form, cents, doubted, lacksReason, cancel } = usePriceForm(props);
  return (
    <Section
      isCard
      title={proposal ? words.openProposal.other : texts.title}
      note={proposal ? texts.counterHint : texts.hint}
    >
      <div
        class="price-edit"
        ref={box}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || !form.isDirty) return;
          event.preventDefault();
          cancel();
        }}
      >
        <FormFrame
          form={form}
          actions={form.isDirty && (
            <>
              <Button onClick={cancel}>{words.cancel}</Button>
              <Button kind="main" type="submit" isBusy={form.isSaving}>
                {form.changed.until ? texts.saveHeld : texts.save}
              </Button>
            </>
          )}
        >
          <MoneyField {...form.text("price", texts.price(currency))} currency={currency} />
          <TextField {...form.text("until", texts.hold)} type="date" />
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
                doubted.isReasonNeeded ? texts.reasonNeeded : texts.reason,
                lacksReason ? texts.onlyReason : undefined,
              )}
              isRequired={doubted.isReasonNeeded}
              isWide
            />
          )}
        </FormFrame>
        {cents !== null && <Outcome cents={cents} product={product} rivals={rivals} />}
        <LowestPrice productId={product.id} isDeleted={product.deletedAt !== null} />
      </div>
    </Section>
  );
}

function usePriceForm({ product, proposal, rivals, doing, box }: PriceFormProps) {
  const { show, workspace } = useApp();
  const initial = initialOf(product, show);
  const set = useSetPrice({ product, proposal, doing });
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
  // A form without input follows changes of the price by others.
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
  const isHeldUp = doubted.isOpen || lacksReason;
  const cancel = () => {
    form.set(initial);
    doubted.insist(null);
  };
  return { form, cents, doubted, lacksReason, cancel };
}

/** Sets a price; an open proposal is accepted at this price. One undo covers both changes. */
function useSetPrice({ product, proposal, doing }: Omit<PriceFormProps, "rivals" | "box">) {
  const { words, show } = useApp();
  const texts = words.priceEdit;
  const { currency, ourPriceCents } = product;
  return (cents: number, wanted: Wanted, reason: string) => {
    const counters = cents === ourPriceCents || cents === 0 ? null : proposal;
    const priced = { ...wanted, ourPriceCents: cents };
    return doing.act({
      run: (call) =>
        counters
          ? counterPrice(call, counters, product, priced, reason)
          : setPrice(call, product, wanted, reason),
      done: texts.saved(show.money(cents, currency)),
      back: async (call) => {
        const undone = texts.undone(show.money(ourPriceCents, currency));
        if (!counters) {
          await takeBack(call, product, wanted, texts.takenBack);
          return undone;
        }
        const before = await takeBackCounter(call, counters, product, wanted, texts.takenBack);
        return takenBackText({ words, show }, undone, [before.reopened]);
      },
    });
  };
}

function Outcome(
  { cents, product, rivals }: Pick<PriceEditProps, "product" | "rivals"> & { cents: number },
) {
  const { words, show, workspace } = useApp();
  const compared = cents + parcelCents(product, workspace.value);
  const position = positionAt(compared, rivals);
  return (
    <>
      <dl class="small-figures" aria-live="polite">
        <Fact label={words.products.columns.margin}>
          {show.share(marginAt(cents, product, workspace.value))}
        </Fact>
        <Fact label={words.position.gapShort}>
          <Gap ourCents={compared} theirs={position?.cheapest.unit ?? null} />
        </Fact>
        {position !== null && (
          <Fact label={words.proposals.rankOf(show.number(position.of))}>
            {show.number(position.rank)}
          </Fact>
        )}
      </dl>
      <p class="soft small">{words.priceEdit.calculated(show.money(cents, product.currency))}</p>
    </>
  );
}

type Shown = ReturnType<typeof useApp>["show"];
type Priced = Pick<OneProduct, "ourPriceCents" | "currency" | "heldUntil">;

function initialOf({ ourPriceCents, currency, heldUntil = null }: Priced, show: Shown) {
  const isHeld = heldUntil !== null && Date.parse(heldUntil) > Date.now();
  return {
    price: decimalText(ourPriceCents, currency, show.locale),
    until: isHeld ? dayOf(heldUntil, show.timeZone) : "",
    reason: "",
  };
}

/** The minimum margin of the product's rule in percent; null without a rule. */
function useFloorPct({ market }: OneProduct): number | null {
  const ruleId = market?.rule?.id ?? null;
  const found = useDocument(get("/api/rules/{id}", byId(ruleId ?? "")), {
    isWanted: ruleId !== null,
  });
  return ruleId === null ? null : found.data?.marginFloor?.pct ?? null;
}

function focusObstacle(box: RefObject<HTMLElement | null>): void {
  const found = box.current?.querySelector('.price-doubt button, [name="reason"]');
  if (found instanceof HTMLElement) found.focus();
}

/** Focuses the field after the next rendering, because the field does not exist earlier. */
export function focusSoon(box: RefObject<HTMLElement | null>, name: string): void {
  requestAnimationFrame(() => {
    const field = box.current?.querySelector(`[name="${name}"]`);
    if (!(field instanceof HTMLInputElement)) return;
    field.focus();
    field.select();
  });
}
