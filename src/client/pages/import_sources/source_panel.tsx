import { useQueryClient } from "@tanstack/preact-query";
import { useId } from "preact/hooks";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { alertWordsOf } from "../../../engine/wording/alert_text.ts";
import type { Api } from "../../api/call.ts";
import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import { useClosing } from "../../app/use_leave_guard.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFrame } from "../../parts/form/form_frame.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { useSaveOver } from "../../parts/form/use_save_over.tsx";
import { RemoveButton } from "../../parts/remove_button.tsx";
import { SourceGuards } from "../../parts/import/source_guards.tsx";
import { SourceFields } from "./source_fields.tsx";
import { asRefusalOfForm, bodyOf, valuesOf } from "./source_values.ts";

function refuse(error: unknown): never {
  throw asRefusalOfForm(error);
}

export function NewSourcePanel({ onClose }: { onClose(): void }) {
  const { call, words, show, toasts } = useApp();
  const client = useQueryClient();
  const formId = useId();
  const closing = useClosing(onClose);
  const form = useForm({
    initial: valuesOf(null, show.locale),
    save: async (values) => {
      const now = new Date().toISOString();
      const terms = { locale: show.locale, isDefault: false, pausedAt: null, now };
      const body = bodyOf(values, terms);
      await call((api) => api.POST("/api/import-sources", { body })).catch(refuse);
      await client.invalidateQueries({ queryKey: ["importSources"] });
      toasts.tell(words.saved);
      onClose();
    },
  });
  return (
    <Dialog
      kind="panel"
      title={words.importSources.create}
      onClose={() => closing(form.isDirty)}
      actions={
        <Button kind="main" type="submit" formId={formId} isBusy={form.isSaving}>
          {words.save}
        </Button>
      }
    >
      <FormFrame form={form} id={formId}>
        <SourceFields form={form} isDefault={false} storedAuth={null} />
      </FormFrame>
    </Dialog>
  );
}

/** One source: what came of it last, and everything that is set. */
export function SourcePanel(
  { source, onClose }: { readonly source: ImportSource; onClose(): void },
) {
  const { words, show, toasts, may } = useApp();
  const texts = words.importSources;
  const client = useQueryClient();
  const formId = useId();
  const closing = useClosing(onClose);
  const values = (one: ImportSource) => valuesOf(one, show.locale);
  const form = useForm({
    initial: values(source),
    save: async (chosen) => {
      const { isDefault, pausedAt } = source;
      const terms = { locale: show.locale, isDefault, pausedAt, now: new Date().toISOString() };
      if (await over.save(bodyOf(chosen, terms)).catch(refuse) === null) return false;
      await client.invalidateQueries({ queryKey: ["importSources"] });
      toasts.tell(words.saved);
      onClose();
      return true;
    },
  });
  const params = { path: { id: source.id } };
  const read = (api: Api) => api.GET("/api/import-sources/{id}", { params });
  const textOf = (one: ImportSource) => JSON.stringify(values(one));
  const over = useSaveOver({
    read,
    write: (api, body: Wire<"ImportSourcePatch">) =>
      api.PATCH("/api/import-sources/{id}", { params, body }),
    resource: `import_source:${source.id}`,
    document: source,
    formId,
    textOf,
    onTheirs: (one) => form.reset(values(one)),
  });
  return (
    <Dialog
      kind="panel"
      title={texts.edit(source.name)}
      onClose={() => closing(form.isDirty)}
      actions={may("manager") && (
        <>
          {!source.isDefault && (
            <RemoveButton
              document={source}
              read={read}
              write={(api) => api.DELETE("/api/import-sources/{id}", { params })}
              textOf={textOf}
              question={{ title: texts.remove, text: texts.removeText }}
              touches={["importSources"]}
              kind="danger"
              onDone={onClose}
            />
          )}
          <Button kind="main" type="submit" formId={formId} isBusy={form.isSaving}>
            {words.save}
          </Button>
        </>
      )}
    >
      <SourceNotes source={source} />
      {may("manager") && (
        <FormFrame form={form} id={formId}>
          <SourceFields
            form={form}
            isDefault={source.isDefault}
            storedAuth={source.pull?.auth?.kind ?? null}
          />
        </FormFrame>
      )}
      {over.note}
    </Dialog>
  );
}

function SourceNotes({ source }: { source: ImportSource }) {
  const { id, isDefault, lastPull } = source;
  const { words, show, language, may } = useApp();
  const { fetchErrors } = alertWordsOf(language.value);
  const texts = words.importSources;
  return (
    <>
      <p class="links">
        <a href={`/imports?source=${id}`}>{texts.toImports}</a>
        {may("manager") && <a href={`/imports/new?source=${id}`}>{texts.upload}</a>}
      </p>
      {isDefault && <p class="note">{texts.workspaceHold}</p>}
      <SourceGuards source={source} />
      {lastPull?.errorCode && (
        <p class="note warn">
          {texts.lastPull(texts.outcomes[lastPull.outcome], show.dateTime(lastPull.at))}:{" "}
          {fetchErrors[lastPull.errorCode] ?? lastPull.message}{" "}
          {lastPull.nextTryAt && texts.nextTry(show.dateTime(lastPull.nextTryAt))}
        </p>
      )}
    </>
  );
}
