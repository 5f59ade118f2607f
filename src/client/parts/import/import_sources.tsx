/** The sources of imports, with their last files, their guards, and notes about paused sources. */
import { HOLD_BOUNDS, isHoldCode } from "../../../imports/choices.ts";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { byId, type Call, get, where, type Wire } from "../../api/call.ts";
import { useApp, useDocument, useList } from "../../app/app.ts";
import { momentText } from "../../formats/day.ts";
import { ActionButton } from "../action_button.tsx";
import { actorText } from "../field_text.ts";
import { isUnderWay } from "../shared_queries.ts";

export function useImportSources(everyMs: number | false = false) {
  return useList((page) => get("/api/import-sources", where(page)), { everyMs });
}

const DELIVERIES = 14;

export function useDeliveries(source: string): readonly Wire<"ImportSummary">[] | null {
  const { data } = useDocument(get("/api/imports", where({ source, limit: 2 * DELIVERIES })));
  const ended = data?.items.filter((one) => !one.dryRun && one.undoes === null && !isUnderWay(one));
  return ended?.slice(0, DELIVERIES) ?? null;
}

export function SourceGuards({ source }: { source: ImportSource }) {
  const { words: { importSources: texts }, show, workspace } = useApp();
  const hold = source.isDefault ? workspace.value?.importHold ?? null : source.hold;
  const boundsOf = (bounds: NonNullable<ImportSource["hold"]>) =>
    HOLD_BOUNDS.map((name) => `${texts.guardBounds[name]} ${show.percent(bounds[name])}`);
  return (
    <>
      <PausedNote source={source} />
      {hold === null
        ? <p class="note warn wide" role="status">{texts.unguarded}</p>
        : source.hold === null || source.isDefault
        ? (
          <p class="hint wide">
            {texts.heldByMoves(show.percent(hold.sharePct), show.percent(hold.movePct))}
          </p>
        )
        : <p class="hint wide">{texts.heldWhen(boundsOf(source.hold).join(", "))}</p>}
    </>
  );
}

const WATCH_MS = 30_000;

export function PausedSources() {
  const { rows } = useImportSources(WATCH_MS);
  return <>{rows.map((source) => <PausedNote key={source.id} source={source} />)}</>;
}

export function PausedNote({ source }: { readonly source: ImportSource }) {
  return source.pausedAt && <PauseOf source={source} pausedAt={source.pausedAt} />;
}

function PauseOf({ source, pausedAt }: { source: ImportSource; pausedAt: string }) {
  const { words, show, may } = useApp();
  const texts = words.importSources;
  const { id, name, pull, lastImport } = source;
  const { data } = useDocument(
    get("/api/audit-logs", where({ resource: `import_source:${id}`, order: "desc", limit: 20 })),
  );
  const row = data?.items.find(({ after }) => after?.pausedAt === pausedAt);
  const isUndone = useDeliveries(id)?.some(({ undoneBy }) => undoneBy !== null);
  const resume = async (call: Call) => {
    await call((api) =>
      api.PATCH("/api/import-sources/{id}", { ...byId(id), body: { pausedAt: null } })
    );
    if (pull) await call((api) => api.POST("/api/import-sources/{id}/pull", byId(id)));
  };
  return (
    <div class="note warn wide" role="status">
      <strong>
        {texts.pausedSince(name, momentText(show, pausedAt))}
        {row && ` ${texts.pausedBy(actorText(words, row))}`}
      </strong>
      <p>
        {isUndone
          ? texts.becauseUndone
          : isHoldCode(lastImport?.errorCode ?? null) && texts.becauseHeld} {texts.meanwhile}
      </p>
      <div class="note-foot row flow gap-14 rows-4">
        <a href={`/imports?source=${id}`}>{texts.showFiles}</a>
        {may("manager") && (
          <ActionButton
            run={resume}
            touches={["import-sources", "imports", "audit-logs"]}
            toast={texts.resumed(name)}
          >
            {pull ? texts.catchUp : texts.resume}
          </ActionButton>
        )}
      </div>
    </div>
  );
}
