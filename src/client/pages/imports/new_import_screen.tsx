/**
 * A person chooses a file, maps its columns to product fields, and starts the import or a dry run.
 * An edited mapping is saved as an import profile before the upload. The upload continues if the
 * person leaves the screen.
 */
import { useLocation } from "preact-iso";
import { useCallback, useEffect, useId, useRef, useState } from "preact/hooks";
import { useQueryClient } from "@tanstack/preact-query";
import { sharePct } from "../../../base/fraction.ts";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { useApp, useRefresh } from "../../app/app.ts";
import { Button } from "../../parts/controls.tsx";
import { optionsOf } from "../../parts/options.tsx";
import { ErrorNote, PageHead, Progress } from "../../parts/page.tsx";
import {
  CheckField,
  type Form,
  SelectField,
  TextField,
  useForm,
} from "../../parts/form/fields.tsx";
import {
  DropField,
  LookTags,
  MappedRecords,
  profileOptions,
  useFilePreview,
  usePageFiles,
  useProfiles,
} from "../../parts/import/file_preview.tsx";
import { FileNotes, JobError } from "../../parts/import/import_state.tsx";
import { SourceGuards, useImportSources } from "../../parts/import/import_sources.tsx";
import type { Finding } from "../../../imports/files/source_file.ts";
import { draftOf, takenPrice, telltaleColumns } from "../../parts/mapping/mapping_draft.ts";
import { MappingEditor, useMapping } from "../../parts/mapping/mapping_editor.tsx";
import { ImportSteps } from "./import_apply.tsx";
import { nameOfFile, useSavedMapping } from "../../parts/mapping/mapping_profile.ts";
import { PRICES_REFUSED } from "../../../imports/choices.ts";
import type { Preview } from "../../../imports/preview_upload.ts";

const START = {
  mode: "upsert",
  profile: "",
  tier: "",
  profileName: "",
  isRemembered: false,
  allowsNoPrices: false,
};

export function NewImportScreen() {
  const { words, may } = useApp();
  if (may("manager")) return <NewImportPage />;
  return (
    <div class="page wide">
      <PageHead
        title={words.imports.create}
        back={{ href: "/imports", text: words.imports.title }}
      />
      <p class="note info">{words.errors.forbidden}</p>
    </div>
  );
}

function NewImportPage() {
  const { words, show } = useApp();
  const texts = words.imports.new;
  const own = useNewImport();
  const { form, files, sentShare } = own;
  return (
    <div class="page wide">
      <PageHead
        title={words.imports.create}
        beside={<ImportSteps now={files.length === 0 ? 0 : 1} />}
        back={{ href: "/imports", text: words.imports.title }}
      />
      <form id={own.formId} class="form import-form" onSubmit={form.submit} noValidate>
        <FileReading own={own} />
        <ImportFields own={own} />
        {own.saved.note}
        {form.error && <ErrorNote error={form.error} knownFields={form.fields} />}
        {form.isSaving && (
          <Progress
            done={sentShare}
            total={1}
            label={texts.uploading(show.percent(sharePct(sentShare, 0)))}
          />
        )}
        <StartButtons own={own} />
      </form>
    </div>
  );
}

type NewImport = ReturnType<typeof useNewImport>;

function useNewImport() {
  const { words, handedFiles } = useApp();
  const { query: { source: askedSource = "" } } = useLocation();
  const formId = useId();
  const [files, setFiles] = useState<readonly File[]>(() => handedFiles.peek());
  useEffect(() => {
    handedFiles.value = [];
  }, []);
  const [file = null] = files;
  const [isDryRun, setDryRun] = useState(true);
  const { sentShare, send } = useUpload();
  const addFiles = useCallback(
    (more: readonly File[]) => setFiles((before) => [...before, ...more]),
    [],
  );
  const isOver = usePageFiles(words.imports.new.pasted, addFiles);
  const form = useForm({
    initial: { ...START, source: askedSource },
    isGuarded: false,
    save: ({ source, mode, profile, tier, profileName, allowsNoPrices }) => {
      const { draft, edited } = mapping;
      const keep = () =>
        !keeps || draft === null ? Promise.resolve(profile) : saved.save({
          profile: edited ?? draft.profile,
          name: profileName.trim() || nameOfFile(file),
          columns: telltaleColumns(draft),
        });
      const allowNoPrices = reading.lacksPrices && allowsNoPrices;
      return send(files, keep, { source, mode, tier, dryRun: isDryRun, allowNoPrices });
    },
  });
  const { sources, source } = useSource(form);
  const reading = useReading(file, form.values.profile);
  const { base, mapping } = reading;
  const profiles = useProfiles().rows;
  const known =
    profiles.find(({ id, format }) =>
      id === base?.profile && (format === "table") === (base.reading !== null)
    ) ?? null;
  const own = known && !known.builtIn ? known : null;
  const saved = useSavedMapping({
    own,
    fileKey: reading.fileKey,
    formId,
    onTheirs: () => void reading.startAnew(),
  });
  const keeps = mapping.edited !== null || form.values.isRemembered;
  const upload = { files, setFiles, isOver, sentShare, setDryRun };
  return { formId, form, ...upload, reading, profiles, known, own, saved, keeps, sources, source };
}

function useSource(form: Form<typeof START & { readonly source: string }>) {
  const { rows: sources, isPending } = useImportSources();
  const source = sources.find(({ id }) => id === form.values.source) ?? null;
  useEffect(() => {
    const start = source ?? sources.find(({ isDefault }) => isDefault);
    if (start && !form.isDirty) form.reset({ ...form.values, ...settingsOf(start) });
  }, [isPending]);
  return { sources, source };
}

interface UploadQuery {
  readonly source: string;
  readonly mode: string;
  readonly tier: string;
  readonly dryRun: boolean;
  readonly allowNoPrices: boolean;
}

function useUpload() {
  const { call, words, toasts } = useApp();
  const { route } = useLocation();
  const refresh = useRefresh("imports");
  const [sentShare, setSentShare] = useState(0);
  const isShown = useShown();
  const send = async (
    files: readonly File[],
    saveMapping: () => Promise<string | null>,
    asked: UploadQuery,
  ): Promise<boolean> => {
    const body = new FormData();
    for (const one of files) body.append("file", one, one.name);
    setSentShare(0);
    try {
      const profile = await saveMapping();
      if (profile === null) return false;
      const params = { query: { ...asked, profile }, header: { Prefer: "respond-async" as const } };
      const job = await call((api) => api.POST("/api/imports", { params, body }), {
        onSent: setSentShare,
      });
      await refresh();
      if (isShown()) route(`/imports/${job.jobId}`);
      else toasts.tell(words.imports.new.taken);
    } catch (refusal) {
      if (isShown()) throw refusal;
      toasts.refuse(refusal);
    }
    return true;
  };
  return { sentShare, send };
}

interface PartProps {
  readonly own: NewImport;
}

function FileReading({ own: { files, form, known, ...own } }: PartProps) {
  const { words } = useApp();
  const { looked, mapping, tried, preview, lacksPrices } = own.reading;
  const { label, hint } = words.imports.withoutPrices;
  return (
    <>
      <DropField files={files} isOver={own.isOver} onFiles={own.setFiles}>
        {looked.isRunning && (
          <span class="spinner" role="status" aria-label={words.mapping.look.isLooking} />
        )}
        {preview && <LookTags preview={preview} profileName={known?.name ?? null} />}
        {files.length > 1 && <small>{words.imports.new.first}</small>}
      </DropField>
      {looked.error && <ErrorNote error={looked.error} onAgain={looked.again} />}
      {preview?.error && preview.error.code !== "missing_sku_column" && (
        <JobError error={preview.error} />
      )}
      {lacksPrices && <CheckField {...form.flag("allowsNoPrices", label, hint)} />}
      {preview && (
        <FileNotes
          findings={preview.warnings}
          remedy={(code) => <FileRemedy code={code} reading={own.reading} />}
        />
      )}
      {mapping.draft && (
        <MappingEditor
          draft={mapping.draft}
          preview={preview}
          suggested={own.reading.suggested}
          isReadOnly={false}
          onDraft={mapping.change}
        />
      )}
      {mapping.edited && tried.error && <ErrorNote error={tried.error} onAgain={tried.again} />}
      {preview && preview.reading === null && <MappedRecords preview={preview} />}
    </>
  );
}

interface FileRemedyProps {
  readonly code: Finding["code"];
  readonly reading: NewImport["reading"];
}

function FileRemedy({ code, reading: { mapping: { draft, change }, preview } }: FileRemedyProps) {
  const { words } = useApp();
  if (draft === null) return null;
  const take = code === "no_price_column" ? takenPrice(draft, preview) : null;
  if (take !== null) {
    return (
      <Button kind="main" onClick={() => change(take.draft)}>
        {words.mapping.isOwnPrice(take.name)}
      </Button>
    );
  }
  const lookAt = () =>
    [...document.querySelectorAll<HTMLSelectElement>(".mapping .column-use > select:first-child")]
      .find(({ value }) => value === "")?.focus();
  return <Button onClick={lookAt}>{words.mapping.title}</Button>;
}

function ImportFields({ own: { form, sources, source, profiles, reading, ...own } }: PartProps) {
  const { words } = useApp();
  const texts = words.imports.new;
  const { draft, edited } = reading.mapping;
  return (
    <div class="fields">
      <SelectField
        {...form.text("source", words.importSources.source)}
        options={optionsOf(sources)}
        onValue={(value) => {
          const chosen = sources.find(({ id }) => id === value);
          if (chosen) form.set(settingsOf(chosen));
        }}
      />
      <SelectField {...form.text("mode", texts.mode)} options={words.imports.modes} />
      <SelectField
        {...form.text("profile", texts.profile)}
        options={profileOptions(profiles)}
        {...(!source?.profile && { none: texts.profileAuto })}
      />
      <TextField {...form.text("tier", texts.tier, texts.tierHint)} />
      {source && <SourceGuards source={source} />}
      {draft && own.own && edited && <p class="hint wide">{texts.changes(own.own.name)}</p>}
      {draft && !own.own && edited === null && (
        <CheckField {...form.flag("isRemembered", texts.remember, texts.rememberHint)} />
      )}
      {draft && !own.own && own.keeps && (
        <TextField
          {...form.text("profileName", texts.profileName)}
          placeholder={nameOfFile(own.files[0] ?? null)}
          hint={texts.rememberHint}
        />
      )}
    </div>
  );
}

function StartButtons({ own: { files, form, source, reading, setDryRun } }: PartProps) {
  const texts = useApp().words.imports.new;
  const { draft } = reading.mapping;
  const key = draft?.profile.matchBy;
  const isReady = files.length > 0 &&
    (key === undefined || draft?.columns.some(({ target }) => target === key) === true);
  return (
    <div class="form-actions row flow gap-8 sticky">
      <p class="hint">{files.length === 0 ? texts.fileFirst : texts.dryRunNote}</p>
      {
        /* Enter presses the form's first button, so the harmless dry run comes first. */
      }
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
  );
}

function settingsOf({ id, mode, profile, tier }: ImportSource) {
  return { source: id, mode, profile: profile ?? "", tier: tier ?? "" };
}

/** False after the person has left this screen; then a finished upload opens no page. */
function useShown(): () => boolean {
  const isShown = useRef(true);
  useEffect(() => () => {
    isShown.current = false;
  }, []);
  return () => isShown.current;
}

function useReading(file: File | null, named: string) {
  const client = useQueryClient();
  const looked = useFilePreview({ file, profile: null, named });
  const [attempt, setAttempt] = useState(0);
  const fileKey = file ? `${file.name} ${file.size} ${file.lastModified} ${named} ${attempt}` : "";
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
  const names = base?.columns.map(({ column }) => column) ?? null;
  const suggested = base?.reading && base.suggestion !== null
    ? { draft: draftOf(base.reading, names), columns: base.columns }
    : null;
  return {
    ...{ looked, base, mapping, tried, preview, suggested, fileKey },
    lacksPrices: preview?.error?.code === PRICES_REFUSED,
    startAnew: async () => {
      await client.refetchQueries({ queryKey: ["file preview"] });
      setAttempt(attempt + 1);
    },
  };
}

function withCount(preview: Preview, base: Preview | null): Preview {
  const { look } = preview;
  const rows = look?.rows ?? base?.look?.rows ?? null;
  return look ? { ...preview, look: { ...look, rows } } : preview;
}
