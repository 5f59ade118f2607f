import { useApp } from "../../app/app.ts";
import { Icon } from "../../parts/icon.tsx";
import { useProductCount } from "../../parts/use_product_count.ts";
import type { Shop } from "../../parts/use_shops.ts";
import {
  type Chip,
  CHIPS,
  type FilterName,
  type FilterPatch,
  filterQuery,
  isPressed,
  namesOf,
  ownNames,
  type ProductFilter,
  without,
} from "./market_query.ts";
import { useFilterTexts } from "./use_filter_texts.ts";

interface ChipsProps {
  readonly filter: ProductFilter;
  /** How many products the filter leaves; null while that is not known. */
  readonly total: number | null;
  readonly shops: ReadonlyMap<string, Shop>;
}

/** Active and possible filters of the list, each with its count. */
export function MarketChips({ filter, total, shops }: ChipsProps) {
  const { words } = useApp();
  const texts = useFilterTexts(shops);
  return (
    <ul class="chips" aria-label={words.market.filter}>
      {ownNames(filter.values).map((name) => (
        <li key={name}>
          <PressedChip
            text={texts.ofName(name, filter.values[name])}
            count={total}
            onDrop={() => filter.setAll(without([name]))}
          />
        </li>
      ))}
      {CHIPS.map((chip) => (
        <li key={chip.name}>
          {isPressed(filter.values, chip.patch)
            ? (
              <PressedChip
                text={texts.ofChip(chip)}
                count={total}
                onDrop={() => filter.setAll(without(namesOf(chip.patch)))}
              />
            )
            : <OpenChip filter={filter} chip={chip} text={texts.ofChip(chip)} />}
        </li>
      ))}
    </ul>
  );
}

interface PressedChipProps {
  readonly text: string;
  readonly count: number | null;
  onDrop(): void;
}

function PressedChip({ text, count, onDrop }: PressedChipProps) {
  return (
    <button type="button" class="chip" aria-pressed="true" onClick={onDrop}>
      {text}
      <ChipCount count={count} />
      <Icon name="close" />
    </button>
  );
}

interface OpenChipProps {
  readonly filter: ProductFilter;
  readonly chip: Chip;
  readonly text: string;
}

/** Counts what would be left together with the rest of the filter. */
function OpenChip({ filter, chip, text }: OpenChipProps) {
  const patch: FilterPatch = chip.patch;
  const count = useProductCount(countQuery({ ...filter.values, ...patch }));
  return (
    <button
      type="button"
      class="chip"
      aria-pressed="false"
      onClick={() => filter.setAll(patch)}
    >
      {text}
      <ChipCount count={count} />
    </button>
  );
}

/** Deleted products have no market, so a filter by it leaves them out. */
function countQuery(values: Readonly<Record<FilterName, string>>) {
  const { includeDeleted: _, ...query } = filterQuery(values);
  return query;
}

function ChipCount({ count }: { count: number | null }) {
  const { show } = useApp();
  return count === null ? null : <span class="chip-count">{show.number(count)}</span>;
}
