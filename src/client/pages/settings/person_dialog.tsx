import { useQueryClient } from "@tanstack/preact-query";
import { useId } from "preact/hooks";
import { ROLES } from "../../../accounts/roles.ts";
import type { User } from "../../../accounts/users/user.ts";
import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import { useClosing } from "../../app/use_leave_guard.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/form/fields.tsx";
import { FormFrame } from "../../parts/form/form_frame.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { useSaveOver } from "../../parts/form/use_save_over.tsx";
import type { Words } from "../../words/words.ts";

interface PersonDialogProps {
  readonly person: User;
  onClose(): void;
}

/** What a person is called, and what they may. */
export function PersonDialog({ person, onClose }: PersonDialogProps) {
  const { words, toasts } = useApp();
  const texts = words.settings.people;
  const client = useQueryClient();
  const formId = useId();
  const closing = useClosing(onClose);
  const form = useForm({
    initial: valuesOf(person),
    save: async (_, { name, role }) => {
      const body = {
        ...(name !== undefined && { name: name.trim() === "" ? null : name.trim() }),
        ...(role !== undefined && { role }),
      };
      const saved = await over.save(body);
      if (saved === null) return false;
      await client.invalidateQueries({ queryKey: ["users"] });
      toasts.tell(words.saved);
      onClose();
      return true;
    },
  });
  const over = useSaveOver({
    read: (api) => api.GET("/api/users/{id}", { params: { path: { id: person.id } } }),
    write: (api, body: Wire<"UserChange">) =>
      api.PATCH("/api/users/{id}", { params: { path: { id: person.id } }, body }),
    resource: `user:${person.id}`,
    document: person,
    formId,
    textOf: (one) => JSON.stringify(valuesOf(one)),
    onTheirs: (one) => form.reset(valuesOf(one)),
  });
  return (
    <Dialog
      title={person.email}
      onClose={() => closing(form.isDirty)}
      actions={
        <>
          <Button onClick={() => closing(form.isDirty)}>{words.cancel}</Button>
          <Button kind="main" type="submit" formId={formId} isBusy={form.isSaving}>
            {words.save}
          </Button>
        </>
      }
    >
      <FormFrame form={form} id={formId}>
        <TextField {...form.text("name")} label={texts.name} hasFocus isWide />
        <SelectField
          {...form.text("role")}
          label={texts.role}
          options={roleOptions(texts)}
          isWide
        />
      </FormFrame>
      {over.note}
    </Dialog>
  );
}

function valuesOf({ name, role }: User): { readonly name: string; readonly role: string } {
  return { name: name ?? "", role };
}

/** Who may most comes first. */
export function roleOptions({ roles, roleHints }: Words["settings"]["people"]) {
  return ROLES.toReversed().map((role) => ({
    value: role,
    label: `${roles[role]} – ${roleHints[role]}`,
  }));
}
