import { sharePct } from "../../../base/percent.ts";
import { useQueryClient } from "@tanstack/preact-query";
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import type { ProfileDocument } from "../../../imports/profiles/import_profile_document.ts";
import { useList } from "../../app/use_list.ts";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField, TextField } from "../../parts/form/fields.tsx";
import { FormFrame } from "../../parts/form/form_frame.tsx";
import { useForm } from "../../parts/form/use_form.ts";
import { PageHead } from "../../parts/page_head.tsx";
import { Progress } from "../../parts/progress.tsx";
import { DropField } from "./drop_field.tsx";

/** What a new import starts with. */
const START = { mode: "upsert", profile: "", tier: "" };

export function NewImportScreen() {
  const { call, words, show, toasts } = useApp();
  const texts = words.imports.new;
  const { route } = useLocation();
  const client = useQueryClient();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [sentShare, setSentShare] = useState(0);
  const [isDryRun, setDryRun] = useState(true);
  const isShown = useShown();
  const form = useForm({
    initial: START,
    isGuarded: false,
    save: async (values) => {
      const body = new FormData();
      for (const file of files) body.append("file", file, file.name);
      setSentShare(0);
      try {
        const job = await call<ImportDocument>("/api/imports", {
          method: "POST",
          body,
          query: { ...values, dryRun: isDryRun },
          headers: { Prefer: "respond-async" },
          onSent: setSentShare,
        });
        await client.invalidateQueries({ queryKey: ["imports"] });
        if (isShown()) route(`/imports/${job.jobId}`);
        else toasts.tell(texts.taken);
      } catch (refusal) {
        if (isShown()) throw refusal;
        toasts.refuse(refusal);
      }
    },
  });
  return (
    <div class="page narrow">
      <PageHead title={texts.title} back={{ href: "/imports", text: words.imports.title }} />
      <FormFrame
        form={form}
        actions={
          <>
            {/* The first one is what Enter in a field does: it must be the one without harm. */}
            <Button
              kind="main"
              type="submit"
              isDisabled={files.length === 0}
              isBusy={form.isSaving}
              onClick={() => setDryRun(true)}
            >
              {texts.dryRun}
            </Button>
            <Button
              type="submit"
              isDisabled={files.length === 0 || form.isSaving}
              onClick={() => setDryRun(false)}
            >
              {texts.apply}
            </Button>
          </>
        }
      >
        <DropField files={files} onFiles={setFiles} />
        <SelectField
          {...form.text("mode")}
          label={texts.mode}
          options={Object.entries(words.imports.modes).map(([value, label]) => ({ value, label }))}
        />
        <SelectField {...form.text("profile")} label={texts.profile} options={useProfiles()} />
        <TextField {...form.text("tier")} label={texts.tier} hint={texts.tierHint} />
        <p class="hint wide">{texts.dryRunNote}</p>
        {form.isSaving && (
          <Progress
            done={sentShare}
            total={1}
            label={texts.uploading(show.percent(sharePct(sentShare, 0)))}
          />
        )}
      </FormFrame>
    </div>
  );
}

/** Whether the person is still here: an upload goes on when they leave, and must not fetch them back. */
function useShown(): () => boolean {
  const isShown = useRef(true);
  useEffect(() => () => {
    isShown.current = false;
  }, []);
  return () => isShown.current;
}

function useProfiles() {
  const { words } = useApp();
  const { rows } = useList<ProfileDocument>({ key: ["profiles"], path: "/api/import-profiles" });
  const known = rows.map(({ id, name }) => ({ value: id, label: name }));
  return [{ value: "", label: words.imports.new.profileAuto }, ...known];
}
