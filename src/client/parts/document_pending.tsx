import { useApp } from "../app/app.ts";
import { ErrorNote } from "./error_note.tsx";
import { PageHead } from "./page_head.tsx";
import { Loading } from "./progress.tsx";

interface DocumentPendingProps {
  readonly title: string;
  readonly back: { readonly href: string; readonly text: string };
  readonly error: unknown;
  onAgain(): void;
}

/** A screen while its document is loading, or when the document could not be read. */
export function DocumentPending({ title, back, error, onAgain }: DocumentPendingProps) {
  const { words } = useApp();
  return (
    <>
      <PageHead title={title} back={back} />
      {error ? <ErrorNote error={error} onAgain={onAgain} /> : <Loading label={words.loading} />}
    </>
  );
}
