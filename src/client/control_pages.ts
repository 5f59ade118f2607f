/** The screens of rules, alerts, the log, second factors and the settings, and those behind a mailed link. Loaded when the first of them is opened. */
import type { FunctionComponent } from "preact";
import { AlertsScreen } from "./pages/alerts/alerts_screen.tsx";
import { AuditLogScreen } from "./pages/audit_log/audit_log_screen.tsx";
import { FactorScreen } from "./pages/factors/factor_screen.tsx";
import { InvitationScreen } from "./pages/invitation/invitation_screen.tsx";
import { NewRuleScreen, RuleScreen } from "./pages/rules/rule_screen.tsx";
import { RulesScreen } from "./pages/rules/rules_screen.tsx";
import { SetUpScreen } from "./pages/set_up/set_up_screen.tsx";
import { SettingsScreen } from "./pages/settings/settings_screen.tsx";
import type { PathName } from "./paths.ts";

export const CONTROL_PAGES = {
  rules: RulesScreen,
  newRule: NewRuleScreen,
  rule: RuleScreen,
  alerts: AlertsScreen,
  auditLog: AuditLogScreen,
  settings: SettingsScreen,
  settingsPart: SettingsScreen,
  setUp: SetUpScreen,
  invitation: InvitationScreen,
  factors: FactorScreen,
} satisfies Partial<Record<PathName | "factors", FunctionComponent>>;
