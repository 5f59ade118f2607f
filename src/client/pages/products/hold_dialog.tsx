import { DAY_MS } from "../../../base/time.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import { TextField, useForm } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/form_dialog.tsx";
import { dayOf, endOfDay } from "../../formats/day.ts";
import type { OneProduct } from "./one_product.tsx";
import { heldUntilOf } from "./product.ts";
import { setPrice, takeBack } from "./set_price.ts";
import type { Doing } from "./use_doing.ts";

interface HoldFormProps {
  readonly held: string | null;
  readonly nowMs: number;
  /** True for many products. The form then asks for no reason, and can also end holds. */
  readonly isBulk?: boolean;
  /** Null ends the hold. Resolves to false if the service refused. */
  hold(heldUntil: string | null, reason: string): Promise<boolean>;
  onClose(): void;
}

const HOLD_AT_FIRST_MS = 14 * DAY_MS;

export function HoldForm({ held, nowMs, isBulk = false, hold, onClose }: HoldFormProps) {
  const { words, show } = useApp();
  const texts = words.holding;
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
      {!isBulk && <TextField {...form.text("reason", words.priceEdit.reason)} isWide />}
      {(isBulk || held !== null) && (
        <p class="wide">
          <Button onClick={() => void hold(null, form.values.reason)}>{texts.release}</Button>
        </p>
      )}
    </FormDialog>
  );
}

interface HoldProps extends Pick<HoldFormProps, "nowMs" | "onClose"> {
  readonly product: OneProduct;
  readonly doing: Doing;
}

export function HoldDialog({ product, doing, nowMs, onClose }: HoldProps) {
  const { words, show } = useApp();
  const texts = words.holding;
  const held = heldUntilOf(product, nowMs);
  const textOf = (until: string | null) =>
    until === null ? texts.released : texts.held(show.date(until));
  const hold = (heldUntil: string | null, reason: string) =>
    doing.act({
      run: (call) => setPrice(call, product, { heldUntil }, reason.trim()),
      done: textOf(heldUntil),
      back: async (call) => {
        await takeBack(call, product, { heldUntil }, words.priceEdit.takenBack);
        return textOf(held);
      },
      onDone: onClose,
    });
  return <HoldForm held={held} nowMs={nowMs} hold={hold} onClose={onClose} />;
}
