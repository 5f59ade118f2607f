import { useId, useState } from "preact/hooks";
import type { Preview } from "../../../imports/preview_upload.ts";
import { useChange } from "../../api/use_change.ts";
import { useApp } from "../../frame/app.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/simple_table.tsx";
import type { Column } from "../../parts/table/column.ts";

interface ProfilePreviewProps {
  /** A stored profile; null where the text counts. */
  readonly profileId: string | null;
  readonly profileJson: string;
}

/** The first records of a file as the profile reads them; nothing is imported. */
export function ProfilePreview({ profileId, profileJson }: ProfilePreviewProps) {
  const { words } = useApp();
  const texts = words.profiles;
  const fieldId = useId();
  const [file, setFile] = useState<File | null>(null);
  const preview = useChange({
    run: (call, upload: File) => {
      const body = new FormData();
      if (profileId === null) body.append("profile", profileJson);
      body.append("file", upload, upload.name);
      const query = { profile: profileId };
      return call<Preview>("/api/import-profiles/preview", { method: "POST", body, query });
    },
    touches: [],
    showsError: true,
  });
  return (
    <Section title={texts.preview} note={texts.fileHint}>
      <div class="preview">
        <p>
          <label for={fieldId}>{texts.file}</label>
          <input
            id={fieldId}
            type="file"
            accept=".xml,.zip"
            onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
          />
          <Button
            isBusy={preview.isPending}
            isDisabled={file === null}
            onClick={() => file && preview.mutate(file)}
          >
            {texts.preview}
          </Button>
        </p>
        {preview.error && <ErrorNote error={preview.error} />}
        {preview.data && <Outcome preview={preview.data} />}
      </div>
    </Section>
  );
}

type PreviewRecord = Preview["records"][number];

function Outcome({ preview: { profile, records, warnings, error } }: { preview: Preview }) {
  const { words } = useApp();
  const texts = words.profiles;
  const { findings } = words.imports.job;
  const columns: readonly Column<PreviewRecord>[] = [
    { key: "sku", title: findings.sku, width: 120, cell: ({ sku }) => sku ?? "–" },
    { key: "line", title: findings.line, width: 70, isNumber: true, cell: ({ line }) => line },
    {
      key: "fields",
      title: findings.value,
      width: 300,
      cell: ({ fields }) => <small class="exact">{fields ? JSON.stringify(fields) : "–"}</small>,
    },
    {
      key: "findings",
      title: findings.message,
      width: 220,
      cell: ({ findings: found }) =>
        found.map(({ code, severity, message }) => (
          <small key={code} class="exact">
            <Badge tone={severity === "error" ? "bad" : "warn"}>{code}</Badge> {message}
          </small>
        )),
    },
  ];
  if (error) {
    return (
      <div class="note bad" role="alert">
        <strong>{error.code}</strong>
        <p>{error.message}</p>
      </div>
    );
  }
  return (
    <>
      {profile && <p role="status">{texts.readBy(profile)}</p>}
      <SimpleTable
        label={texts.records}
        columns={columns}
        rows={records}
        idOf={({ index }) => String(index)}
        empty={<p class="note warn">{texts.noRecords}</p>}
      />
      {warnings.length > records.length && (
        <p class="soft">{words.imports.job.warnings}: {warnings.length}</p>
      )}
    </>
  );
}
