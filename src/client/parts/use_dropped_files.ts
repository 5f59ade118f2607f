import { useLayoutEffect, useState } from "preact/hooks";

/**
 * Accepts files dropped anywhere on the page; returns true while a file is dragged over the page.
 */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  // A layout effect, because the browser opens a file that is dropped before the listener exists.
  useLayoutEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      // `relatedTarget` is not null if the pointer only moves between elements of the page.
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      const files = [...event.dataTransfer?.files ?? []];
      if (files.length === 0) return;
      event.preventDefault();
      setOver(false);
      onFiles(files);
    };
    document.addEventListener("dragover", onDragOver);
    document.addEventListener("dragleave", onDragLeave);
    document.addEventListener("drop", onDrop);
    return () => {
      document.removeEventListener("dragover", onDragOver);
      document.removeEventListener("dragleave", onDragLeave);
      document.removeEventListener("drop", onDrop);
    };
  }, [onFiles]);
  return isOver;
}
