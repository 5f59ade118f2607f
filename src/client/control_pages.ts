/** The browser loads this module when a person first opens one of the module's screens. */
import type { FunctionComponent } from "preact";
import { AlertsScreen } from "./pages/alerts/alerts_screen.tsx";
import { AuditLogScreen } from "./pages/audit_log/audit_log_screen.tsx";
import { NewRuleScreen, RuleScreen } from "./pages/rules/rule_screen.tsx";
import { RulesScreen } from "./pages/rules/rules_screen.tsx";
import type { PathName } from "./paths.ts";

export const CONTROL_PAGES = {
  rules: RulesScreen,
  newRule: NewRuleScreen,
  rule: RuleScreen,
  alerts: AlertsScreen,
  auditLog: AuditLogScreen,
} satisfies Partial<Record<PathName, FunctionComponent>>;
