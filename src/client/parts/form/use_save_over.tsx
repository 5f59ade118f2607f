/**
 * Saves a document only if the fields that the form shows are as the person saw them. Otherwise
 * nothing is saved, and `note` asks which version to keep.
 */
import { type Answer, type Api, type Ask, get, where } from "../../api/call.ts";
import { Overtaken, saveOver } from "../../api/save_over.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { Button } from "../controls.tsx";
import { fieldName, fieldText } from "../field_text.ts";
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";

interface SaveOverOptions<Document, Change> {
  readonly read: Ask<Document>;
  write(api: Api, change: Change): Promise<Answer<Document>>;
  /** The document as `type:id`, as in the audit log. */
  readonly resource: string;
  /** The document as the person sees it; null for a new document. */
  readonly document: Document | null;
  /** Id of the form, which is submitted again if the person keeps their own version. */
  readonly formId: string;
  /** The content of the form for a document, as one text. */
  textOf(document: Document): string;
  onTheirs(document: Document): void;
}

export interface SaveOver<Document, Change> {
  /** Resolves to null if nothing is saved. */
  save(change: Change): Promise<Document | null>;
  /** Must be called when the form, without unsaved input, takes over a newer document. */
  follow(document: Document): void;
  readonly note: ComponentChild;
}

export function useSaveOver<Document extends object, Change>(
  { read, write, resource, document: given, formId, textOf, onTheirs }: SaveOverOptions<
    Document,
    Change
  >,
): SaveOver<Document, Change> {
  const { call } = useApp();
  const [openedAt] = useState(() => new Date().toISOString());
  const [seen, setSeen] = useState<Document | null>(given);
  const [newer, setNewer] = useState<Document | null>(null);
  const save = async (change: Change): Promise<Document | null> => {
    try {
      const isSeen = (latest: Document) => seen === null || textOf(latest) === textOf(seen);
      const saved = await saveOver(call, { read, write: (api) => write(api, change), isSeen });
      setSeen(saved);
      return saved;
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      setNewer(error.latest);
      return null;
    }
  };
  const keep = (chosen: Document) => {
    setSeen(chosen);
    setNewer(null);
  };
  const note = newer && (
    <OvertakenNote
      resource={resource}
      since={savedAt(seen) ?? openedAt}
      onTheirs={() => {
        keep(newer);
        onTheirs(newer);
      }}
      onMine={() => {
        keep(newer);
        requestAnimationFrame(() => submitForm(formId));
      }}
    />
  );
  return { save, follow: setSeen, note };
}

/** Null if the document has no field `updatedAt`. */
function savedAt(document: object | null): string | null {
  const says = document !== null && "updatedAt" in document ? document.updatedAt : null;
  return typeof says === "string" ? says : null;
}

/** Unlike `submit()`, `requestSubmit()` calls the form's handler. */
function submitForm(id: string): void {
  const form = document.getElementById(id);
  if (form instanceof HTMLFormElement) form.requestSubmit();
}

interface OvertakenNoteProps {
  readonly resource: string;
  readonly since: string;
  onTheirs(): void;
  onMine(): void;
}

function OvertakenNote({ resource, since, onTheirs, onMine }: OvertakenNoteProps) {
  const app = useApp();
  const { words, show } = app;
  const texts = words.overtaken;
  const found = useDocument(
    get("/api/audit-logs", where({ resource, order: "desc", from: since, limit: 5 })),
  );
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
