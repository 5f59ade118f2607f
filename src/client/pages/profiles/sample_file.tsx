import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useApp } from "../../app/app.ts";

interface SampleFileProps {
  readonly file: File | null;
  readonly accept: string;
  readonly children?: ComponentChildren;
  onFile(file: File | null): void;
}

/** Chooses a file to try a profile; nothing is imported. */
export function SampleFile({ file, accept, children, onFile }: SampleFileProps) {
  const texts = useApp().words.profiles;
  const id = useId();
  return (
    <>
      <p class="soft">{texts.fileHint}</p>
      <div class="file-choice flow row gap-8">
        <input
          id={id}
          class="sr-only"
          type="file"
          accept={accept}
          onChange={(event) => onFile(event.currentTarget.files?.[0] ?? null)}
        />
        <label class="button plain" for={id}>{texts.file}</label>
        {file && <span class="file-name">{file.name}</span>}
        {children}
      </div>
    </>
  );
}
