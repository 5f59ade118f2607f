import { useState } from "preact/hooks";
import type { Call } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { CheckField, TextField } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/form_dialog.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import type { Doing } from "./use_doing.ts";

/** An entry of the history of own prices. */
export interface HistoryEntry {
  readonly productId: string;
  readonly at: string;
  /** The price, in words. */
  readonly price: string;
}

interface MarkProps {
  readonly entry: HistoryEntry;
  readonly doing: Doing;
  onClose(): void;
}

/** Says that a price was an error; what customers never saw counts for no lowest price. */
export function MarkDialog({ entry, doing, onClose }: MarkProps) {
  const { words, show } = useApp();
  const texts = words.past;
  const [isMissing, setMissing] = useState(false);
  const form = useForm({
    initial: { reason: "", neverShown: false },
    save: async ({ reason, neverShown }) => {
      setMissing(reason.trim() === "");
      if (reason.trim() === "") return false;
      const mark = { isError: true, neverShown, reason: reason.trim() };
      return await markEntry(doing, entry, words, mark, { onDone: onClose });
    },
    isGuarded: false,
  });
  const reason = form.text("reason", words.priceEdit.reasonNeeded);
  const isEmpty = reason.value.trim() === "";
  return (
    <FormDialog title={texts.markTitle} form={form} onClose={onClose}>
      <p class="wide">{texts.markText(entry.price, show.dateTime(entry.at))}</p>
      <TextField
        {...reason}
        error={isMissing && isEmpty ? words.priceEdit.onlyReason : reason.error}
        isRequired
        isWide
        hasFocus
      />
      <CheckField
        {...form.flag("neverShown", texts.neverShown, texts.neverShownHint)}
      />
    </FormDialog>
  );
}

interface Mark {
  readonly isError: boolean;
  readonly neverShown: boolean;
  readonly reason: string;
}

/** Sets a mark, or takes it away; taken back it is the other way round. */
export function markEntry(
  doing: Doing,
  { productId, at }: Pick<HistoryEntry, "productId" | "at">,
  { past: texts }: ReturnType<typeof useApp>["words"],
  mark: Mark,
  {
    before = { isError: false, neverShown: false, reason: mark.reason },
    onDone = () => {},
  }: { readonly before?: Mark; readonly onDone?: () => void } = {},
): Promise<boolean> {
  const send = ({ reason, ...mark }: Mark) => (call: Call) =>
    call((api) =>
      api.POST("/api/products/{id}/price-history/{at}/mark", {
        params: { path: { id: productId, at } },
        body: { ...mark, ...(reason !== "" && { reason }) },
      })
    );
  const told = (isError: boolean) => isError ? texts.markDone : texts.markUndone;
  return doing.act({
    run: send(mark),
    done: told(mark.isError),
    back: async (call) => {
      await send(before)(call);
      return told(before.isError);
    },
    onDone,
  });
}
