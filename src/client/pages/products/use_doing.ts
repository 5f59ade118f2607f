/** What a person does on a product's page: each deed can be taken back, the newest first. */
import { useQueryClient } from "@tanstack/preact-query";
import { useRef, useState } from "preact/hooks";
import { Overtaken } from "../../api/save_over.ts";
import type { Call } from "../../api/call.ts";
import { useApp } from "../../app/app.ts";

interface Deed {
  run(call: Call): Promise<unknown>;
  /** What is told when it is done. */
  readonly done: string;
  /** Resolves to what is told when it is taken back. */
  back(call: Call): Promise<string>;
  /** Called as soon as it is done, while what it touched is still read anew: a dialog closes then. */
  onDone?(): void;
}

export interface Doing {
  readonly isBusy: boolean;
  /** Resolves to false when it was refused; the person has been told then. */
  act(deed: Deed): Promise<boolean>;
  /** Takes back the newest deed that was not taken back yet. */
  undo(): void;
}

/** Areas that a price, a decision or a hold may change. */
const TOUCHED = ["products", "proposals", "matches", "rules", "overview", "audit", "market"];

export function useDoing(): Doing {
  const { call, toasts, words } = useApp();
  const client = useQueryClient();
  const [running, setRunning] = useState(0);
  const done = useRef<{ readonly deed: Deed; readonly toastId: number | null }[]>([]);
  /** Who takes something back means what is on its way, too. */
  const onItsWay = useRef<Promise<unknown>>(Promise.resolve());
  /** What is done can be taken back at once, while all that it touched is still read anew. */
  const attempt = async <T>(
    work: () => Promise<T>,
    onDone: (answer: T) => void,
  ): Promise<boolean> => {
    setRunning((count) => count + 1);
    try {
      onDone(await work());
      return true;
    } catch (error) {
      if (error instanceof Overtaken) toasts.tell(words.priceEdit.overtaken);
      else toasts.refuse(error);
      return false;
    } finally {
      setRunning((count) => count - 1);
      await Promise.all(TOUCHED.map((area) => client.invalidateQueries({ queryKey: [area] })));
    }
  };
  const takeBack = (deed: Deed) => {
    const at = done.current.findIndex((one) => one.deed === deed);
    const [taken] = at < 0 ? [] : done.current.splice(at, 1);
    if (!taken) return;
    if (taken.toastId !== null) toasts.close(taken.toastId);
    void attempt(() => deed.back(call), (undone) => toasts.tell(undone));
  };
  return {
    isBusy: running > 0,
    act: (deed) => {
      const work = deed.run(call);
      // What is refused is nothing that could be taken back.
      onItsWay.current = work.catch(() => null);
      return attempt(() => work, () => {
        deed.onDone?.();
        toasts.tell(deed.done, () => takeBack(deed));
        done.current.push({ deed, toastId: toasts.shown.value.at(-1)?.id ?? null });
      });
    },
    undo: () =>
      void onItsWay.current.then(() => {
        const last = done.current.at(-1);
        if (last) takeBack(last.deed);
      }),
  };
}
