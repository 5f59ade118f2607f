import { useId } from "preact/hooks";
import type { Answer, Api, Ask } from "../../api/call.ts";
import { type Area, useApp, useRefresh } from "../../app/app.ts";
import { type FormValues, useForm } from "./fields.tsx";
import { useSaveOver } from "./use_save_over.tsx";

interface SavedFormOptions<Document, Change, V> {
  readonly document: Document | null;
  /** The document as `type:id`, as in the audit log. */
  readonly resource: string;
  readonly read: Ask<Document>;
  write(api: Api, change: Change): Promise<Answer<Document>>;
  valuesOf(document: Document | null): V;
  /** Resolves to null if nothing is saved because another person has changed the document. */
  save(
    values: V,
    changed: Partial<V>,
    over: (change: Change) => Promise<Document | null>,
  ): Promise<Document | null>;
  readonly touches: readonly Area[];
  toast?(saved: Document): string;
  onClose(): void;
}

/** A form for a stored document, or for a new one (null), in a dialog that closes after saving. */
export function useSavedForm<Document extends object, Change, V extends FormValues>(
  { document, resource, read, write, valuesOf, touches, ...on }: SavedFormOptions<
    Document,
    Change,
    V
  >,
) {
  const { words, toasts } = useApp();
  const formId = useId();
  const refresh = useRefresh(...touches);
  const form = useForm({
    initial: valuesOf(document),
    save: async (values, changed) => {
      const saved = await on.save(values, changed, over.save);
      if (saved === null) return false;
      await refresh();
      toasts.tell(on.toast?.(saved) ?? words.saved);
      on.onClose();
      return true;
    },
  });
  const textOf = (one: Document) => JSON.stringify(valuesOf(one));
  const over = useSaveOver({
    ...{ read, write, resource, document, formId, textOf },
    onTheirs: (one) => form.reset(valuesOf(one)),
  });
  return {
    form,
    dialog: { form, formId, isGuarded: true, below: over.note, onClose: on.onClose },
    removal: { read, textOf, touches, kind: "danger" as const },
  };
}
