import { useQueryClient } from "@tanstack/preact-query";
import { KEY_SCOPE_NAMES } from "../../../accounts/key_scopes.ts";
import type { Wire } from "../../api/wire.ts";
import { endOfDay } from "../../formats/day.ts";
import { useApp } from "../../app/app.ts";
import { choiceOf, chosenOf } from "../../parts/form/choice.ts";
import { CheckField, TextField } from "../../parts/form/fields.tsx";
import { FormDialog } from "../../parts/form/form_dialog.tsx";
import { useForm } from "../../parts/form/use_form.ts";

/** A key with its text, which is shown this once. */
export type CreatedKey = Wire<"CreatedApiKey">;

const START = { name: "", expiresAt: "", ...choiceOf(KEY_SCOPE_NAMES, []) };

interface NewKeyDialogProps {
  onClose(): void;
  onMade(key: CreatedKey): void;
}

export function NewKeyDialog({ onClose, onMade }: NewKeyDialogProps) {
  const { call, words, show } = useApp();
  const texts = words.settings.keys;
  const client = useQueryClient();
  const form = useForm({
    initial: START,
    save: async ({ name, expiresAt, ...choice }) => {
      const body = {
        name,
        scopes: chosenOf(KEY_SCOPE_NAMES, choice),
        expiresAt: expiresAt === "" ? null : endOfDay(expiresAt, show.timeZone),
      };
      const made = await call((api) => api.POST("/api/keys", { body }));
      await client.invalidateQueries({ queryKey: ["keys"] });
      onMade(made);
    },
  });
  return (
    <FormDialog title={texts.create} form={form} onClose={onClose}>
      <TextField
        {...form.text("name")}
        label={texts.name}
        hint={texts.nameHint}
        hasFocus
        isWide
      />
      <fieldset class="wide">
        <legend>{texts.scopes}</legend>
        <p class="hint">{texts.readOnly}</p>
        {KEY_SCOPE_NAMES.map((scope) => (
          <CheckField
            key={scope}
            {...form.flag(scope)}
            label={texts.scopeTexts[scope]}
            hint={<code>{scope}</code>}
          />
        ))}
      </fieldset>
      <TextField
        {...form.text("expiresAt")}
        label={texts.expires}
        hint={texts.never}
        type="date"
      />
    </FormDialog>
  );
}
