import type { ImportSource } from "../../../imports/state/import_source.ts";
import { HOLD_BOUNDS } from "../../../imports/source_choices.ts";
import { useApp, useList } from "../../app/app.ts";
import { type Ask, byId, get, where } from "../../api/call.ts";
import { ActionButton } from "../action_button.tsx";

/** Says when imports of the source are held. Missing limits and a pause are highlighted. */
export function SourceGuards({ source }: { source: ImportSource }) {
  const { words: { importSources: texts }, show, workspace } = useApp();
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
  const { words: { importSources: texts }, show } = useApp();
  const shown = HOLD_BOUNDS.map((name) => `${texts.guardBounds[name]} ${show.percent(hold[name])}`);
  return <p class="hint wide">{texts.heldWhen(shown.join(", "))}</p>;
}

export function sourceOptions(sources: readonly ImportSource[]) {
  return sources.map(({ id, name }) => ({ value: id, label: name }));
}

const WATCH_MS = 30_000;

/** Draws nothing if no source is paused. */
export function PausedSources() {
  const { rows } = useImportSources(WATCH_MS);
  return <>{rows.map((source) => <PausedSource key={source.id} source={source} />)}</>;
}

/** Draws nothing if the source is active. */
export function PausedSource({ source: { id, name, pausedAt } }: { source: ImportSource }) {
  const { words: { importSources: texts }, show, may } = useApp();
  const ask: Ask<ImportSource> = (api) =>
    api.PATCH("/api/import-sources/{id}", { ...byId(id), body: { pausedAt: null } });
  if (pausedAt === null) return null;
  return (
    <div class="note bad wide" role="status">
      {texts.pausedSince(name, show.dateTime(pausedAt))}
      {may("manager") && (
        <div class="note-foot">
          <ActionButton ask={ask} touches={["importSources"]} toast={texts.resumed(name)}>
            {texts.resume}
          </ActionButton>
        </div>
      )}
    </div>
  );
}

/** Includes the default source. */
export function useImportSources(everyMs: number | false = false) {
  return useList((page) => get("/api/import-sources", where(page)), { everyMs });
}
