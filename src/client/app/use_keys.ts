import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "./app.ts";

/** Maps keys to actions. A name such as `g p` means two keys, pressed one after the other. */
type KeyMap = Readonly<Record<string, () => void>>;

const PAUSE_MS = 1_200;
const LEADER = "g";

/**
 * No key acts while a person is typing. Keys of a "page" act only while no dialog is open. Keys of
 * a "dialog" act only while exactly one dialog is open.
 */
export function useKeys(keys: KeyMap, place: "page" | "dialog" = "page"): void {
  const { usesKeys } = useApp();
  const isOn = usesKeys.value;
  const first = useRef({ key: "", atMs: 0 });
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const dialogs = document.querySelectorAll("dialog[open]").length;
      if (isTyping(event.target) || dialogs !== (place === "dialog" ? 1 : 0)) return;
      if (event.key === " " && isPressable(event.target)) return;
      const isSoon = event.timeStamp - first.current.atMs < PAUSE_MS;
      const isSecond = isSoon && first.current.key === LEADER;
      const act = latest.current[isSecond ? `${LEADER} ${event.key}` : event.key];
      first.current = { key: event.key, atMs: event.timeStamp };
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
