import { useApp } from "../../app/app.ts";
import { Menu } from "../menu.tsx";
import type { ColumnChoice } from "./use_columns.ts";

interface ColumnChooserProps {
  readonly choices: readonly ColumnChoice[];
  readonly isCompact: boolean;
  onCompact(isCompact: boolean): void;
}

/** Which columns a table shows, and whether its rows stand close. */
export function ColumnChooser({ choices, isCompact, onCompact }: ColumnChooserProps) {
  const { words } = useApp();
  return (
    <Menu icon="columns" label={words.table.columns}>
      {choices.map(({ key, title, isShown, toggle }) => (
        <label class="menu-check" key={key}>
          <input type="checkbox" checked={isShown} onChange={toggle} />
          {title}
        </label>
      ))}
      <hr />
      <label class="menu-check">
        <input
          type="checkbox"
          checked={isCompact}
          onChange={(event) => onCompact(event.currentTarget.checked)}
        />
        {words.table.compact}
      </label>
    </Menu>
  );
}
