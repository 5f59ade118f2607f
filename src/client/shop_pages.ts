/** The browser loads this module when a person first opens one of the imported screens. */
import type { FunctionComponent } from "preact";
import { CompetitorScreen } from "./pages/competitors/competitor_screen.tsx";
import { CompetitorsScreen } from "./pages/competitors/competitors_screen.tsx";
import { QuarantineScreen } from "./pages/competitors/quarantine_screen.tsx";
import { MovesScreen } from "./pages/moves/moves_screen.tsx";
import { PriceEvidenceScreen } from "./pages/price_evidence/price_evidence_screen.tsx";
import { RunScreen } from "./pages/runs/run_screen.tsx";
import { RunsScreen } from "./pages/runs/runs_screen.tsx";
import { CheckScreen } from "./pages/links/check_screen.tsx";
import { CoverageScreen } from "./pages/links/coverage_screen.tsx";
import { LinksScreen } from "./pages/links/links_screen.tsx";
import type { PathName } from "./paths.ts";

export const SHOP_PAGES = {
  links: LinksScreen,
  coverage: CoverageScreen,
  linkCheck: CheckScreen,
  competitors: CompetitorsScreen,
  quarantine: QuarantineScreen,
  competitor: CompetitorScreen,
  runs: RunsScreen,
  run: RunScreen,
  moves: MovesScreen,
  priceEvidence: PriceEvidenceScreen,
} satisfies Partial<Record<PathName, FunctionComponent>>;
