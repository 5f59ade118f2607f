/**
 * The preview of accepting many proposals: the service adds it up, again for each excluded part,
 * and once more on the click. If the result then differs from the shown one, the dialog says so and
 * stays.
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
import { column, numberColumn, SimpleTable } from "../../parts/table/table.tsx";
import { binLabel } from "../../parts/chart/chart_scale.ts";

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
  const { data, error, isFetching, dataUpdatedAt, refetch } = document;
  // The last preview stays visible while the next one is computed.
  const last = useRef<ProposalPreview | null>(null);
  if (data) last.current = data;
  const preview = data ?? last.current;
  const count = preview?.accepted.count ?? countOf(target);
  const accept = async () => {
    setMoved(false);
    const { data: fresh } = await refetch();
    if (!fresh) return;
    // An answer that says the same is the same object.
    if (fresh !== data) return setMoved(true);
    onAccept({ leaveOut, count: fresh.accepted.count });
  };
  const toggled = <T,>(all: readonly T[], one: T) =>
    all.includes(one) ? all.filter((other) => other !== one) : [...all, one];
  const time = dataUpdatedAt > 0 ? show.time(new Date(dataUpdatedAt)) : null;
  const rule = ruleOf(target);
  return (
    <Dialog
      kind="wide"
      title={texts.title(
        show.number(count),
        count,
        show.number(preview?.found.count ?? count),
        preview !== null && preview.found.count !== count,
      )}
      {...(time !== null && {
        note: rule === null ? texts.reckoned(time) : texts.reckonedOf(rule, time),
      })}
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
            isDisabled={data === undefined || count === 0}
            onClick={() => void accept()}
          >
            {texts.accept(show.number(count))}
          </Button>
        </>
      }
    >
      {error && <ErrorNote error={error} onAgain={() => void refetch()} />}
      {hasMoved && <p class="note warn" role="status">{texts.hasMoved}</p>}
      {preview !== null && (
        <div class="accept" aria-busy={data === undefined}>
          <Sum preview={preview} />
          <div class="accept-sides">
            <section>
              <h3>{texts.changes}</h3>
              <ChangeHistogram preview={preview} />
            </section>
            <section>
              <h3>
                {texts.largest(preview.largest.length)} <small>· {texts.untick}</small>
              </h3>
              <Largest
                rows={preview.largest}
                isTicked={({ id, isLeftOut }) => !ids.includes(id) && !isLeftOut}
                isByKind={({ kinds: its }) => its.some((one) => leaveOut.kinds.includes(one))}
                onToggle={(id) => setIds(toggled(ids, id))}
              />
            </section>
          </div>
          <fieldset class="leave-out">
            <legend>{texts.leaveOut}</legend>
            {preview.kinds.flatMap((row) =>
              row.kind === "below_cost" ? [] : [
                <KindBox
                  key={row.kind}
                  row={row}
                  isOut={kinds.includes(row.kind)}
                  onToggle={() => setKinds(toggled(kinds, row.kind))}
                />,
              ]
            )}
          </fieldset>
        </div>
      )}
    </Dialog>
  );
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
  isTicked(row: Large): boolean;
  /** Left out with all of a kind: its box brings it back, not the row. */
  isByKind(row: Large): boolean;
  onToggle(id: string): void;
}

function Largest({ rows, isTicked, isByKind, onToggle }: LargestProps) {
  const { words, show } = useApp();
  const texts = words.proposals.accept;
  const { columns } = words.proposals;
  return (
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
        {rows.map((row) => {
          const { id, sku, productTitle, currentCents, proposedCents, currency } = row;
          const name = productTitle ?? sku;
          const isThin = row.kinds.includes("thin");
          const margin = show.share(row.marginAfterPct);
          return (
            <tr key={id} class={isTicked(row) ? undefined : "left-out"}>
              <td>
                <input
                  type="checkbox"
                  aria-label={texts.acceptOne(name)}
                  checked={isTicked(row)}
                  disabled={isByKind(row)}
                  title={isByKind(row) ? texts.byKind : undefined}
                  onChange={() => onToggle(id)}
                />
              </td>
              <th scope="row">
                <span class="name">{name}</span>
                <small>
                  {show.money(currentCents, currency)} →{" "}
                  <b>{show.money(proposedCents, currency)}</b>
                </small>
              </th>
              <td class="number" data-label={columns.change}>
                <Delta fromCents={currentCents} toCents={proposedCents} />
              </td>
              <td class="number" data-label={columns.marginAfter}>
                {isThin ? <Badge tone="warn">{margin}</Badge> : margin}
              </td>
              <td class="number" data-label={columns.effect}>{effectText(words, show, row)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
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

const SLOT = 32;
const BAR = 28;
const TOP = 16;
const PLOT = 112;
const BASE = TOP + PLOT;

interface Bin {
  readonly label: string;
  readonly accepted: number;
  readonly leftOut: number;
}

/** How far the prices move, those that are left out hatched; and the same as a table. */
function ChangeHistogram({ preview }: { preview: ProposalPreview }) {
  const { words, show } = useApp();
  const texts = words.proposals.accept;
  const { found, accepted, edges } = preview;
  const bins = found.changes.map((all, at): Bin => {
    const kept = accepted.changes[at] ?? 0;
    return {
      label: binLabel(edges, at, show),
      accepted: kept,
      leftOut: all - kept,
    };
  });
  const highest = Math.max(1, ...found.changes);
  const heightOf = (count: number) => count / highest * PLOT;
  const zero = edges.indexOf(0) + 1;
  const side = ({ count, meanPct }: typeof found.down) =>
    [show.number(count), meanPct === null ? "" : show.percentChange(meanPct)] as const;
  const sides = [texts.sink(...side(found.down)), texts.rise(...side(found.up))];
  return (
    <figure class="change-bars">
      <svg
        viewBox={`0 0 ${bins.length * SLOT} ${BASE + 20}`}
        role="img"
        aria-label={`${texts.changes}: ${sides.join("; ")}`}
      >
        <defs>
          <pattern id="left-out" width="4" height="6" patternUnits="userSpaceOnUse">
            <path d="M-1,7L5,-1M-3,4L1,-2M3,8L7,2" />
          </pattern>
        </defs>
        {bins.map(({ label, accepted: kept, leftOut }, at) => {
          const place = { x: at * SLOT + (SLOT - BAR) / 2, width: BAR };
          const [solid, hatched] = [heightOf(kept), heightOf(leftOut)];
          return (
            <g key={label} class={at < zero ? "down" : "up"}>
              <rect {...place} y={BASE - solid} height={solid} />
              {leftOut > 0 && (
                <rect class="hatched" {...place} y={BASE - solid - hatched} height={hatched} />
              )}
              {kept + leftOut > 0 && (
                <text class="count" x={at * SLOT + SLOT / 2} y={BASE - solid - hatched - 4}>
                  {show.number(kept + leftOut)}
                </text>
              )}
            </g>
          );
        })}
        <path class="base" d={`M0,${BASE}H${bins.length * SLOT}`} />
        <path class="zero" d={`M${zero * SLOT},${TOP - 6}V${BASE + 5}`} />
        {edges.map((edge, at) =>
          edge % 4 === 0 && (
            <text key={edge} x={(at + 1) * SLOT} y={BASE + 17}>
              {edge === 0 ? show.percent(0) : `${edge < 0 ? "−" : "+"}${Math.abs(edge)}`}
            </text>
          )
        )}
      </svg>
      <figcaption>
        {sides.map((text) => <span key={text}>{text}</span>)}
        {found.count > accepted.count && (
          <span>
            <i class="hatched-swatch" /> {texts.leftOut}
          </span>
        )}
      </figcaption>
      <details class="chart-table">
        <summary>{words.chart.asTable}</summary>
        <SimpleTable
          label={texts.changes}
          columns={[
            column("change", words.proposals.columns.change, 100, ({ label }: Bin) => `${label} %`),
            numberColumn("accepted", texts.prices, 70, ({ accepted: kept }: Bin) =>
              show.number(kept)),
            numberColumn("left", texts.leftOut, 100, ({ leftOut }: Bin) =>
              show.number(leftOut)),
          ]}
          rows={bins}
          idOf={({ label }) =>
            label}
        />
      </details>
    </figure>
  );
}
