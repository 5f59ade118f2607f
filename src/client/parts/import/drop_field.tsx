/**
 * Collects files for an import: files that are dropped on a page, and pasted tables. The cells of a
 * pasted table are separated by tabs, as spreadsheets and browsers copy them.
 */
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { Button, FileButton, Icon } from "../controls.tsx";
import { useDroppedFiles } from "../hooks.ts";

interface DropFieldProps {
  readonly files: readonly File[];
  readonly isOver: boolean;
  readonly children?: ComponentChildren;
  onFiles(files: readonly File[]): void;
}

export function DropField({ files, isOver, children, onFiles }: DropFieldProps) {
  const { words: { imports: { new: texts } }, show } = useApp();
  const isEmpty = files.length === 0;
  return (
    <div class={`drop${isOver ? " over" : ""}${isEmpty ? "" : " filled"}`}>
      <Icon name="imports" />
      {isEmpty && <strong>{texts.drop}</strong>}
      {isEmpty && <span>{texts.or}</span>}
      {!isEmpty && (
        <ul class="file-list stack gap-4" aria-label={texts.files}>
          {files.map((file, at) => (
            <li class="row gap-10" key={`${file.name}-${at}`}>
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
      <FileButton
        kind={isEmpty ? "main" : "plain"}
        accept=".xml,.csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl,.zip,.gz"
        takesSeveral
        onFiles={(more) => onFiles([...files, ...more])}
      >
        {texts.choose}
      </FileButton>
      {isEmpty && <small>{texts.kinds}</small>}
    </div>
  );
}

/**
 * Receives dropped files, and tables that are pasted while no field has the focus. Returns true
 * while a file is dragged over the page. A pasted table becomes a file named `pastedName`.
 */
export function usePageFiles(
  pastedName: string,
  onFiles: (files: readonly File[]) => void,
): boolean {
  const isOver = useDroppedFiles(onFiles);
  useLayoutEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (isTyping(event.target)) return;
      const found = pastedFiles(event.clipboardData, pastedName);
      if (found.length === 0) return;
      event.preventDefault();
      onFiles(found);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [pastedName, onFiles]);
  return isOver;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select") !== null;
}

function pastedFiles(data: DataTransfer | null, name: string): File[] {
  if (data === null) return [];
  const text = data.getData("text/plain");
  if (text.includes("\t")) {
    return [new File([text], name, { type: "text/tab-separated-values; charset=utf-8" })];
  }
  // If the clipboard has a text and files, the files are pictures of the text.
  return data.types.some((type) => type.startsWith("text/")) ? [] : [...data.files];
}
