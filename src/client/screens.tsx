/** The screen of each URL path, and the screen's place in the navigation. */
import type { FunctionComponent } from "preact";
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
  readonly key: string;
  label(words: Words): string;
  readonly group: NavGroup;
}

export type NavGroup = "work" | "data" | "control";

interface Screen {
  readonly page: FunctionComponent;
  readonly nav: NavPlace | null;
  readonly isOpen?: boolean;
}

const ofData = onDemand(async () => (await import("./data_pages.ts")).DATA_PAGES);
const ofShops = onDemand(async () => (await import("./shop_pages.ts")).SHOP_PAGES);
const ofControl = onDemand(async () => (await import("./control_pages.ts")).CONTROL_PAGES);
const ofAccount = onDemand(async () => (await import("./account_pages.ts")).ACCOUNT_PAGES);

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
  priceEvidence: { page: ofShops("priceEvidence"), nav: null },
  moves: { page: ofShops("moves"), nav: null },
  proposals: {
    page: ProposalsScreen,
    nav: { icon: "proposals", key: "i", label: ({ proposals }) => proposals.title, group: "work" },
  },
  links: {
    page: ofShops("links"),
    nav: { icon: "link", key: "v", label: ({ links }) => links.title, group: "data" },
  },
  coverage: { page: ofShops("coverage"), nav: null },
  linkCheck: { page: ofShops("linkCheck"), nav: null },
  competitors: {
    page: ofShops("competitors"),
    nav: { icon: "competitors", key: "c", label: ({ frame }) => frame.shopsPlace, group: "data" },
  },
  repairs: { page: ofShops("repairs"), nav: null },
  quarantine: { page: ofShops("quarantine"), nav: null },
  competitor: { page: ofShops("competitor"), nav: null },
  runs: {
    page: ofShops("runs"),
    nav: { icon: "runs", key: "f", label: ({ runs }) => runs.title, group: "data" },
  },
  run: { page: ofShops("run"), nav: null },
  imports: {
    page: ofData("imports"),
    nav: { icon: "imports", key: "m", label: ({ imports }) => imports.title, group: "data" },
  },
  newImport: { page: ofData("newImport"), nav: null },
  importSources: { page: ofData("importSources"), nav: null },
  priceArrivals: { page: ofData("priceArrivals"), nav: null },
  import: { page: ofData("import"), nav: null },
  rules: {
    page: ofControl("rules"),
    nav: { icon: "rules", key: "r", label: ({ rules }) => rules.title, group: "control" },
  },
  newRule: { page: ofControl("newRule"), nav: null },
  rule: { page: ofControl("rule"), nav: null },
  alerts: {
    page: ofControl("alerts"),
    nav: { icon: "alerts", key: "a", label: ({ alerts }) => alerts.title, group: "control" },
  },
  auditLog: {
    page: ofControl("auditLog"),
    nav: { icon: "auditLog", key: "l", label: ({ auditLog }) => auditLog.title, group: "control" },
  },
  settings: {
    page: ofAccount("settings"),
    nav: { icon: "settings", key: "s", label: ({ settings }) => settings.title, group: "control" },
  },
  newProfile: { page: ofData("newProfile"), nav: null },
  profile: { page: ofData("profile"), nav: null },
  settingsPart: { page: ofAccount("settingsPart"), nav: null },
  login: { page: LoginScreen, nav: null },
  setUp: { page: ofAccount("setUp"), nav: null, isOpen: true },
  invitation: { page: ofAccount("invitation"), nav: null, isOpen: true },
  provider: { page: ProviderScreen, nav: null, isOpen: true },
};
