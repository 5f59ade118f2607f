import { sharePct } from "../../../base/percent.ts";
import { PRICES_REFUSED } from "../../../imports/files/hold_codes.ts";
import type { Preview } from "../../../imports/preview_upload.ts";
import type { ProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { useApp } from "../../app/app.ts";
import { useList, useRefresh } from "../../app/queries.ts";
import { Button, Icon } from "../../parts/controls.tsx";
import { ErrorNote, PageHead, Progress } from "../../parts/page.tsx";
import { CheckField, SelectField, TextField, useForm } from "../../parts/form/fields.tsx";
import { FileNotes, JobError } from "../../parts/import/import_state.tsx";
import {
  SourceGuards,
  sourceOptions,
  useImportSources,
} from "../../parts/import/source_guards.tsx";
import { useFilePreview } from "../../parts/import/use_file_preview.ts";
import { LookTags } from "../../parts/mapping/look_tags.tsx";
import { MappedRecords } from "../../parts/mapping/mapped_records.tsx";
import { telltaleColumns } from "../../parts/mapping/mapping_draft.ts";
import { MappingEditor, useMapping } from "../../parts/mapping/mapping_editor.tsx";
import { ImportSteps } from "./import_steps.tsx";
import { usePageFiles } from "./html_table_rows.ts";
import { nameOfFile, useSavedMapping } from "./use_saved_mapping.ts";
import { useQueryClient } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { useCallback, useEffect, useId, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";

/** The defaults of a new import. */
const START = {
  mode: "upsert",
  profile: "",
  tier: "",
  profileName: "",
  isRemembered: false,
  allowsNoPrices: false,
};

/** A file is dropped, recognised and matched with the catalogue; then it is rehearsed. */
export function NewImportScreen() {
  const { call, words, show, toasts } = useApp();
  const texts = words.imports.new;
  const { route, query: { source: askedSource = "" } } = useLocation();
  const client = useQueryClient();
  const refresh = useRefresh("imports");
  const [files, setFiles] = useState<readonly File[]>([]);
  const [sentShare, setSentShare] = useState(0);
  const [isDryRun, setDryRun] = useState(true);
  const isShown = useShown();
  const formId = useId();
  const addFiles = useCallback(
    (more: readonly File[]) => setFiles((before) => [...before, ...more]),
    [],
  );
  const isOver = usePageFiles(texts.pasted, addFiles);
  const profiles = useList({
    key: ["profiles"],
    read: (api, page) => api.GET("/api/import-profiles", { params: { query: page } }),
  });
  const form = useForm({
    initial: { ...START, source: askedSource },
    isGuarded: false,
    save: async ({ source, mode, profile, tier, profileName, allowsNoPrices }) => {
      const body = new FormData();
      for (const one of files) body.append("file", one, one.name);
      setSentShare(0);
      try {
        const kept = keeps && mapping.draft !== null
          ? await saved.save({
            profile: mapping.edited ?? mapping.draft.profile,
            name: profileName.trim() || nameOfFile(file),
            columns: telltaleColumns(mapping.draft),
          })
          : profile;
        if (kept === null) return false;
        const job = await call(
          (api) =>
            api.POST("/api/imports", {
              params: {
                query: {
                  source,
                  mode,
                  tier,
                  profile: kept,
                  dryRun: isDryRun,
                  allowNoPrices: lacksPrices && allowsNoPrices,
                },
                header: { Prefer: "respond-async" },
              },
              body,
            }),
          { onSent: setSentShare },
        );
        await refresh();
        if (isShown()) route(`/imports/${job.jobId}`);
        else toasts.tell(texts.taken);
      } catch (refusal) {
        if (isShown()) throw refusal;
        toasts.refuse(refusal);
      }
      return true;
    },
  });
  const sources = useImportSources();
  const source = sources.rows.find(({ id }) => id === form.values.source) ?? null;
  const choose = (chosen: ImportSource) => form.set(settingsOf(chosen));
  useEffect(() => {
    const start = source ?? sources.rows.find(({ isDefault }) => isDefault);
    if (start && !form.isDirty) form.reset({ ...form.values, ...settingsOf(start) });
  }, [sources.isPending]);
  const [file = null] = files;
  const { profile: named } = form.values;
  const looked = useFilePreview({ file, profile: null, named });
  const [turn, setTurn] = useState(0);
  const fileKey = file ? `${file.name} ${file.size} ${file.lastModified} ${named} ${turn}` : "";
  const base = looked.preview;
  const [shown, setShown] = useState<{ fileKey: string; preview: Preview } | null>(null);
  const latest = shown?.fileKey === fileKey ? shown.preview : base;
  const mapping = useMapping(base?.reading ?? null, latest, fileKey);
  const tried = useFilePreview({
    file: mapping.edited ? file : null,
    profile: mapping.edited,
    isOfLines: base?.look?.kind === "delimited" || base?.look?.kind === "ndjson",
  });
  useEffect(() => {
    if (tried.preview !== null && !tried.isRunning && mapping.edited) {
      setShown({ fileKey, preview: withCount(tried.preview, base) });
    }
  }, [tried.preview, tried.isRunning, mapping.edited === null]);
  const preview = mapping.edited ? latest : base;
  const lacksPrices = preview?.error?.code === PRICES_REFUSED;
  const known =
    profiles.rows.find(({ id, format }) =>
      id === base?.profile && (format === "table") === (base.reading !== null)
    ) ?? null;
  const own = known && !known.builtIn ? known : null;
  const saved = useSavedMapping({
    own,
    fileKey,
    formId,
    onTheirs: () => void startAnew(),
  });
  /** Reads the file again with the settings that others have saved. */
  const startAnew = async () => {
    await client.refetchQueries({ queryKey: ["file preview"] });
    setTurn(turn + 1);
  };
  const keeps = mapping.edited !== null || form.values.isRemembered;
  const key = mapping.draft?.profile.matchBy;
  const isReady = files.length > 0 &&
    (key === undefined || mapping.draft?.columns.some(({ target }) => target === key) === true);
  const step = files.length === 0 ? 0 : 1;
  return (
    <div class="page wide">
      <PageHead
        title={texts.title}
        beside={<ImportSteps now={step} />}
        back={{ href: "/imports", text: words.imports.title }}
      />
      <form id={formId} class="form import-form" onSubmit={form.submit} noValidate>
        <DropField files={files} isOver={isOver} onFiles={setFiles}>
          {looked.isRunning && (
            <span class="spinner" role="status" aria-label={words.mapping.look.isLooking} />
          )}
          {preview && <LookTags preview={preview} profileName={known?.name ?? null} />}
          {files.length > 1 && <small>{texts.first}</small>}
        </DropField>
        {looked.error && <ErrorNote error={looked.error} onAgain={looked.again} />}
        {preview?.error && preview.error.code !== "missing_sku_column" && (
          <JobError error={preview.error} />
        )}
        {lacksPrices && (
          <CheckField
            {...form.flag(
              "allowsNoPrices",
              words.imports.withoutPrices.label,
              words.imports.withoutPrices.hint,
            )}
          />
        )}
        {preview && <FileNotes findings={preview.warnings} />}
        {mapping.draft && (
          <MappingEditor
            draft={mapping.draft}
            preview={preview}
            isGuess={mapping.edited === null && base?.suggestion !== null}
            isReadOnly={false}
            onDraft={mapping.change}
          />
        )}
        {mapping.edited && tried.error && <ErrorNote error={tried.error} onAgain={tried.again} />}
        {preview && preview.reading === null && <MappedRecords preview={preview} />}
        <div class="fields">
          <SelectField
            {...form.text("source", words.importSources.source)}
            options={sourceOptions(sources.rows)}
            onValue={(value) => {
              const chosen = sources.rows.find(({ id }) => id === value);
              if (chosen) choose(chosen);
            }}
          />
          <SelectField
            {...form.text("mode", texts.mode)}
            options={Object.entries(words.imports.modes).map(([value, label]) => ({
              value,
              label,
            }))}
          />
          <SelectField
            {...form.text("profile", texts.profile)}
            options={[
              // A source that names one is read by it unless another one is chosen.
              ...(source?.profile ? [] : [{ value: "", label: texts.profileAuto }]),
              ...uniqueIds(profiles.rows).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
          <TextField {...form.text("tier", texts.tier, texts.tierHint)} />
          {source && <SourceGuards source={source} />}
          {mapping.draft && own && mapping.edited && (
            <p class="hint wide">{texts.changes(own.name)}</p>
          )}
          {mapping.draft && !own && (
            <>
              {mapping.edited === null && (
                <CheckField {...form.flag("isRemembered", texts.remember, texts.rememberHint)} />
              )}
              {keeps && (
                <TextField
                  {...form.text("profileName", texts.profileName)}
                  placeholder={nameOfFile(file)}
                  hint={texts.rememberHint}
                />
              )}
            </>
          )}
        </div>
        {saved.note}
        {form.error && <ErrorNote error={form.error} knownFields={form.fields} />}
        {form.isSaving && (
          <Progress
            done={sentShare}
            total={1}
            label={texts.uploading(show.percent(sharePct(sentShare, 0)))}
          />
        )}
        <div class="form-actions sticky">
          <p class="hint">{texts.dryRunNote}</p>
          {/* The first one is what Enter in a field does: it must be the one without harm. */}
          <Button
            kind="main"
            type="submit"
            isDisabled={!isReady}
            isBusy={form.isSaving}
            onClick={() => setDryRun(true)}
          >
            {texts.dryRun}
          </Button>
          <Button
            type="submit"
            isDisabled={!isReady || form.isSaving || (source?.pausedAt ?? null) !== null}
            onClick={() => setDryRun(false)}
          >
            {texts.apply}
          </Button>
        </div>
      </form>
    </div>
  );
}

/** The defaults of a source's import. */
function settingsOf({ id, mode, profile, tier }: ImportSource) {
  return { source: id, mode, profile: profile ?? "", tier: tier ?? "" };
}

/** A file may have been looked at by its beginning: how long it is was found out before. */
function withCount(preview: Preview, base: Preview | null): Preview {
  const { look } = preview;
  const rows = look?.rows ?? base?.look?.rows ?? null;
  return look ? { ...preview, look: { ...look, rows } } : preview;
}

function uniqueIds(rows: readonly ProfileDocument[]): readonly ProfileDocument[] {
  return rows.filter(({ id }, at) => rows.findIndex((row) => row.id === id) === at);
}

/**
 * Whether the person is still on this screen: an upload continues when they leave, and must not bring
 * them back.
 */
function useShown(): () => boolean {
  const isShown = useRef(true);
  useEffect(() => () => {
    isShown.current = false;
  }, []);
  return () => isShown.current;
}

interface DropFieldProps {
  readonly files: readonly File[];
  /** Something is dragged over the page. */
  readonly isOver: boolean;
  /** How the first file was recognised. */
  readonly children?: ComponentChildren;
  onFiles(files: readonly File[]): void;
}

/** Shows where files may be dropped, those that were, and the browser's own choice of them. */
function DropField({ files, isOver, children, onFiles }: DropFieldProps) {
  const { words, show } = useApp();
  const texts = words.imports.new;
  const id = useId();
  const isEmpty = files.length === 0;
  return (
    <div class={`drop${isOver ? " over" : ""}${isEmpty ? "" : " filled"}`}>
      <Icon name="imports" />
      {isEmpty && <strong>{texts.drop}</strong>}
      {isEmpty && <span>{texts.or}</span>}
      {!isEmpty && (
        <ul class="file-list" aria-label={texts.files}>
          {files.map((file, at) => (
            <li key={`${file.name}-${at}`}>
              <span>{file.name}</span>
              <small>{show.bytes(file.size)}</small>
              <Button
                kind="quiet"
                icon="close"
                label={texts.remove(file.name)}
                onClick={() => onFiles(files.filter((_, other) => other !== at))}
              />
            </li>
          ))}
        </ul>
      )}
      {children}
      <input
        id={id}
        class="sr-only"
        type="file"
        multiple
        accept=".xml,.csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl,.zip,.gz"
        onChange={(event) => {
          onFiles([...files, ...event.currentTarget.files ?? []]);
          event.currentTarget.value = "";
        }}
      />
      <label class="button plain" for={id}>{texts.choose}</label>
      {isEmpty && <small>{texts.kinds}</small>}
    </div>
  );
}
