import { useApp } from "../../frame/app.ts";
import { Menu } from "../menu.tsx";
import type { ColumnChoice } from "./use_columns.ts";

/** Which columns a table shows. */
export function ColumnChooser({ choices }: { choices: readonly ColumnChoice[] }) {
  const { words } = useApp();
  return (
    <Menu icon="columns" label={words.table.columns}>
      {choices.map(({ key, title, isShown, toggle }) => (
        <label class="menu-check" key={key}>
          <input type="checkbox" checked={isShown} onChange={toggle} />
          {title}
        </label>
      ))}
    </Menu>
  );
}
