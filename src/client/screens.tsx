/**
 * Which screen stands at which address, and how one comes there. A new address of `paths.ts` is
 * missing here until it has a row.
 */
import type { FunctionComponent } from "preact";
import { AlertsScreen } from "./pages/alerts/alerts_screen.tsx";
import { AuditLogScreen } from "./pages/audit_log/audit_log_screen.tsx";
import { CompetitorScreen } from "./pages/competitors/competitor_screen.tsx";
import { CompetitorsScreen } from "./pages/competitors/competitors_screen.tsx";
import { RepairsScreen } from "./pages/competitors/repairs_screen.tsx";
import { ImportScreen } from "./pages/imports/import_screen.tsx";
import { ImportSourcesScreen } from "./pages/import_sources/import_sources_screen.tsx";
import { ImportsScreen } from "./pages/imports/imports_screen.tsx";
import { MovesScreen } from "./pages/moves/moves_screen.tsx";
import { NewImportScreen } from "./pages/imports/new_import_screen.tsx";
import { InvitationScreen } from "./pages/invitation/invitation_screen.tsx";
import { CheckScreen } from "./pages/links/check_screen.tsx";
import { CoverageScreen } from "./pages/links/coverage_screen.tsx";
import { LinksScreen } from "./pages/links/links_screen.tsx";
import { LoginScreen } from "./pages/login/login_screen.tsx";
import { OverviewScreen } from "./pages/overview/overview_screen.tsx";
import { PriceArrivalsScreen } from "./pages/price_arrivals/price_arrivals_screen.tsx";
import { ProductScreen } from "./pages/products/product_screen.tsx";
import { ProductsScreen } from "./pages/products/products_screen.tsx";
import { NewProfileScreen } from "./pages/profiles/new_profile_screen.tsx";
import { ProfileScreen } from "./pages/profiles/profile_screen.tsx";
import { ProposalsScreen } from "./pages/proposals/proposals_screen.tsx";
import { NewRuleScreen } from "./pages/rules/new_rule_screen.tsx";
import { RuleScreen } from "./pages/rules/rule_screen.tsx";
import { RulesScreen } from "./pages/rules/rules_screen.tsx";
import { RunScreen } from "./pages/runs/run_screen.tsx";
import { RunsScreen } from "./pages/runs/runs_screen.tsx";
import { SetUpScreen } from "./pages/set_up/set_up_screen.tsx";
import { SettingsScreen } from "./pages/settings/settings_screen.tsx";
import type { IconName } from "./parts/icon.tsx";
import type { PathName } from "./paths.ts";
import type { Words } from "./words/words.ts";

interface NavPlace {
  readonly icon: IconName;
  /** Pressed after `g`. */
  readonly key: string;
  label(words: Words): string;
  /** Below which head of the navigation it stands. */
  readonly group: NavGroup;
}

/** What one works on stands first, without a head. */
export type NavGroup = "work" | "data" | "control";

interface Screen {
  readonly page: FunctionComponent;
  /** In the navigation, the palette and the keys; null where other screens lead there. */
  readonly nav: NavPlace | null;
  /** For people who have no session: it stands alone, without the navigation. */
  readonly isOpen?: boolean;
}

export const SCREENS: Readonly<Record<PathName, Screen>> = {
  home: {
    page: OverviewScreen,
    nav: { icon: "sun", key: "o", label: ({ overview }) => overview.title, group: "work" },
  },
  products: {
    page: ProductsScreen,
    nav: { icon: "overview", key: "p", label: ({ products }) => products.title, group: "work" },
  },
  product: { page: ProductScreen, nav: null },
  moves: { page: MovesScreen, nav: null },
  proposals: {
    page: ProposalsScreen,
    nav: { icon: "proposals", key: "i", label: ({ proposals }) => proposals.title, group: "work" },
  },
  links: {
    page: LinksScreen,
    nav: { icon: "link", key: "v", label: ({ links }) => links.title, group: "data" },
  },
  coverage: { page: CoverageScreen, nav: null },
  linkCheck: { page: CheckScreen, nav: null },
  competitors: {
    page: CompetitorsScreen,
    nav: {
      icon: "competitors",
      key: "c",
      label: ({ frame }) => frame.shopsPlace,
      group: "data",
    },
  },
  repairs: { page: RepairsScreen, nav: null },
  competitor: { page: CompetitorScreen, nav: null },
  runs: {
    page: RunsScreen,
    nav: { icon: "runs", key: "f", label: ({ runs }) => runs.nav, group: "data" },
  },
  run: { page: RunScreen, nav: null },
  imports: {
    page: ImportsScreen,
    nav: { icon: "imports", key: "m", label: ({ imports }) => imports.title, group: "data" },
  },
  newImport: { page: NewImportScreen, nav: null },
  importSources: { page: ImportSourcesScreen, nav: null },
  priceArrivals: { page: PriceArrivalsScreen, nav: null },
  import: { page: ImportScreen, nav: null },
  rules: {
    page: RulesScreen,
    nav: { icon: "rules", key: "r", label: ({ rules }) => rules.title, group: "control" },
  },
  newRule: { page: NewRuleScreen, nav: null },
  rule: { page: RuleScreen, nav: null },
  alerts: {
    page: AlertsScreen,
    nav: { icon: "alerts", key: "a", label: ({ alerts }) => alerts.title, group: "control" },
  },
  auditLog: {
    page: AuditLogScreen,
    nav: { icon: "auditLog", key: "l", label: ({ auditLog }) => auditLog.title, group: "control" },
  },
  settings: {
    page: SettingsScreen,
    nav: { icon: "settings", key: "s", label: ({ settings }) => settings.title, group: "control" },
  },
  newProfile: { page: NewProfileScreen, nav: null },
  profile: { page: ProfileScreen, nav: null },
  settingsPart: { page: SettingsScreen, nav: null },
  login: { page: LoginScreen, nav: null },
  setUp: { page: SetUpScreen, nav: null, isOpen: true },
  invitation: { page: InvitationScreen, nav: null, isOpen: true },
};
