/**
 * The router takes the first path that matches, so a fixed path precedes a pattern such as
 * `/rules/:id`. The navigation lists its screens in the order of these paths.
 */
export const PATHS = {
  home: "/",
  products: "/products",
  product: "/products/:id",
  priceEvidence: "/products/:id/price-evidence",
  moves: "/moves",
  proposals: "/proposals",
  links: "/links",
  coverage: "/links/coverage",
  linkCheck: "/links/:jobId",
  competitors: "/competitors",
  quarantine: "/competitors/quarantine",
  competitor: "/competitors/:id",
  runs: "/runs",
  run: "/runs/:runId",
  imports: "/imports",
  newImport: "/imports/new",
  importSources: "/imports/sources",
  priceArrivals: "/imports/arrivals",
  import: "/imports/:jobId",
  rules: "/rules",
  newRule: "/rules/new",
  rule: "/rules/:id",
  alerts: "/alerts",
  auditLog: "/audit-log",
  settings: "/settings",
  newProfile: "/settings/new-profile",
  profile: "/settings/profiles/:id",
  settingsPart: "/settings/:part",
  login: "/login",
  setUp: "/setup",
  invitation: "/invitation",
  provider: "/sign-in",
} as const;

export const COMPARED = `${PATHS.products}?rankMin=1&sort=gapPct&order=desc`;

export type PathName = keyof typeof PATHS;

const isName = (name: string): name is PathName => name in PATHS;

export const PATH_NAMES: readonly PathName[] = Object.keys(PATHS).filter(isName);
