import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { Button } from "../controls.tsx";
import { Dialog } from "../dialog.tsx";
import { type Form, FormFrame, type FormValues } from "./fields.tsx";

interface FormDialogProps<V extends FormValues> {
  /** Also what its main button says. */
  readonly title: string;
  readonly form: Form<V>;
  /** Of its main button: `danger` where it stops or takes away something. */
  readonly kind?: "main" | "danger";
  readonly children: ComponentChildren;
  onClose(): void;
}

/** A dialog that does one thing out of one form. */
export function FormDialog<V extends FormValues>(
  { title, form, kind = "main", children, onClose }: FormDialogProps<V>,
) {
  const { words } = useApp();
  const formId = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind={kind} type="submit" formId={formId} isBusy={form.isSaving}>{title}</Button>
        </>
      }
    >
      <FormFrame form={form} id={formId}>{children}</FormFrame>
    </Dialog>
  );
}
