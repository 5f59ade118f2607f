import { useId } from "preact/hooks";
import type { Answer, Api, Ask } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";
import { useRefresh } from "../../app/queries.ts";
import { type FormValues, useForm } from "./fields.tsx";
import { useSaveOver } from "./use_save_over.tsx";

interface SavedFormOptions<Document, Change, V> {
  /** Null for a new one. */
  readonly document: Document | null;
  /** Type and id, as the audit log names it. */
  readonly resource: string;
  readonly read: Ask<Document>;
  write(api: Api, change: Change): Promise<Answer<Document>>;
  /** The document as its form holds it. */
  valuesOf(document: Document | null): V;
  /** Resolves to null when nothing is saved; `over` saves over the version that was seen. */
  save(
    values: V,
    changed: Partial<V>,
    over: (change: Change) => Promise<Document | null>,
  ): Promise<Document | null>;
  /** The areas that are read again. */
  readonly touches: readonly string[];
  /** What is told of it, other than that it is saved. */
  told?(saved: Document): string;
  onClose(): void;
}

/** A form of a stored document, in a panel that closes when it is saved. */
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
    /** Of its `FormDialog`. */
    dialog: { form, formId, isGuarded: true, below: over.note, onClose: on.onClose },
    /** Of the button that takes it away. */
    removal: { read, textOf, touches, kind: "danger" as const },
  };
}
