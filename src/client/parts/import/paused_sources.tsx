import { byId } from "../../api/call.ts";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { useApp } from "../../app/app.ts";
import { useChange } from "../../app/use_change.ts";
import { Button } from "../button.tsx";
import { useImportSources } from "./use_import_sources.ts";

const WATCH_MS = 30_000;

/** A red line for each source that rests; nothing while all of them work. */
export function PausedSources() {
  const { rows } = useImportSources(WATCH_MS);
  return <>{rows.map((source) => <PausedSource key={source.id} source={source} />)}</>;
}

/** That a source rests and since when, with one click to let it go on; nothing while it works. */
export function PausedSource({ source: { id, name, pausedAt } }: { source: ImportSource }) {
  const { words, show, may, toasts } = useApp();
  const texts = words.importSources;
  const resume = useChange({
    run: (call) =>
      call((api) =>
        api.PATCH("/api/import-sources/{id}", { ...byId(id), body: { pausedAt: null } })
      ),
    touches: ["importSources"],
    onDone: () => toasts.tell(texts.resumed(name)),
  });
  if (pausedAt === null) return null;
  return (
    <div class="note bad wide" role="status">
      {texts.pausedSince(name, show.dateTime(pausedAt))}
      {may("manager") && (
        <div class="note-foot">
          <Button isBusy={resume.isPending} onClick={() => resume.mutate(undefined)}>
            {texts.resume}
          </Button>
        </div>
      )}
    </div>
  );
}
