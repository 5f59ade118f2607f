import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import { TextField, useForm } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/form_dialog.tsx";
import { dayOf, endOfDay } from "../../formats/day.ts";
import type { OneProduct } from "./one_product.tsx";
import { heldUntilOf } from "./product.ts";
import { setPrice, takeBack } from "./set_price.ts";
import type { Doing } from "./use_doing.ts";

interface HoldProps {
  readonly product: OneProduct;
  readonly doing: Doing;
  readonly nowMs: number;
  onClose(): void;
}

const DAY_MS = 86_400_000;
/** How long a hold is, unless somebody says otherwise. */
export const HOLD_AT_FIRST_MS = 14 * DAY_MS;

/** Keeps rules away from the price for a while. */
export function HoldDialog({ product, doing, nowMs, onClose }: HoldProps) {
  const { words, show } = useApp();
  const texts = words.holding;
  const held = heldUntilOf(product, nowMs);
  const hold = async (heldUntil: string | null, reason: string) => {
    const wanted = { heldUntil };
    return await doing.act({
      run: (call) => setPrice(call, product, wanted, reason.trim()),
      done: heldUntil === null ? texts.released : texts.held(show.date(heldUntil)),
      back: async (call) => {
        await takeBack(call, product, wanted, words.priceEdit.takenBack);
        return held === null ? texts.released : texts.held(show.date(held));
      },
      onDone: onClose,
    });
  };
  const suggested = held ?? new Date(nowMs + HOLD_AT_FIRST_MS).toISOString();
  const form = useForm({
    initial: { until: dayOf(suggested, show.timeZone), reason: "" },
    save: ({ until, reason }) =>
      until === "" ? Promise.resolve(false) : hold(endOfDay(until, show.timeZone), reason),
    isGuarded: false,
  });
  return (
    <FormDialog title={texts.title} form={form} onClose={onClose}>
      <p class="wide">{texts.text}</p>
      <TextField {...form.text("until", texts.until)} type="date" isRequired hasFocus />
      <TextField {...form.text("reason", words.priceEdit.reason)} isWide />
      {held !== null && (
        <p class="wide">
          <Button onClick={() => void hold(null, form.values.reason)}>{texts.release}</Button>
        </p>
      )}
    </FormDialog>
  );
}
