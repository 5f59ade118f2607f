import { asApiError } from "../api/api_error.ts";
import { useApp } from "../app/app.ts";
import { refusalText } from "./refusal_text.ts";
import { CopyText } from "./copy_text.tsx";

interface ErrorNoteProps {
  readonly error: unknown;
  /** Fields that show their own refusal. */
  readonly knownFields?: readonly string[];
  /** The retry action. */
  readonly onAgain?: (() => void) | undefined;
}

interface ServiceWordsProps {
  readonly message: string;
  /** True where nothing else says what went wrong. */
  readonly isAll?: boolean;
}

/** The service's own English text, below a translated line. */
export function ServiceWords({ message, isAll = false }: ServiceWordsProps) {
  const { language, words } = useApp();
  if (isAll || language.value === "en") return <p lang="en">{message}</p>;
  return (
    <details>
      <summary>{words.exactWords}</summary>
      <p lang="en">{message}</p>
    </details>
  );
}

/** An error in the words of the service, with its request id. */
export function ErrorNote({ error, knownFields = [], onAgain }: ErrorNoteProps) {
  const app = useApp();
  const { words } = app;
  const { code, message, requestId, fields } = asApiError(error);
  const others = fields.filter(({ path }) => !knownFields.includes(path));
  const labels: Readonly<Record<string, string>> = words.errors;
  return (
    <div class="note bad" role="alert">
      <strong>{labels[code] ?? words.errors.other}</strong>
      {fields.length === 0 && <ServiceWords message={message} isAll={!(code in labels)} />}
      {others.length > 0 && (
        <ul>
          {others.map((field) => (
            <li key={field.path}>
              {field.path && <code>{field.path}</code>} {refusalText(app, field)}
            </li>
          ))}
        </ul>
      )}
      <p class="note-foot">
        {onAgain && <button type="button" class="link" onClick={onAgain}>{words.tryAgain}</button>}
        {requestId && <CopyText text={requestId} label={words.requestId} />}
      </p>
    </div>
  );
}
