import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { Button, Icon } from "../controls.tsx";

interface DropFieldProps {
  readonly files: readonly File[];
  readonly isOver: boolean;
  readonly children?: ComponentChildren;
  onFiles(files: readonly File[]): void;
}

export function DropField({ files, isOver, children, onFiles }: DropFieldProps) {
  const { words: { imports: { new: texts } }, show } = useApp();
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
              <span class="clip">{file.name}</span>
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
      <label class={isEmpty ? "button main" : "button plain"} for={id}>{texts.choose}</label>
      {isEmpty && <small>{texts.kinds}</small>}
    </div>
  );
}
