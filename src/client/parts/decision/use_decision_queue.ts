/**
 * Sends decisions one after the other, so that an undo is never sent before its decision. Decided
 * items leave the list at once.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Area, useApp, useRefresh } from "../../app/app.ts";

const NONE: ReadonlySet<string> = new Set();

export function useDecisionQueue(touches: readonly Area[]) {
  const { heldBack, toasts } = useApp();
  const refresh = useRefresh(...touches);
  const [hidden, setHidden] = useState(NONE);
  const lastSent = useRef<Promise<unknown>>(Promise.resolve());
  const waiting = useRef(0);
  useEffect(() => {
    // Signing out waits until all decisions have arrived.
    const arrive = () => lastSent.current;
    heldBack.add(arrive);
    return () => void heldBack.delete(arrive);
  }, []);
  /** Resolves to null if the service refuses. A message has then given the reason. */
  const send = <T extends object>(work: () => Promise<T>): Promise<T | null> => {
    waiting.current++;
    const sent = lastSent.current.then(async () => {
      try {
        return await work();
      } catch (error) {
        toasts.refuse(error);
        return null;
      } finally {
        waiting.current--;
      }
    });
    lastSent.current = sent;
    void sent.then(async () => {
      // After several quick decisions the list is read again only once.
      if (waiting.current > 0) return;
      await refresh();
      if (waiting.current === 0) setHidden(NONE);
    });
    return sent;
  };
  return {
    hidden,
    hide: (ids: readonly string[]) => setHidden((before) => before.union(new Set(ids))),
    unhide: (id: string) => setHidden((before) => before.difference(new Set([id]))),
    send,
  };
}
