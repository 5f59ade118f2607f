import { useApp } from "../app/app.ts";
import { useDocument } from "../app/use_document.ts";
import { Button } from "./button.tsx";
import { fieldName, fieldText } from "./field_text.ts";

interface OvertakenNoteProps {
  /** Type and id, as the audit log names it. */
  readonly resource: string;
  /** When the person has seen the document last. */
  readonly since: string;
  onTheirs(): void;
  onMine(): void;
}

/** Somebody else was faster: who it was, what they changed, and whose version is to be kept. */
export function OvertakenNote({ resource, since, onTheirs, onMine }: OvertakenNoteProps) {
  const app = useApp();
  const { words, show } = app;
  const texts = words.overtaken;
  const found = useDocument({
    key: ["audit", "overtaken", resource, since],
    read: (api) =>
      api.GET("/api/audit-logs", {
        params: { query: { resource, order: "desc", from: since, limit: 5 } },
      }),
  });
  const rows = found.data?.items ?? [];
  return (
    <div class="note warn" role="alert">
      <strong>{texts.title}</strong>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            {texts.by(row.actor.name, show.dateTime(row.at))}{" "}
            {Object.keys(row.after ?? {}).map((name) =>
              `${fieldName(words, name)} ${
                fieldText(app, name, row.before?.[name], row.currency)
              } → ${fieldText(app, name, row.after?.[name], row.currency)}`
            ).join(", ")}
          </li>
        ))}
      </ul>
      <p>{texts.text}</p>
      <div class="note-foot">
        <Button onClick={onTheirs}>{texts.theirs}</Button>
        <Button onClick={onMine}>{texts.mine}</Button>
      </div>
    </div>
  );
}
