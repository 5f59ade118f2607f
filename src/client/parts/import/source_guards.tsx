import type { ImportSource } from "../../../imports/state/import_source.ts";
import { HOLD_BOUNDS } from "../../../imports/source_choices.ts";
import { useApp } from "../../app/app.ts";
import { PausedSource } from "./paused_sources.tsx";

/** The limits of a source in a sentence; missing limits and a pause are highlighted. */
export function SourceGuards({ source }: { source: ImportSource }) {
  const { words, show, workspace } = useApp();
  const texts = words.importSources;
  const hold = source.isDefault ? workspace.value?.importHold ?? null : source.hold;
  return (
    <>
      <PausedSource source={source} />
      {hold === null
        ? <p class="note warn wide" role="status">{texts.unguarded}</p>
        : source.hold === null || source.isDefault
        ? (
          <p class="hint wide">
            {texts.heldByMoves(show.percent(hold.movePct), show.percent(hold.sharePct))}
          </p>
        )
        : <HeldWhen hold={source.hold} />}
    </>
  );
}

function HeldWhen({ hold }: { hold: NonNullable<ImportSource["hold"]> }) {
  const { words, show } = useApp();
  const texts = words.importSources;
  const shown = HOLD_BOUNDS.map((name) => `${texts.guardBounds[name]} ${show.percent(hold[name])}`);
  return <p class="hint wide">{texts.heldWhen(shown.join(", "))}</p>;
}

/** The options for choosing a source. */
export function sourceOptions(sources: readonly ImportSource[]) {
  return sources.map(({ id, name }) => ({ value: id, label: name }));
}
