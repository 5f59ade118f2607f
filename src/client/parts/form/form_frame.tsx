import type { ComponentChildren } from "preact";
import { ErrorNote } from "../error_note.tsx";
import type { Form, FormValues } from "./use_form.ts";

interface FormFrameProps<V extends FormValues> {
  readonly form: Form<V>;
  readonly id?: string;
  readonly children: ComponentChildren;
  /** The buttons, where they stand below the fields. */
  readonly actions?: ComponentChildren;
}

/** A form with its refusal above the buttons; refusals of single fields are shown at the fields. */
export function FormFrame<V extends FormValues>(
  { form, id, children, actions }: FormFrameProps<V>,
) {
  return (
    <form id={id} class="form" onSubmit={form.submit} noValidate>
      <div class="fields">{children}</div>
      {form.error && <ErrorNote error={form.error} knownFields={form.fields} />}
      {actions && <div class="form-actions">{actions}</div>}
    </form>
  );
}
