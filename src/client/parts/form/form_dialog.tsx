import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import { FormFrame } from "./form_frame.tsx";
import type { Form, FormValues } from "./use_form.ts";

interface FormDialogProps<V extends FormValues> {
  /** Also what its main button says. */
  readonly title: string;
  readonly form: Form<V>;
  readonly children: ComponentChildren;
  onClose(): void;
}

/** A dialog that makes something new out of one form. */
export function FormDialog<V extends FormValues>(
  { title, form, children, onClose }: FormDialogProps<V>,
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
          <Button kind="main" type="submit" formId={formId} isBusy={form.isSaving}>{title}</Button>
        </>
      }
    >
      <FormFrame form={form} id={formId}>{children}</FormFrame>
    </Dialog>
  );
}
