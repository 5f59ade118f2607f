/**
 * Every address of the client, in the pattern language that its router and the server share. The
 * server answers these with the client's page, and no other.
 */
export const PATHS = {
  home: "/",
  login: "/login",
  setUp: "/setup",
  invitation: "/invitation",
  products: "/products",
  product: "/products/:id",
  competitors: "/competitors",
  imports: "/imports",
  newImport: "/imports/new",
  import: "/imports/:jobId",
  alerts: "/alerts",
  runs: "/runs",
  run: "/runs/:runId",
  rules: "/rules",
  newRule: "/rules/new",
  rule: "/rules/:id",
  proposals: "/proposals",
  auditLog: "/audit-log",
  settings: "/settings",
  newProfile: "/settings/new-profile",
  profile: "/settings/profiles/:id",
  settingsPart: "/settings/:part",
} as const;

export type PathName = keyof typeof PATHS;
