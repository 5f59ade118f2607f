import { useApp } from "../../app/app.ts";
import { dayOf, endOfDay } from "../../formats/day.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/form_dialog.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { HOLD_AT_FIRST_MS } from "./hold_dialog.tsx";

interface BulkHoldProps {
  /** An instant; null lets the prices go. */
  onHold(heldUntil: string | null): void;
  onClose(): void;
}

/** Keeps rules away from the prices of all that is marked. */
export function BulkHoldDialog({ onHold, onClose }: BulkHoldProps) {
  const { words, show } = useApp();
  const texts = words.holding;
  const hold = (heldUntil: string | null) => {
    onClose();
    onHold(heldUntil);
  };
  const suggested = new Date(Date.now() + HOLD_AT_FIRST_MS).toISOString();
  const form = useForm({
    initial: { until: dayOf(suggested, show.timeZone) },
    save: ({ until }) => {
      if (until !== "") hold(endOfDay(until, show.timeZone));
      return Promise.resolve(until !== "");
    },
    isGuarded: false,
  });
  return (
    <FormDialog title={texts.title} form={form} onClose={onClose}>
      <p class="wide">{texts.text}</p>
      <TextField {...form.text("until")} label={texts.until} type="date" isRequired hasFocus />
      <p class="wide">
        <Button onClick={() => hold(null)}>{texts.release}</Button>
      </p>
    </FormDialog>
  );
}
