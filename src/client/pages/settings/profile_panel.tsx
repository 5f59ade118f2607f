import { useQueryClient } from "@tanstack/preact-query";
import { useId } from "preact/hooks";
import type { ProfileDocument } from "../../../imports/import_profile_document.ts";
import { ApiError, isRecord } from "../../api/api_error.ts";
import { useChange } from "../../api/use_change.ts";
import { useApp } from "../../frame/app.ts";
import { useClosing } from "../../frame/use_leave_guard.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { FormFrame } from "../../parts/form/form_frame.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { ProfilePreview } from "./profile_preview.tsx";

interface ProfilePanelProps {
  readonly profile: ProfileDocument;
  /** Not stored yet. */
  readonly isNew: boolean;
  onCopy(): void;
  onClose(): void;
}

const LINES = 16;

/** A profile is data: it is written as such, and tried out on a file before it is saved. */
export function ProfilePanel({ profile, isNew, onCopy, onClose }: ProfilePanelProps) {
  const { call, words, toasts, may } = useApp();
  const texts = words.profiles;
  const client = useQueryClient();
  const formId = useId();
  const closing = useClosing(onClose);
  const form = useForm({
    initial: { json: textOf(profile) },
    save: async ({ json }) => {
      const body = parsedProfile(json, texts.badJson);
      const path = isNew ? "/api/import-profiles" : `/api/import-profiles/${profile.id}`;
      await call(path, { method: isNew ? "POST" : "PATCH", body });
      await client.invalidateQueries({ queryKey: ["profiles"] });
      toasts.tell(words.saved);
      onClose();
    },
  });
  const isEditable = may("manager") && !profile.builtIn;
  return (
    <Dialog
      kind="panel"
      title={isNew ? texts.newTitle : texts.viewTitle}
      onClose={() => closing(form.isDirty)}
      actions={may("manager") && (
        <>
          {isEditable && !isNew && <RemoveButton profile={profile} onRemoved={onClose} />}
          {!isNew && <Button onClick={onCopy}>{texts.copy}</Button>}
          {isEditable && (
            <Button kind="main" type="submit" formId={formId} isBusy={form.isSaving}>
              {words.save}
            </Button>
          )}
        </>
      )}
    >
      {profile.builtIn && <p class="note info">{texts.builtInNote}</p>}
      {isEditable
        ? (
          <FormFrame form={form} id={formId}>
            <TextField {...form.text("json")} label={texts.json} lines={LINES} isWide />
          </FormFrame>
        )
        : <pre class="document" tabIndex={0}><code>{textOf(profile)}</code></pre>}
      <ProfilePreview
        profileId={profile.builtIn ? profile.id : null}
        profileJson={form.values.json}
      />
    </Dialog>
  );
}

function RemoveButton({ profile, onRemoved }: {
  profile: ProfileDocument;
  onRemoved: () => void;
}) {
  const { words, questions } = useApp();
  const texts = words.profiles;
  const remove = useChange({
    run: (call) => call(`/api/import-profiles/${profile.id}`, { method: "DELETE" }),
    touches: ["profiles"],
    onDone: onRemoved,
  });
  const ask = async () => {
    const question = { title: texts.remove, text: texts.removeText, yes: words.remove };
    if (await questions.ask({ ...question, isDangerous: true })) remove.mutate(undefined);
  };
  return (
    <Button kind="danger" isBusy={remove.isPending} onClick={() => void ask()}>
      {words.remove}
    </Button>
  );
}

function textOf({ builtIn: _, ...profile }: ProfileDocument): string {
  return JSON.stringify(profile, null, 2);
}

/** Refuses as the service would what is no document at all. */
function parsedProfile(json: string, refusal: string): Record<string, unknown> {
  const details = { fields: [{ path: "json", message: refusal }] };
  const refused = { code: "validation_failed", message: refusal, status: 0, requestId: null };
  try {
    const parsed: unknown = JSON.parse(json);
    if (isRecord(parsed)) return parsed;
  } catch (cause) {
    throw new ApiError({ ...refused, details, cause });
  }
  throw new ApiError({ ...refused, details });
}
