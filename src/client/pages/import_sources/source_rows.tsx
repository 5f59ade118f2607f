import { isHoldCode } from "../../../imports/files/hold_codes.ts";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import { byId, type Call, get, where, type Wire } from "../../api/call.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { momentText } from "../../formats/moment.ts";
import { actorText } from "../../parts/audit/actor_text.ts";
import { isHeld, isUnderWay } from "../../parts/import/import_state.tsx";
import { Badge, Icon, LinkButton } from "../../parts/controls.tsx";
import { SOURCE_TONES, stateOf } from "./source_state.ts";
import { ActionButton } from "../../parts/action_button.tsx";

const DELIVERIES = 14;
const COLUMNS = 6;

type Delivery = Wire<"ImportSummary">;

interface SourceRowsProps {
  readonly sources: readonly ImportSource[];
  nameOf(profile: string): string;
  onOpen(id: string): void;
}

/** One row per source with its last files. Below a paused source, a row explains the pause. */
export function SourceRows({ sources, ...rest }: SourceRowsProps) {
  const { words } = useApp();
  const texts = words.importSources;
  const { columns } = texts;
  return (
    <div class="simple-scroll framed sources row-cards">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col" class="extra">{columns.read}</th>
            <th scope="col">{columns.deliveries}</th>
            <th scope="col">{columns.last}</th>
            <th scope="col">{columns.state}</th>
            <th scope="col">
              <span class="sr-only">{words.actions}</span>
            </th>
          </tr>
        </thead>
        {sources.map((source) => <SourceRow key={source.id} source={source} {...rest} />)}
      </table>
    </div>
  );
}

function useDeliveries(source: string): readonly Delivery[] | null {
  const { data } = useDocument(get("/api/imports", where({ source, limit: 2 * DELIVERIES })));
  if (!data) return null;
  return data.items.filter((one) => !one.dryRun && one.undoes === null && !isUnderWay(one)).slice(
    0,
    DELIVERIES,
  );
}

type RowProps = Omit<SourceRowsProps, "sources"> & { readonly source: ImportSource };

function SourceRow({ source, nameOf, onOpen }: RowProps) {
  const { words, show, may } = useApp();
  const texts = words.importSources;
  const { id, name, kind, profile, mode, lastImport, lastPull, missedAt, pausedAt } = source;
  const state = stateOf(source);
  const deliveries = useDeliveries(id);
  const at = lastImport?.finishedAt ?? null;
  return (
    <tbody class={state}>
      <tr>
        <th scope="row">
          <LinkButton onClick={() => onOpen(id)}>{name}</LinkButton>
          <small>{lastPull ? <LastPull pull={lastPull} /> : texts.kinds[kind]}</small>
        </th>
        <td class="extra">
          {profile === null ? texts.detected : texts.profile(nameOf(profile))}
          <small>{words.imports.modes[mode]}</small>
        </td>
        <td>{deliveries && <Bars deliveries={deliveries} />}</td>
        <td>
          {at === null ? <span class="soft">{texts.never}</span> : (
            <>
              <a href={`/imports/${lastImport?.jobId}`}>
                {momentText(show, at, Date.now())}
              </a>
              {lastImport && (
                <small>
                  <a href={`/imports/${lastImport.jobId}`}>{lastImport.label}</a>
                </small>
              )}
            </>
          )}
        </td>
        <td>
          <Badge tone={SOURCE_TONES[state]}>{texts.states[state]}</Badge>
          {missedAt && <small>{texts.expectedBy(momentText(show, missedAt, Date.now()))}</small>}
        </td>
        <td class="act">
          {source.pull && may("manager")
            ? <PullButton source={source} />
            : <a href={`/imports?source=${id}`}>{words.imports.title}</a>}
        </td>
      </tr>
      {pausedAt !== null && (
        <tr class="pause">
          <td colSpan={COLUMNS}>
            <Pause source={source} pausedAt={pausedAt} deliveries={deliveries ?? []} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

const kindOf = (one: Delivery) => isHeld(one) ? "held" : one.status === "failed" ? "bad" : "good";

/** One bar for each file, the newest on the right. */
function Bars({ deliveries }: { deliveries: readonly Delivery[] }) {
  const { words: { importSources: texts }, show } = useApp();
  if (deliveries.length === 0) return <span class="soft">{texts.noDelivery}</span>;
  const kinds = deliveries.map(kindOf).toReversed();
  const good = kinds.filter((kind) => kind === "good").length;
  return (
    <>
      <span class="bars" aria-hidden="true">
        {kinds.map((kind, at) => <i key={at} class={kind} title={texts.bar[kind]} />)}
      </span>
      <small>{texts.goodOf(show.number(good), show.number(kinds.length))}</small>
    </>
  );
}

interface PauseProps {
  readonly source: ImportSource;
  readonly pausedAt: string;
  readonly deliveries: readonly Delivery[];
}

/** Shows who paused the source, when and why. A button resumes it and fetches waiting files. */
function Pause({ source: { id, name, pull, lastImport }, pausedAt, deliveries }: PauseProps) {
  const { words, show, may } = useApp();
  const texts = words.importSources;
  const { data } = useDocument(
    get("/api/audit-logs", where({ resource: `import_source:${id}`, order: "desc", limit: 20 })),
  );
  const row = data?.items.find(({ after }) => after?.pausedAt === pausedAt);
  const resume = async (call: Call) => {
    await call((api) =>
      api.PATCH("/api/import-sources/{id}", { ...byId(id), body: { pausedAt: null } })
    );
    if (pull) await call((api) => api.POST("/api/import-sources/{id}/pull", byId(id)));
  };
  const at = momentText(show, pausedAt, Date.now());
  const why = deliveries.some(({ undoneBy }) => undoneBy !== null)
    ? texts.becauseUndone
    : isHoldCode(lastImport?.errorCode ?? null)
    ? texts.becauseHeld
    : null;
  return (
    <div class="pause-box flow row gap-10">
      <Icon name="warning" />
      <span>
        <strong>{row ? texts.pausedBy(actorText(words, row), at) : texts.pausedAt(at)}</strong>{" "}
        {why}
        <small>{texts.meanwhile}</small>
      </span>
      <a class="button" href={`/imports?source=${id}`}>{texts.showFiles}</a>
      {may("manager") && (
        <ActionButton
          run={resume}
          touches={["importSources", "imports", "audit"]}
          told={texts.resumed(name)}
        >
          {pull ? texts.catchUp : texts.goOn}
        </ActionButton>
      )}
    </div>
  );
}

function LastPull({ pull }: { pull: NonNullable<ImportSource["lastPull"]> }) {
  const { words: { importSources: texts }, show } = useApp();
  const text = texts.lastPull(texts.outcomes[pull.outcome], momentText(show, pull.at, Date.now()));
  if (pull.outcome === "imported" && pull.jobId !== null) {
    return <a href={`/imports/${pull.jobId}`}>{text}</a>;
  }
  const isBad = pull.outcome === "failed" || pull.outcome === "waiting";
  return <span class={isBad ? "loss" : undefined} title={pull.message ?? undefined}>{text}</span>;
}

function PullButton({ source }: { source: ImportSource }) {
  const texts = useApp().words.importSources;
  return (
    <ActionButton
      ask={(api) => api.POST("/api/import-sources/{id}/pull", byId(source.id))}
      touches={["importSources", "imports"]}
      told={({ lastPull }) => texts.pulled[lastPull?.outcome ?? "running"]}
      isDisabled={source.pausedAt !== null}
    >
      {texts.pull}
    </ActionButton>
  );
}
