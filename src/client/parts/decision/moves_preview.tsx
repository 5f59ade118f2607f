import type { Show } from "../../../engine/wording/show.ts";
import type {
  LeavableKind,
  LeaveOut,
  ProposalPreview,
} from "../../../rules/proposals/preview_many.ts";
import { useApp } from "../../app/app.ts";
import { Delta, effectText } from "../price_figures.tsx";
import { Badge } from "../controls.tsx";
import { Figure, Figures } from "../page.tsx";
import { binLabel } from "../chart/chart_scale.ts";
import { column, SimpleTable } from "../table/table.tsx";

type Kind = ProposalPreview["kinds"][number];
type Large = ProposalPreview["largest"][number];

interface Choice {
  readonly leaveOut: LeaveOut;
  toggleId(id: string): void;
  toggleKind(kind: LeavableKind): void;
}

interface MovesPreviewProps {
  readonly preview: ProposalPreview;
  readonly isFresh: boolean;
  readonly choice: Choice | null;
}

export function MovesPreview({ preview, isFresh, choice }: MovesPreviewProps) {
  const texts = useApp().words.proposals.accept;
  const { settles } = preview.accepted;
  return (
    <div class="accept stack" aria-busy={!isFresh}>
      <Sum preview={preview} hasChoice={choice !== null} />
      <div class="accept-sides">
        <section>
          <h3>{texts.changes}</h3>
          <ChangeHistogram preview={preview} />
        </section>
        <Largest rows={preview.largest} choice={choice} />
      </div>
      {choice && <KindBoxes rows={preview.kinds} choice={choice} />}
      {settles > 0 && <p class="soft">{texts.settles(settles)}</p>}
    </div>
  );
}

function sumText(show: Show, sums: Kind["effects30d"]): string {
  return sums.map(({ cents, currency }) => show.moneyChange(cents, currency)).join(" · ") || "–";
}

interface SumProps {
  readonly preview: ProposalPreview;
  readonly hasChoice: boolean;
}

function Sum({ preview: { found, accepted, kinds }, hasChoice }: SumProps) {
  const { words: { proposals: { accept: texts } }, show } = useApp();
  const leftOut = found.count - accepted.count;
  const thinPct = kinds.find(({ kind }) => kind === "thin")?.pct;
  return (
    <Figures>
      <Figure
        label={texts.prices}
        value={
          <>
            {show.number(accepted.count)}
            {leftOut > 0 && <span class="soft">{texts.of(found.count)}</span>}
          </>
        }
        note={leftOut > 0 ? texts.leftOutCount(leftOut) : hasChoice && texts.noneLeftOut}
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
            {accepted.thin !== found.thin && <span class="soft">{texts.of(found.thin)}</span>}
          </>
        }
        note={found.belowCost === 0
          ? texts.noneBelowCost
          : texts.belowCost(found.belowCost) + (hasChoice ? texts.stayOpen(found.belowCost) : "")}
      />
      <Figure
        label={texts.effect}
        value={sumText(show, accepted.effects30d)}
        note={
          <>
            {leftOut > 0 && found.effects30d.length > 0 && (
              <>
                {texts.effectOfAll(found.count, sumText(show, found.effects30d))}
                <br />
              </>
            )}
            {accepted.withoutSales > 0 && texts.withoutSales(accepted.withoutSales)}
          </>
        }
      />
    </Figures>
  );
}

function Largest({ rows, choice }: Pick<MovesPreviewProps, "choice"> & { rows: readonly Large[] }) {
  const { words, show } = useApp();
  const texts = words.proposals.accept;
  return (
    <section>
      <h3>{texts.largest(rows.length)} {choice && <small>· {texts.untick}</small>}</h3>
      <SimpleTable
        label={texts.largest(rows.length)}
        rows={rows}
        columns={[
          column("product", words.fields.productId, 150).cell<Large>((row) => (
            <LargeName row={row} choice={choice} />
          )),
          column("change", words.fields.change, 80).number<Large>((row) => (
            <Delta fromCents={row.currentCents} toCents={row.proposedCents} />
          )),
          column("margin", words.fields.marginAfter, 70).number<Large>((
            { marginAfterPct, kinds },
          ) =>
            kinds.includes("thin")
              ? <Badge tone="warn">{show.share(marginAfterPct)}</Badge>
              : show.share(marginAfterPct)
          ),
          column("effect", words.fields.effect, 90).number<Large>((row) =>
            effectText(words, show, row)
          ),
        ]}
      />
    </section>
  );
}

function LargeName({ row, choice }: Pick<MovesPreviewProps, "choice"> & { row: Large }) {
  const { words: { proposals: { accept: texts } }, show } = useApp();
  const { sku, productTitle, currentCents, proposedCents, currency } = row;
  const name = productTitle ?? sku;
  const isTicked = !choice?.leaveOut.ids.includes(row.id) && !row.isLeftOut;
  const isByKind = row.kinds.some((kind) => choice?.leaveOut.kinds.includes(kind));
  return (
    <span class={isTicked ? "row gap-8" : "row gap-8 left-out"}>
      {choice && (
        <input
          type="checkbox"
          aria-label={texts.acceptOne(name)}
          checked={isTicked}
          disabled={isByKind}
          title={isByKind ? texts.byKind : undefined}
          onChange={() => choice.toggleId(row.id)}
        />
      )}
      <span>
        <span class="name">{name}</span>
        <small class="below nowrap">
          {show.money(currentCents, currency)} → <b>{show.money(proposedCents, currency)}</b>
        </small>
      </span>
    </span>
  );
}

function KindBoxes({ rows, choice }: { readonly rows: readonly Kind[]; readonly choice: Choice }) {
  const { words } = useApp();
  return (
    <fieldset class="leave-out">
      <legend>{words.proposals.accept.leaveOut}</legend>
      {rows.filter(({ kind }) => kind !== "below_cost").map((row) => (
        <KindBox
          key={row.kind}
          row={row}
          isOut={choice.leaveOut.kinds.includes(row.kind)}
          onToggle={() => choice.toggleKind(row.kind)}
        />
      ))}
    </fieldset>
  );
}

function KindBox({ row, isOut, onToggle }: { row: Kind; isOut: boolean; onToggle(): void }) {
  const { words: { proposals: { accept: texts } }, show } = useApp();
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
          ? texts.already(count, row.already)
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

function ChangeHistogram({ preview }: { readonly preview: ProposalPreview }) {
  const { words: { proposals: { accept: texts }, chart, fields }, show } = useApp();
  const { found, accepted, edges } = preview;
  const bins = found.changes.map((all, at): Bin => {
    const kept = accepted.changes[at] ?? 0;
    return { label: binLabel(edges, at, show), accepted: kept, leftOut: all - kept };
  });
  const side = ({ count, meanPct }: typeof found.down) =>
    [show.number(count), meanPct === null ? "" : show.percentChange(meanPct)] as const;
  const sides = [texts.sink(...side(found.down)), texts.rise(...side(found.up))];
  return (
    <figure class="change-bars stack gap-6">
      <svg
        viewBox={`0 0 ${bins.length * SLOT} ${BASE + 20}`}
        role="img"
        aria-label={`${texts.changes}: ${sides.join("; ")}`}
      >
        <Bars bins={bins} edges={edges} />
      </svg>
      <figcaption class="flow spread gap-14 rows-2 soft">
        {sides.map((text) => <span key={text}>{text}</span>)}
        {found.count > accepted.count && (
          <span>
            <i class="swatch hatched" /> {texts.leftOut}
          </span>
        )}
      </figcaption>
      <details class="chart-table">
        <summary>{chart.asTable}</summary>
        <SimpleTable
          label={texts.changes}
          columns={[
            column("change", fields.change, 100).cell<Bin>(({ label }) => label + show.percentSign),
            column("accepted", texts.prices, 70).number<Bin>((bin) => bin.accepted),
            column("left", texts.leftOut, 100).number<Bin>((bin) => bin.leftOut),
          ]}
          rows={bins}
        />
      </details>
    </figure>
  );
}

function Bars({ bins, edges }: { bins: readonly Bin[]; edges: readonly number[] }) {
  const { show } = useApp();
  const highest = Math.max(1, ...bins.map(({ accepted, leftOut }) => accepted + leftOut));
  const heightOf = (count: number) => count / highest * PLOT;
  const zero = edges.indexOf(0) + 1;
  return (
    <>
      <defs>
        <pattern id="left-out" width="4" height="6" patternUnits="userSpaceOnUse">
          <path d="M-1,7L5,-1M-3,4L1,-2M3,8L7,2" />
        </pattern>
      </defs>
      {bins.map(({ label, accepted, leftOut }, at) => {
        const place = { x: at * SLOT + (SLOT - BAR) / 2, width: BAR };
        const [solid, hatched] = [heightOf(accepted), heightOf(leftOut)];
        return (
          <g key={label} class={at < zero ? "down" : "up"}>
            <rect {...place} y={BASE - solid} height={solid} />
            {leftOut > 0 && (
              <rect class="hatched" {...place} y={BASE - solid - hatched} height={hatched} />
            )}
            {accepted + leftOut > 0 && (
              <text class="count" x={at * SLOT + SLOT / 2} y={BASE - solid - hatched - 4}>
                {show.number(accepted + leftOut)}
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
    </>
  );
}
