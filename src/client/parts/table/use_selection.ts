import { useEffect, useState } from "preact/hooks";

/** Which rows are marked: some by their ids, or everything that the filter finds. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** All that the filter finds, loaded or not. */
  readonly isAll: boolean;
  has(id: string): boolean;
  /** Out of all that the filter finds, one leaves the loaded ones without it. */
  toggle(id: string): void;
  /** Marks these, or none when they are marked already. */
  toggleAll(ids: readonly string[]): void;
  /** Marks all that the filter finds; these are the ones that are loaded. */
  selectAll(loaded: readonly string[]): void;
  clear(): void;
}

const NONE: ReadonlySet<string> = new Set();

/** Forgotten when `scope`, the filter of the list, changes. */
export function useSelection(scope: string): Selection {
  const [ids, setIds] = useState(NONE);
  const [isAll, setAll] = useState(false);
  const clear = () => {
    setIds(NONE);
    setAll(false);
  };
  useEffect(clear, [scope]);
  return {
    ids,
    isAll,
    clear,
    has: (id) => isAll || ids.has(id),
    // Several may follow each other before anything is drawn.
    toggle: (id) => {
      setAll(false);
      setIds((before) => before.symmetricDifference(new Set([id])));
    },
    toggleAll: (shown) => {
      setAll(false);
      setIds(!isAll && shown.some((id) => !ids.has(id)) ? new Set(shown) : NONE);
    },
    selectAll: (loaded) => {
      setIds(new Set(loaded));
      setAll(true);
    },
  };
}
