import { useApp } from "../../app/app.ts";
import { useCompetitors } from "./use_competitors.ts";

interface CompetitorPickerProps {
  readonly id: string;
  readonly label: string;
  readonly ids: readonly string[];
  /** What it means that none is ticked. */
  readonly none: string;
  onIds(ids: readonly string[]): void;
}

/** Competitors to be ticked; one that exists no more stays in the list by its id. */
export function CompetitorPicker({ id, label, ids, none, onIds }: CompetitorPickerProps) {
  const { words, show } = useApp();
  const list = useCompetitors();
  const known = list.rows.map((competitor) => ({
    value: competitor.id,
    label: competitor.displayName,
  }));
  const gone = ids.filter((one) => !list.isPending && !known.some(({ value }) => value === one));
  const options = [...known, ...gone.map((one) => ({ value: one, label: one }))];
  return (
    <details class="picker">
      <summary id={id} class="button plain">
        {ids.length === 0 ? none : show.number(ids.length)}
      </summary>
      <div role="group" aria-label={label}>
        {options.length === 0 && <p class="soft">{words.rules.noCompetitors}</p>}
        {options.map(({ value, label: name }) => (
          <label class="menu-check" key={value}>
            <input
              type="checkbox"
              checked={ids.includes(value)}
              onChange={() =>
                onIds(
                  ids.includes(value) ? ids.filter((one) => one !== value) : [...ids, value],
                )}
            />
            {name}
          </label>
        ))}
      </div>
    </details>
  );
}
