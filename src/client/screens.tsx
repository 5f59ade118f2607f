/** Which screen stands at which address. A new address of `paths.ts` is missing here until it has one. */
import type { FunctionComponent } from "preact";
import { AlertsScreen } from "./pages/alerts/alerts_screen.tsx";
import { AuditLogScreen } from "./pages/audit_log/audit_log_screen.tsx";
import { CompetitorsScreen } from "./pages/competitors/competitors_screen.tsx";
import { ImportScreen } from "./pages/imports/import_screen.tsx";
import { ImportsScreen } from "./pages/imports/imports_screen.tsx";
import { NewImportScreen } from "./pages/imports/new_import_screen.tsx";
import { InvitationScreen } from "./pages/invitation/invitation_screen.tsx";
import { LoginScreen } from "./pages/login/login_screen.tsx";
import { OverviewScreen } from "./pages/overview/overview_screen.tsx";
import { ProductScreen } from "./pages/product/product_screen.tsx";
import { ProductsScreen } from "./pages/products/products_screen.tsx";
import { RunScreen } from "./pages/runs/run_screen.tsx";
import { RunsScreen } from "./pages/runs/runs_screen.tsx";
import { NewProfileScreen } from "./pages/profiles/new_profile_screen.tsx";
import { ProfileScreen } from "./pages/profiles/profile_screen.tsx";
import { ProposalsScreen } from "./pages/proposals/proposals_screen.tsx";
import { NewRuleScreen } from "./pages/rules/new_rule_screen.tsx";
import { RuleScreen } from "./pages/rules/rule_screen.tsx";
import { RulesScreen } from "./pages/rules/rules_screen.tsx";
import { SetUpScreen } from "./pages/set_up/set_up_screen.tsx";
import { SettingsScreen } from "./pages/settings/settings_screen.tsx";
import type { PathName } from "./paths.ts";

export const SCREENS: Readonly<Record<PathName, FunctionComponent>> = {
  home: OverviewScreen,
  login: LoginScreen,
  setUp: SetUpScreen,
  invitation: InvitationScreen,
  products: ProductsScreen,
  product: ProductScreen,
  competitors: CompetitorsScreen,
  imports: ImportsScreen,
  newImport: NewImportScreen,
  import: ImportScreen,
  alerts: AlertsScreen,
  runs: RunsScreen,
  run: RunScreen,
  rules: RulesScreen,
  newRule: NewRuleScreen,
  rule: RuleScreen,
  proposals: ProposalsScreen,
  auditLog: AuditLogScreen,
  settings: SettingsScreen,
  newProfile: NewProfileScreen,
  profile: ProfileScreen,
  settingsPart: SettingsScreen,
};

/** Screens for people who have no session; they stand alone, without the navigation. */
export const OPEN_SCREENS: ReadonlySet<PathName> = new Set(["setUp", "invitation"]);
