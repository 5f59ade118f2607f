import { useId } from "preact/hooks";
import type { Answer, Api, Ask } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { useRefresh } from "../../app/queries.ts";
import { type FormValues, useForm } from "./fields.tsx";
import { useSaveOver } from "./use_save_over.tsx";

interface SavedFormOptions<Document, Change, V> {
  /** Null for a new document. */
  readonly document: Document | null;
  /** Type and id as in the audit log. */
  readonly resource: string;
  readonly read: Ask<Document>;
  write(api: Api, change: Change): Promise<Answer<Document>>;
  /** Returns the values of the form for a document. */
  valuesOf(document: Document | null): V;
  /**
   * Saves the form; resolves to null if nothing is saved. `over` saves over the version that was
   * seen.
   */
  save(
    values: V,
    changed: Partial<V>,
    over: (change: Change) => Promise<Document | null>,
  ): Promise<Document | null>;
  /** The areas that are read again. */
  readonly touches: readonly string[];
  /** Returns the message after saving; default: "saved". */
  told?(saved: Document): string;
  onClose(): void;
}

/** The state of a form for a stored document, in a panel that closes after saving. */
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
      toasts.tell(on.told?.(saved) ?? words.saved);
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
    /** Props of its `FormDialog`. */
    dialog: { form, formId, isGuarded: true, below: over.note, onClose: on.onClose },
    /** Props of the button that deletes it. */
    removal: { read, textOf, touches, kind: "danger" as const },
  };
}
