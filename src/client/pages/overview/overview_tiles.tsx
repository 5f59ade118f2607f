import type { ComponentChildren } from "preact";
import type { Overview } from "../../../overview/read_overview.ts";
import { useApp } from "../../app/app.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";

/** The figures of the morning; each leads to what it counts. */
export function OverviewTiles({ overview }: { overview: Overview }) {
  const { words, show } = useApp();
  const texts = words.overview;
  const { proposals, alerts, priceMoves, failingDomains } = overview;
  const counted = (count: number, isCut: boolean) =>
    isCut ? texts.atLeast(show.number(count)) : show.number(count);
  const moved = priceMoves.up + priceMoves.down;
  return (
    <div class="tiles">
      <Tile
        icon="proposals"
        href="/proposals?status=open"
        label={texts.proposals}
        value={counted(proposals.open, proposals.isCut)}
        note={proposals.open > 0 ? texts.toDecide : texts.nothingToDecide}
        tone={proposals.open > 0 ? "busy" : "plain"}
      />
      <Tile
        icon="alerts"
        href="/alerts?unread=true"
        label={texts.alerts}
        value={show.number(alerts.unread)}
        note={alerts.latest[0] ? show.ago(alerts.latest[0].createdAt) : null}
        tone={alerts.unread > 0 ? "warn" : "plain"}
      />
      <Tile
        icon="products"
        href="#moves"
        label={texts.moves}
        value={counted(moved, priceMoves.isCut)}
        note={texts.upDown(show.number(priceMoves.up), show.number(priceMoves.down))}
        tone="plain"
      />
      <Tile
        icon="competitors"
        href={failingDomains.length > 0 ? "#failing" : "/competitors"}
        label={texts.shops}
        value={show.number(failingDomains.length)}
        note={failingDomains.length > 0 ? texts.shopsFailing : texts.shopsFine}
        tone={failingDomains.length > 0 ? "bad" : "plain"}
      />
    </div>
  );
}

interface TileProps {
  readonly icon: IconName;
  readonly href: string;
  readonly label: string;
  readonly value: ComponentChildren;
  readonly note: ComponentChildren;
  readonly tone: "plain" | "busy" | "warn" | "bad";
}

function Tile({ icon, href, label, value, note, tone }: TileProps) {
  return (
    <a class={`tile ${tone}`} href={href}>
      <Icon name={icon} />
      <span class="tile-label">{label}</span>
      <strong>{value}</strong>
      <small>{note}</small>
    </a>
  );
}
