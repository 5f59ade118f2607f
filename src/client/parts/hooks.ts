import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../app/app.ts";

const ANNOUNCEMENT_PAUSE_MS = 10_000;

/** Limits screen readers to one announcement every ten seconds. */
export function useAnnouncement(text: string): string {
  const [announced, setAnnounced] = useState(text);
  const lastMs = useRef(0);
  useEffect(() => {
    const say = () => {
      lastMs.current = Date.now();
      setAnnounced(text);
    };
    const timer = setTimeout(say, Math.max(0, lastMs.current + ANNOUNCEMENT_PAUSE_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [text]);
  return announced;
}

export function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  useLayoutEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      // `relatedTarget` is null only when the pointer leaves the page.
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

/**
 * Returns the token of a one-time link: the part after `#`, which browsers never send to a server.
 */
export function useLinkToken(): string | null {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get("token"));
  return token === "" ? null : token;
}

export function useMedia(text: string): boolean {
  const [fits, setFits] = useState(() => matchMedia(text).matches);
  useEffect(() => {
    const query = matchMedia(text);
    const change = () => setFits(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, [text]);
  return fits;
}

export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return;
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}

type KeyMap = Readonly<Record<string, () => void>>;

/**
 * Keys do nothing while a person is typing, or if the person has switched them off. With "page",
 * keys act only while no dialog is open; with "dialog", only while exactly one is open.
 */
export function useKeys(keys: KeyMap, place: "page" | "dialog" = "page"): void {
  const { usesKeys } = useApp();
  const isOn = usesKeys.value;
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const dialogs = document.querySelectorAll("dialog[open]").length;
      if (isTyping(event.target) || dialogs !== (place === "dialog" ? 1 : 0)) return;
      if (event.key === " " && isPressable(event.target)) return;
      const act = latest.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [isOn, place]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== "checkbox";
  return target.matches("textarea, select, [contenteditable]");
}

function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("button, a, summary, input");
}
