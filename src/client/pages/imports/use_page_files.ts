import { useLayoutEffect } from "preact/hooks";
import { useDroppedFiles } from "../../parts/use_dropped_files.ts";
import { pastedTable } from "./pasted_table.ts";

/**
 * Files that are dropped anywhere on the page, and cells that are pasted where nothing is typed; answers
 * whether something is being dragged over the page. `pastedName` is what a pasted table is called.
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
  const [plain, html] = [data.getData("text/plain"), data.getData("text/html")];
  const text = pastedTable({ plain, html });
  if (text !== null) {
    return [new File([text], name, { type: "text/tab-separated-values; charset=utf-8" })];
  }
  // Beside a text, files are pictures of it.
  return plain === "" && html === "" ? [...data.files] : [];
}
