import { useApp } from "../../app/app.ts";
import { useCompetitors } from "./use_competitors.ts";

interface CompetitorPickerProps {
  readonly id: string;
  /** Where the service would find it in the rule. */
  readonly name: string;
  readonly label: string;
  readonly ids: readonly string[];
  /** True for names of groups in place of competitors. */
  readonly ofGroups: boolean;
  /** What it means that none is ticked. */
  readonly none: string;
  onIds(ids: readonly string[]): void;
}

/** Competitors or their groups to be ticked; one that exists no more stays in the list by its id. */
export function CompetitorPicker(props: CompetitorPickerProps) {
  const { id, name, label, ids, ofGroups, none, onIds } = props;
  const { words, show } = useApp();
  const list = useCompetitors();
  const known = ofGroups
    ? [...new Set(list.rows.flatMap(({ groups }) => groups))].sort()
      .map((group) => ({ value: group, label: group }))
    : list.rows.map((competitor) => ({ value: competitor.id, label: competitor.displayName }));
  const gone = ids.filter((one) => !list.isPending && !known.some(({ value }) => value === one));
  const options = [...known, ...gone.map((one) => ({ value: one, label: one }))];
  return (
    <details class="picker">
      <summary id={id} data-name={name} class="button plain">
        {ids.length === 0 ? none : show.number(ids.length)}
      </summary>
      <div role="group" aria-label={label}>
        {options.length === 0 && (
          <p class="soft">{ofGroups ? words.rules.noGroups : words.rules.noCompetitors}</p>
        )}
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
