import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { useClosing } from "../../app/use_leave_guard.ts";
import { Button, Dialog } from "../controls.tsx";
import { type Form, FormFrame, type FormValues } from "./fields.tsx";

interface FormDialogProps<V extends FormValues> {
  readonly title: string;
  readonly form: Form<V>;
  /** Id of the form, if controls other than the main button submit it. */
  readonly formId?: string;
  /** Label of the main button; the title if absent. */
  readonly save?: string;
  /** `danger` if the main button stops or removes something. */
  readonly kind?: "main" | "danger";
  readonly isDisabled?: boolean;
  readonly place?: "box" | "panel";
  /** True to ask before the dialog is closed with unsaved input. */
  readonly isGuarded?: boolean;
  readonly hasCancel?: boolean;
  readonly isReadOnly?: boolean;
  readonly actions?: ComponentChildren;
  readonly above?: ComponentChildren;
  readonly below?: ComponentChildren;
  readonly children: ComponentChildren;
  onClose(): void;
}

export function FormDialog<V extends FormValues>(props: FormDialogProps<V>) {
  const { title, form, isGuarded = false, hasCancel = true, isReadOnly = false, onClose } = props;
  const { words } = useApp();
  const ownId = useId();
  const formId = props.formId ?? ownId;
  const closing = useClosing(onClose);
  const close = () => closing(isGuarded && form.isDirty);
  return (
    <Dialog
      kind={props.place ?? "box"}
      title={title}
      onClose={close}
      actions={!isReadOnly && (
        <>
          {props.actions}
          {hasCancel && <Button onClick={close}>{words.cancel}</Button>}
          <Button
            kind={props.kind ?? "main"}
            type="submit"
            formId={formId}
            isBusy={form.isSaving}
            isDisabled={props.isDisabled ?? false}
          >
            {props.save ?? title}
          </Button>
        </>
      )}
    >
      {props.above}
      {!isReadOnly && <FormFrame form={form} id={formId}>{props.children}</FormFrame>}
      {props.below}
    </Dialog>
  );
}
