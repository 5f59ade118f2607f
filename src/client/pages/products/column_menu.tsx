import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";
import { Menu } from "../../parts/menu.tsx";
import type { MarketColumns } from "./use_market_columns.ts";

/** Which columns the table has, and in which order: where there is no room the last ones give way. */
export function ColumnMenu({ columns }: { columns: MarketColumns }) {
  const { words } = useApp();
  const texts = words.market.columnMenu;
  const chosen = columns.choices.filter(({ isChosen }) => isChosen).length;
  return (
    <Menu icon="columns" label={words.table.columns}>
      {columns.choices.map(({ column: { key, title }, isChosen, fits }, at) => (
        <div class="column-choice" key={key}>
          <label class="menu-check">
            <input
              type="checkbox"
              checked={isChosen}
              disabled={isChosen && chosen === 1}
              onChange={() =>
                columns.toggle(key)}
            />
            {title}
            {!fits && <small>{texts.noRoom}</small>}
          </label>
          {isChosen && (
            <span class="row-actions">
              <Button
                kind="quiet"
                icon="up"
                label={texts.up(title)}
                isDisabled={at === 0}
                onClick={() => columns.move(key, -1)}
              />
              <Button
                kind="quiet"
                icon="down"
                label={texts.down(title)}
                isDisabled={at === chosen - 1}
                onClick={() =>
                  columns.move(key, 1)}
              />
            </span>
          )}
        </div>
      ))}
    </Menu>
  );
}
