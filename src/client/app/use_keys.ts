import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "./app.ts";

/** Actions by key; a key of two letters, such as `g p`, is a sequence. */
type KeyMap = Readonly<Record<string, () => void>>;

const PAUSE_MS = 1_200;
/** Begins a key of two letters. */
const LEADER = "g";

/**
 * Keys count while nothing is typed and no dialog is open, and while the person wants them; those of a
 * dialog while no other one stands above it.
 */
export function useKeys(keys: KeyMap, place: "page" | "dialog" = "page"): void {
  const { usesKeys } = useApp();
  const isOn = usesKeys.value;
  const first = useRef({ key: "", atMs: 0 });
  // The newest ones count at once: a quick second key must not meet what the first one has changed.
  const latest = useRef(keys);
  latest.current = keys;
  // Runs with the rendering, not after it, so that visible controls can be used at once.
  useLayoutEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const dialogs = document.querySelectorAll("dialog[open]").length;
      if (isTyping(event.target) || dialogs !== (place === "dialog" ? 1 : 0)) return;
      // A button or a link that has the focus is pressed by it.
      if (event.key === " " && isPressable(event.target)) return;
      const isSoon = event.timeStamp - first.current.atMs < PAUSE_MS;
      // After `g` a key says where to go, and is nothing else: `g a` approves no proposal.
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
