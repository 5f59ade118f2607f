/** The browser loads this module when a person first opens one of the module's screens. */
import type { FunctionComponent } from "preact";
import { FactorScreen, InvitationScreen, SetUpScreen } from "./pages/set_up/set_up_screen.tsx";
import { SettingsScreen } from "./pages/settings/settings_screen.tsx";
import type { PathName } from "./paths.ts";

export const ACCOUNT_PAGES = {
  settings: SettingsScreen,
  settingsPart: SettingsScreen,
  setUp: SetUpScreen,
  invitation: InvitationScreen,
  factors: FactorScreen,
} satisfies Partial<Record<PathName | "factors", FunctionComponent>>;
