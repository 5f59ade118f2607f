/** Maps each URL path to its screen. */
import type { FunctionComponent } from "preact";
import { fromKeys } from "../base/collections.ts";
import { LoginScreen, ProviderScreen } from "./pages/login/login_screen.tsx";
import { OverviewScreen } from "./pages/overview/overview_screen.tsx";
import { ProductScreen } from "./pages/products/product_screen.tsx";
import { ProductsScreen } from "./pages/products/products_screen.tsx";
import { ProposalsScreen } from "./pages/proposals/proposals_screen.tsx";
import type { IconName } from "./parts/controls.tsx";
import { onDemand } from "./parts/on_demand.tsx";
import type { PathName } from "./paths.ts";
import type { Words } from "./words/words.ts";

interface NavPlace {
  readonly icon: IconName;
  label(words: Words): string;
  readonly group: NavGroup;
}

export type NavGroup = "work" | "data" | "control";

const ofData = onDemand(async () => (await import("./data_pages.ts")).DATA_PAGES);
const ofShops = onDemand(async () => (await import("./shop_pages.ts")).SHOP_PAGES);
const ofControl = onDemand(async () => (await import("./control_pages.ts")).CONTROL_PAGES);
const ofAccount = onDemand(async () => (await import("./account_pages.ts")).ACCOUNT_PAGES);

export const SCREENS: Readonly<Record<PathName, FunctionComponent>> = {
  home: OverviewScreen,
  products: ProductsScreen,
  product: ProductScreen,
  proposals: ProposalsScreen,
  login: LoginScreen,
  provider: ProviderScreen,
  ...fromKeys(["priceEvidence", "moves", "links", "coverage", "linkCheck"], ofShops),
  ...fromKeys(["competitors", "quarantine", "competitor", "runs", "run"], ofShops),
  ...fromKeys(["imports", "newImport", "importSources", "priceArrivals", "import"], ofData),
  ...fromKeys(["newProfile", "profile"], ofData),
  ...fromKeys(["rules", "newRule", "rule", "alerts", "auditLog"], ofControl),
  ...fromKeys(["settings", "settingsPart", "setUp", "invitation"], ofAccount),
};

/** Screens that people can open without signing in. */
export const OPEN_SCREENS: readonly PathName[] = ["setUp", "invitation", "provider"];

/** Screens that are missing here do not appear in the navigation. */
export const NAV: Readonly<Partial<Record<PathName, NavPlace>>> = {
  home: { icon: "sun", label: ({ overview }) => overview.title, group: "work" },
  products: { icon: "overview", label: ({ products }) => products.title, group: "work" },
  proposals: {
    icon: "proposals",
    label: ({ proposals }) => proposals.title,
    group: "work",
  },
  links: { icon: "link", label: ({ links }) => links.title, group: "data" },
  competitors: {
    icon: "competitors",
    label: ({ frame }) => frame.shopsPlace,
    group: "data",
  },
  runs: { icon: "runs", label: ({ runs }) => runs.title, group: "data" },
  imports: { icon: "imports", label: ({ imports }) => imports.title, group: "data" },
  rules: { icon: "rules", label: ({ rules }) => rules.title, group: "control" },
  alerts: { icon: "alerts", label: ({ alerts }) => alerts.title, group: "control" },
  auditLog: {
    icon: "auditLog",
    label: ({ auditLog }) => auditLog.title,
    group: "control",
  },
  settings: {
    icon: "settings",
    label: ({ settings }) => settings.title,
    group: "control",
  },
};
