import { useEffect, useRef, useState } from "preact/hooks";

const PAUSE_MS = 10_000;

/** The text of a live region, changed at most every ten seconds. */
export function useAnnouncement(text: string): string {
  const [announced, setAnnounced] = useState(text);
  const lastMs = useRef(0);
  useEffect(() => {
    const say = () => {
      lastMs.current = Date.now();
      setAnnounced(text);
    };
    const timer = setTimeout(say, Math.max(0, lastMs.current + PAUSE_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [text]);
  return announced;
}
