import type { Wire } from "../../api/wire.ts";
import { useApp } from "../../app/app.ts";
import type { List } from "../../app/use_list.ts";
import { Card } from "../../parts/card.tsx";
import { Loading } from "../../parts/progress.tsx";
import type { Cause } from "./use_retry.ts";

interface CausesCardProps {
  readonly groups: Pick<List<Wire<"RepairGroup">>, "rows" | "isPending">;
  /** The one that is looked at; null for all. */
  readonly cause: Cause | null;
  onPick(cause: Cause | null): void;
  /** What mends a cause here; null where nothing does now. */
  mend(group: Wire<"RepairGroup">): Mend | null;
}

interface Mend {
  readonly text: string;
  readonly act: () => void;
}

/** How many pages each cause has: a click looks at one of them alone. */
export function CausesCard(props: CausesCardProps) {
  const { groups: { rows, isPending }, cause, onPick } = props;
  const { words, show } = useApp();
  const texts = words.repairs;
  const most = Math.max(1, ...rows.map(({ pages }) => pages));
  const all = rows.reduce((sum, { pages }) => sum + pages, 0);
  return (
    <Card title={texts.shop.causes} note={all > 0 && texts.count(all, show.number(all))}>
      {isPending
        ? <Loading label={words.loading} />
        : rows.length === 0
        ? <p class="soft">{texts.shop.noCauses}</p>
        : (
          <ul class="causes">
            {rows.map((group) => {
              const mend = props.mend(group);
              const name = texts.causes[group.cause];
              return (
                <li key={group.cause}>
                  <button
                    type="button"
                    class="cause"
                    aria-pressed={group.cause === cause}
                    onClick={() => onPick(group.cause === cause ? null : group.cause)}
                  >
                    <span>{name}</span>
                    <meter
                      max={most}
                      value={group.pages}
                      aria-hidden="true"
                    />
                    <strong>{show.number(group.pages)}</strong>
                  </button>
                  {mend && (
                    <button
                      type="button"
                      class="link"
                      aria-label={`${mend.text}: ${name}`}
                      onClick={mend.act}
                    >
                      {mend.text}
                    </button>
                  )}
                </li>
              );
            })}
          </ul>
        )}
    </Card>
  );
}
