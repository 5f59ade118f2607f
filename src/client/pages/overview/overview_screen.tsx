import type { Overview } from "../../../overview/read_overview.ts";
import { useDocument } from "../../app/use_document.ts";
import { useApp } from "../../app/app.ts";
import { EmptyState } from "../../parts/empty_state.tsx";
import { ErrorNote } from "../../parts/error_note.tsx";
import { Icon } from "../../parts/icon.tsx";
import { PageHead } from "../../parts/page_head.tsx";
import { Loading } from "../../parts/progress.tsx";
import { AlertSection, FailingSection, ImportSection, MoveSection } from "./news_sections.tsx";
import { DecideSection } from "./decide_section.tsx";
import { OverviewTiles } from "./overview_tiles.tsx";

const WATCH_MS = 30_000;

/** What changed, what waits for a decision and what does not work; each line leads to its list. */
export function OverviewScreen() {
  const { words } = useApp();
  const found = useDocument<Overview>({
    key: ["overview"],
    path: "/api/overview",
    everyMs: () => WATCH_MS,
  });
  const overview = found.data;
  return (
    <div class="page">
      <PageHead title={words.overview.title} />
      {overview
        ? isEmpty(overview) ? <Welcome /> : <Filled overview={overview} />
        : found.error
        ? <ErrorNote error={found.error} onAgain={() => void found.refetch()} />
        : <Loading label={words.loading} />}
    </div>
  );
}

function Filled({ overview }: { overview: Overview }) {
  return (
    <>
      <OverviewTiles overview={overview} />
      {overview.failingDomains.length > 0 && <FailingSection overview={overview} />}
      <DecideSection overview={overview} />
      <AlertSection overview={overview} />
      <ImportSection overview={overview} />
      <MoveSection overview={overview} />
    </>
  );
}

function isEmpty({ imports, priceMoves, proposals, failingDomains, alerts }: Overview): boolean {
  const lists = [imports, priceMoves.latest, proposals.oldest, failingDomains, alerts.latest];
  return lists.every(({ length }) => length === 0);
}

/** The three ways on, for a workspace that has nothing yet. */
function Welcome() {
  const { words, may } = useApp();
  const texts = words.overview;
  const { cards } = words.products;
  return (
    <EmptyState icon="overview" title={texts.emptyTitle} text={texts.emptyText}>
      <div class="cards">
        {may("manager") && (
          <a class="card" href="/imports/new">
            <Icon name="imports" />
            <strong>{cards.import}</strong>
            <span>{cards.importText}</span>
          </a>
        )}
        <a class="card" href="/products">
          <Icon name="products" />
          <strong>{words.products.title}</strong>
          <span>{texts.start}</span>
        </a>
        {may("owner") && (
          <a class="card" href="/settings/keys">
            <Icon name="docs" />
            <strong>{cards.key}</strong>
            <span>{cards.keyText}</span>
          </a>
        )}
      </div>
    </EmptyState>
  );
}
