import { useId, useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";

interface DropFieldProps {
  readonly files: readonly File[];
  onFiles(files: readonly File[]): void;
}

/** Takes files by drag and drop or by the browser's own choice. */
export function DropField({ files, onFiles }: DropFieldProps) {
  const { words, show } = useApp();
  const texts = words.imports.new;
  const id = useId();
  const [isOver, setOver] = useState(false);
  const add = (list: FileList | null | undefined) => {
    if (list && list.length > 0) onFiles([...files, ...list]);
  };
  return (
    <div class="wide">
      <div
        class={isOver ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          add(event.dataTransfer?.files);
        }}
      >
        <Icon name="imports" />
        <strong>{texts.drop}</strong>
        <span>{texts.or}</span>
        <input
          id={id}
          class="sr-only"
          type="file"
          multiple
          accept=".xml,.zip,application/xml,text/xml,application/zip"
          onChange={(event) => {
            add(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
        <label class="button plain" for={id}>{texts.choose}</label>
        <small>{texts.kinds}</small>
      </div>
      {files.length > 0 && (
        <ul class="file-list" aria-label={texts.files}>
          {files.map((file, at) => (
            <li key={`${file.name}-${at}`}>
              <span>{file.name}</span>
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
    </div>
  );
}
