import type { ImportDocument } from "../../../imports/jobs/import_document.ts";
import { useApp } from "../../app/app.ts";
import { Section } from "../../parts/section.tsx";
import { SimpleTable } from "../../parts/table/simple_table.tsx";

/** What was sent, and how it was read. */
export function ImportFiles({ job }: { job: ImportDocument }) {
  const { words, show } = useApp();
  const { file, files } = words.imports.job;
  if (job.files.length === 0) return null;
  return (
    <Section title={files}>
      <SimpleTable
        label={files}
        rows={job.files}
        idOf={({ name, sha256 }) => `${name} ${sha256}`}
        columns={[
          { key: "name", title: file.name, width: 220, cell: ({ name }) => name },
          {
            key: "items",
            title: file.items,
            width: 110,
            isNumber: true,
            cell: ({ items }) => show.number(items),
          },
          {
            key: "bytes",
            title: file.bytes,
            width: 100,
            isNumber: true,
            cell: ({ bytes }) => show.bytes(bytes),
          },
          { key: "encoding", title: file.encoding, width: 130, cell: ({ encoding }) => encoding },
          { key: "profile", title: file.profile, width: 130, cell: ({ profile }) => profile },
        ]}
      />
    </Section>
  );
}
