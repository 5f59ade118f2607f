/**
 * The preview before many proposals are accepted. The service computes it, again whenever a part is
 * excluded, and once more on the click. If the result has changed by then, the dialog stays open and says
 * so.
 */
import type { Show } from "../../../engine/wording/show.ts";
import type {
  LeavableKind,
  LeaveOut,
  ProposalPreview,
} from "../../../rules/proposals/preview_many.ts";
import { useApp } from "../../app/app.ts";
import { useDocument } from "../../app/queries.ts";
import { Badge, Button } from "../../parts/controls.tsx";
import { countOf, isMatching, type Target } from "../../parts/decision/decide_in_bulk.ts";
import { Delta } from "../../parts/percentages.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { effectText } from "../../parts/effect_text.ts";
import { ErrorNote, Figure, Figures } from "../../parts/page.tsx";
import { useRef, useState } from "preact/hooks";
import { ChangeHistogram } from "./change_histogram.tsx";

type Kind = ProposalPreview["kinds"][number];
type Sums = Kind["effects30d"];
type Large = ProposalPreview["largest"][number];

interface AcceptDialogProps {
  readonly target: Target;
  onClose(): void;
  onAccept(some: { readonly leaveOut: LeaveOut; readonly count: number }): void;
}

export function AcceptDialog({ target, onClose, onAccept }: AcceptDialogProps) {
  const { words, show } = useApp();
  const texts = words.proposals.accept;
  const shown = usePreview(target);
  const { preview, isFresh, leaveOut } = shown;
  const { error, isFetching, dataUpdatedAt, refetch } = shown.document;
  const count = preview?.accepted.count ?? countOf(target);
  const accept = async () => {
    const fresh = await shown.again();
    if (fresh) onAccept({ leaveOut, count: fresh.accepted.count });
  };
  const time = show.time(new Date(dataUpdatedAt));
  const rule = ruleOf(target);
  const note = rule === null ? texts.reckoned(time) : texts.reckonedOf(rule, time);
  return (
    <Dialog
      kind="wide"
      title={texts.title(
        show.number(count),
        count,
        show.number(preview?.found.count ?? count),
        preview !== null && preview.found.count !== count,
      )}
      {...(dataUpdatedAt > 0 && { note })}
      onClose={onClose}
      actions={
        <>
          <span class="soft bar-space">{texts.afterwards}</span>
          <Button onClick={onClose}>
            {words.cancel} <kbd>Esc</kbd>
          </Button>
          <Button
            kind="main"
            isBusy={isFetching}
            isDisabled={!isFresh || count === 0}
            onClick={() => void accept()}
          >
            {texts.accept(show.number(count))}
          </Button>
        </>
      }
    >
      {error && <ErrorNote error={error} onAgain={() => void refetch()} />}
      {shown.hasMoved && <p class="note warn" role="status">{texts.hasMoved}</p>}
      {preview !== null && (
        <div class="accept" aria-busy={!isFresh}>
          <Sum preview={preview} />
          <div class="accept-sides">
            <section>
              <h3>{texts.changes}</h3>
              <ChangeHistogram preview={preview} />
            </section>
            <Largest rows={preview.largest} leaveOut={leaveOut} onToggle={shown.toggleId} />
          </div>
          <KindBoxes rows={preview.kinds} leaveOut={leaveOut} onToggle={shown.toggleKind} />
        </div>
      )}
    </Dialog>
  );
}

/** The preview of what is left in, and what is left out. */
function usePreview(target: Target) {
  const [kinds, setKinds] = useState<readonly LeavableKind[]>(["thin"]);
  const [ids, setIds] = useState<readonly string[]>([]);
  const [hasMoved, setMoved] = useState(false);
  const leaveOut = { kinds: ["below_cost" as const, ...kinds], ids: [...ids] };
  const named = isMatching(target)
    ? { filter: target.filter }
    : { ids: target.map(({ id }) => id) };
  const asked = { ...named, leaveOut };
  const document = useDocument({
    key: ["proposals", "preview", asked],
    read: (api) => api.POST("/api/proposals/bulk/preview", { body: asked }),
  });
  const { data, refetch } = document;
  // The last preview stays visible while the next one is computed.
  const last = useRef<ProposalPreview | null>(null);
  if (data) last.current = data;
  const toggled = <T,>(all: readonly T[], one: T) =>
    all.includes(one) ? all.filter((other) => other !== one) : [...all, one];
  return {
    document,
    leaveOut,
    hasMoved,
    preview: last.current,
    /** False while the next one is computed. */
    isFresh: data !== undefined,
    toggleId: (id: string) => setIds(toggled(ids, id)),
    toggleKind: (kind: LeavableKind) => setKinds(toggled(kinds, kind)),
    /** Adds it up once more; null unless it is as shown. */
    again: async (): Promise<ProposalPreview | null> => {
      setMoved(false);
      const { data: fresh } = await refetch();
      // An answer that says the same is the same object.
      const isSame = fresh === data;
      if (fresh && !isSame) setMoved(true);
      return fresh && isSame ? fresh : null;
    },
  };
}

/** Null where they are of several rules. */
function ruleOf(target: Target): string | null {
  const [first, ...others] = isMatching(target) ? target.loaded : target;
  const isOne = isMatching(target)
    ? target.filter.ruleId !== undefined
    : others.every(({ ruleId }) => ruleId === first?.ruleId);
  return isOne ? first?.ruleName ?? null : null;
}

function sumText(show: Show, sums: Sums): string {
  return sums.map(({ cents, currency }) => show.moneyChange(cents, currency)).join(" · ") || "–";
}

/** The four figures: how many, where to, how thin, how much. */
function Sum({ preview: { found, accepted, kinds } }: { preview: ProposalPreview }) {
  const { words, show } = useApp();
  const texts = words.proposals.accept;
  const leftOut = found.count - accepted.count;
  const thinPct = kinds.find(({ kind }) => kind === "thin")?.pct;
  return (
    <Figures>
      <Figure
        label={texts.prices}
        value={
          <>
            {show.number(accepted.count)}
            {leftOut > 0 && <span class="soft">{texts.of(show.number(found.count))}</span>}
          </>
        }
        note={leftOut > 0 ? texts.leftOutCount(show.number(leftOut)) : texts.noneLeftOut}
      />
      <Figure
        label={texts.moves}
        value={`↓ ${show.number(accepted.down.count)} · ↑ ${show.number(accepted.up.count)}`}
        note={accepted.meanPct !== null && texts.mean(show.percentChange(accepted.meanPct))}
      />
      <Figure
        label={texts.thin(show.percent(thinPct))}
        value={
          <>
            {show.number(accepted.thin)}
            {accepted.thin !== found.thin && (
              <span class="soft">{texts.of(show.number(found.thin))}</span>
            )}
          </>
        }
        note={texts.belowCost(show.number(found.belowCost), found.belowCost)}
      />
      <Figure
        label={texts.effect}
        value={sumText(show, accepted.effects30d)}
        note={
          <>
            {leftOut > 0 && found.effects30d.length > 0 && (
              <>
                {texts.effectOfAll(show.number(found.count), sumText(show, found.effects30d))}
                <br />
              </>
            )}
            {accepted.withoutSales > 0 &&
              texts.withoutSales(show.number(accepted.withoutSales))}
          </>
        }
      />
    </Figures>
  );
}

interface LargestProps {
  readonly rows: readonly Large[];
  readonly leaveOut: LeaveOut;
  onToggle(id: string): void;
}

function Largest({ rows, leaveOut, onToggle }: LargestProps) {
  const { words } = useApp();
  const texts = words.proposals.accept;
  const { columns } = words.proposals;
  return (
    <section>
      <h3>
        {texts.largest(rows.length)} <small>· {texts.untick}</small>
      </h3>
      <table class="accept-rows">
        <thead>
          <tr>
            <th />
            <th scope="col">{columns.product}</th>
            <th scope="col" class="number">{columns.change}</th>
            <th scope="col" class="number">{columns.marginAfter}</th>
            <th scope="col" class="number">{columns.effect}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <LargeRow
              key={row.id}
              row={row}
              isTicked={!leaveOut.ids?.includes(row.id) && !row.isLeftOut}
              isByKind={row.kinds.some((kind) => leaveOut.kinds?.includes(kind))}
              onToggle={() => onToggle(row.id)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface LargeRowProps {
  readonly row: Large;
  readonly isTicked: boolean;
  /** Left out with all of a kind: its box brings it back, not the row. */
  readonly isByKind: boolean;
  onToggle(): void;
}

function LargeRow({ row, isTicked, isByKind, onToggle }: LargeRowProps) {
  const { words, show } = useApp();
  const { accept: texts, columns } = words.proposals;
  const { sku, productTitle, currentCents, proposedCents, currency } = row;
  const name = productTitle ?? sku;
  const margin = show.share(row.marginAfterPct);
  return (
    <tr class={isTicked ? undefined : "left-out"}>
      <td>
        <input
          type="checkbox"
          aria-label={texts.acceptOne(name)}
          checked={isTicked}
          disabled={isByKind}
          title={isByKind ? texts.byKind : undefined}
          onChange={onToggle}
        />
      </td>
      <th scope="row">
        <span class="name">{name}</span>
        <small>
          {show.money(currentCents, currency)} → <b>{show.money(proposedCents, currency)}</b>
        </small>
      </th>
      <td class="number" data-label={columns.change}>
        <Delta fromCents={currentCents} toCents={proposedCents} />
      </td>
      <td class="number" data-label={columns.marginAfter}>
        {row.kinds.includes("thin") ? <Badge tone="warn">{margin}</Badge> : margin}
      </td>
      <td class="number" data-label={columns.effect}>{effectText(words, show, row)}</td>
    </tr>
  );
}

interface KindBoxesProps {
  readonly rows: readonly Kind[];
  readonly leaveOut: LeaveOut;
  onToggle(kind: LeavableKind): void;
}

function KindBoxes({ rows, leaveOut, onToggle }: KindBoxesProps) {
  const { words } = useApp();
  return (
    <fieldset class="leave-out">
      <legend>{words.proposals.accept.leaveOut}</legend>
      {rows.filter(({ kind }) => kind !== "below_cost").map((row) => (
        <KindBox
          key={row.kind}
          row={row}
          isOut={leaveOut.kinds?.includes(row.kind) ?? false}
          onToggle={() => onToggle(row.kind)}
        />
      ))}
    </fieldset>
  );
}

/** How many there are, and what leaving them out saves or how many of them are left out anyway. */
function KindBox(
  { row, isOut, onToggle }: { readonly row: Kind; readonly isOut: boolean; onToggle(): void },
) {
  const { words, show } = useApp();
  const texts = words.proposals.accept;
  const count = show.number(row.count);
  const [only, ...others] = row.effects30d;
  const saves = only && others.length === 0 && only.cents < 0
    ? show.money(-only.cents, only.currency)
    : null;
  return (
    <label>
      <input type="checkbox" checked={isOut} onChange={onToggle} />
      <span>{texts.kinds[row.kind](show.percent(row.pct))}</span>
      <span class="soft">
        {isOut && saves !== null
          ? texts.saves(count, saves)
          : !isOut && row.already > 0
          ? texts.already(count, show.number(row.already))
          : count}
      </span>
    </label>
  );
}
