import { useState } from "preact/hooks";
import { useMedia } from "../use_media.ts";
import type { Column } from "./column.ts";
import { NARROW } from "./use_fitting_columns.ts";

export interface ColumnChoice {
  readonly key: string;
  readonly title: string;
  readonly isShown: boolean;
  toggle(): void;
}

/** The columns that are shown, and the choice of the others; remembered by the browser per table. */
export function useColumns<Row>(
  name: string,
  columns: readonly Column<Row>[],
): { shown: readonly Column<Row>[]; choices: readonly ColumnChoice[] } {
  const storageName = `kurant.columns.${name}`;
  const [chosen, setChosen] = useState(() => readChoice(localStorage.getItem(storageName)));
  const isNarrow = useMedia(NARROW);
  const isShown = ({ key, choice, isWide }: Column<Row>) =>
    choice === undefined
      ? !(isWide && isNarrow)
      : chosen[key] ?? (choice === "shown" && !(isWide && isNarrow));
  const toggle = (column: Column<Row>) => {
    const after = { ...chosen, [column.key]: !isShown(column) };
    localStorage.setItem(storageName, JSON.stringify(after));
    setChosen(after);
  };
  return {
    shown: columns.filter(isShown),
    choices: columns.filter(({ choice }) => choice !== undefined).map((column) => ({
      key: column.key,
      title: column.title,
      isShown: isShown(column),
      toggle: () => toggle(column),
    })),
  };
}

function readChoice(text: string | null): Record<string, boolean> {
  try {
    const kept: unknown = JSON.parse(text ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, value === true]));
  } catch {
    // Written by something else: the table starts with what it shows at first.
    return {};
  }
}
