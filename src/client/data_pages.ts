/** The browser loads this module when a person first opens one of the module's screens. */
import type { FunctionComponent } from "preact";
import { ImportSourcesScreen } from "./pages/import_sources/import_sources_screen.tsx";
import { ImportScreen, ImportsScreen } from "./pages/imports/imports_screen.tsx";
import { NewImportScreen } from "./pages/imports/new_import_screen.tsx";
import { PriceArrivalsScreen } from "./pages/price_arrivals/price_arrivals_screen.tsx";
import { NewProfileScreen, ProfileScreen } from "./pages/profiles/profile_screen.tsx";
import type { PathName } from "./paths.ts";

export const DATA_PAGES = {
  imports: ImportsScreen,
  newImport: NewImportScreen,
  importSources: ImportSourcesScreen,
  priceArrivals: PriceArrivalsScreen,
  import: ImportScreen,
  newProfile: NewProfileScreen,
  profile: ProfileScreen,
} satisfies Partial<Record<PathName, FunctionComponent>>;
