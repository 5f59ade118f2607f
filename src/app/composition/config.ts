/**
 * Only this module reads the environment variables. `--help` and docs/configuration.md list all
 * variables.
 */
import { mapValues } from "../../base/collections.ts";
import { z } from "zod";
import { splitList } from "../../base/text.ts";
import { canonicalAddress, parseAllowList } from "../../platform/fetch/fetch_limits.ts";
import { LOG_LEVELS } from "../../platform/log.ts";
import { parseSecretKeys } from "../../platform/store/secret_store.ts";

const wholeNumber = (min: number, max: number) =>
  z.string().regex(/^\d+$/, "must be a whole number").transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

const byteCount = wholeNumber(1, Number.MAX_SAFE_INTEGER);

const isPort = (port: number) => port >= 1 && port <= 65_535;

const address = z.string().trim().min(1);
const webUrl = z.url({ protocol: /^https?$/ });
const emailAddress = z.email({ pattern: z.regexes.unicodeEmail });

/** A claim's name, then `:`. If the name is a URL, a space must follow this `:`. */
const CLAIM = String.raw`^(\S+(?=:\s)|[^\s:]+)\s*:\s*`;
const ROLE = String.raw`[^\s=,]+=(?:owner|manager|viewer)`;
const ROLE_MAPPING = new RegExp(String.raw`${CLAIM}(${ROLE}(?:\s*,\s*${ROLE})*)$`);

function roleMapping(text: string) {
  const [, claim = "", pairs = ""] = ROLE_MAPPING.exec(text) ?? [];
  const roles = splitList(pairs).map((pair) => {
    const [value = "", role] = pair.split("=");
    return [value, z.enum(["owner", "manager", "viewer"]).parse(role)] as const;
  });
  return { claim, roles: Object.fromEntries(roles) };
}

const variable = <Schema extends z.ZodType, Fallback extends string | null>(
  schema: Schema,
  fallback: Fallback,
  text: string,
) => ({ schema, fallback, text });

const optional = <Schema extends z.ZodType>(schema: Schema, text: string) =>
  variable(schema, null, text);

/** Declares a variable such as `SECRET_KEY`; `SECRET_KEY_FILE` may name a file with its value. */
const secret = <Schema extends z.ZodType>(schema: Schema, text: string) => ({
  ...optional(schema, text),
  secret: true,
});

export const VARIABLES = {
  PORT: variable(wholeNumber(0, 65_535), "8000", "Port to listen on"),
  HOST: variable(address, "127.0.0.1", "Address to listen on"),
  DATA_DIR: variable(address, "./data", "Folder of the store"),
  BACKUP_DIR: optional(address, "Folder with the backups for kurant drill; unset: DATA_DIR"),
  KV_URL: optional(
    z.url(),
    "Address of a KV Connect server whose store is used instead of a file",
  ),
  DENO_KV_ACCESS_TOKEN: secret(z.string(), "Token of the KV Connect server"),
  SECRET_KEY: secret(
    z.string().transform((text, context) => {
      const keys = parseSecretKeys(text);
      if (keys) return keys;
      context.addIssue("must be 32 bytes in base64 (`kurant secret new`), or several with commas");
      return z.NEVER;
    }),
    "Keys for the credentials in the store: the first key encrypts, and every key can decrypt; " +
      "unset: the file kurant.key in DATA_DIR, created at the first start",
  ),
  DENO_DEPLOYMENT_ID: optional(
    z.string(),
    "Set by Deno Deploy: the store of Deno Deploy is used unless KV_URL is set",
  ),
  PUBLIC_URL: optional(
    webUrl.transform((url) => new URL(url).origin),
    "Address of Kurant in browsers and links; with https, cookies are Secure",
  ),
  LOG_LEVEL: variable(
    z.enum(LOG_LEVELS),
    "info",
    "Lowest level that is logged: debug, info, warning or error",
  ),
  LOG_FORMAT: variable(z.enum(["json", "text"]), "text", "Format of log lines: text or json"),
  RATE_LIMIT_PER_MINUTE: variable(
    wholeNumber(1, 1_000_000),
    "600",
    "Requests per minute and API key",
  ),
  REQUEST_BODY_TIMEOUT_MS: variable(
    wholeNumber(100, 600_000),
    "30000",
    "A request body slower than 1 KiB/s for this time, or above 10 minutes, is refused (408)",
  ),
  IMPORT_MAX_BODY_BYTES: variable(
    byteCount,
    "536870912",
    "Largest upload for an import, before it is unpacked; a larger one gets 413",
  ),
  IMPORT_MAX_SPOOL_BYTES: optional(
    byteCount,
    "Largest size of a workspace's stored uploads together, including kept dry runs; more gets " +
      "413; unset: twice IMPORT_MAX_BODY_BYTES plus 1 MiB",
  ),
  IMPORT_MAX_UNPACKED_BYTES: variable(
    byteCount,
    "2147483648",
    "Bytes that the archives of an upload may unpack to",
  ),
  IMPORT_MAX_RATIO: variable(
    wholeNumber(1, 1_000_000),
    "100",
    "Largest unpacked size of a file of an archive, as a multiple of its packed size",
  ),
  IMPORT_MAX_FILES: variable(
    wholeNumber(1, 10_000),
    "200",
    "Files of an upload, entries of archives included",
  ),
  IMPORT_MAX_ITEMS: variable(wholeNumber(1, 100_000_000), "2000000", "Items of an upload"),
  IMPORT_MAX_DEPTH: variable(wholeNumber(1, 10_000), "64", "Levels of elements in an XML file"),
  IMPORT_MAX_TEXT_CHARS: variable(
    wholeNumber(1, 100_000_000),
    "1048576",
    "Characters of one text in an XML file",
  ),
  OBSERVATION_RETENTION_DAYS: variable(
    wholeNumber(30, 36_500),
    "400",
    "Days to keep every observed price; of older prices, the lowest per link and day stays",
  ),
  AUDIT_RETENTION_DAYS: optional(
    wholeNumber(365, 36_500),
    "Days to keep audit rows; their hashes (seals) stay; unset: forever",
  ),
  RUN_RETENTION_DAYS: variable(wholeNumber(1, 36_500), "90", "Days to keep scrape runs"),
  MARKET_MEMORY_BYTES: variable(
    byteCount,
    "268435456",
    "Bytes of memory for all market tables, about 260 per product; the least recently used " +
      "table is dropped first",
  ),
  TRUSTED_PROXIES: variable(
    z.string().transform((text, context) => {
      return splitList(text).map((entry) => {
        const plain = canonicalAddress(entry);
        if (plain !== null) return plain;
        context.addIssue(`must be a comma list of IP addresses, not "${entry}"`);
        return z.NEVER;
      });
    }),
    "",
    "IP addresses of the proxies whose X-Forwarded-For is trusted, separated by commas",
  ),
  ADMIN_EMAIL: optional(
    emailAddress,
    "E-mail address of the first user, used only while no user exists",
  ),
  ADMIN_PASSWORD: secret(z.string(), "Password of the first user"),
  SCRAPE_ALLOW_PORTS: variable(
    z.string().regex(/^\d{1,5}( *, *\d{1,5})*$/, "must be a comma list of ports")
      .transform((text) => new Set(text.split(",").map(Number)))
      .refine((ports) => [...ports].every(isPort), "must be a comma list of ports from 1 to 65535"),
    "80,443",
    "Ports that shops and webhooks may be reached on",
  ),
  SCRAPE_ALLOW_PRIVATE: variable(
    z.string().transform((text, context) => {
      const parsed = parseAllowList(splitList(text));
      if ("allowed" in parsed) return parsed.allowed;
      context.addIssue(`must be a comma list of host, host:port or CIDR, not "${parsed.error}"`);
      return z.NEVER;
    }),
    "",
    "Private addresses that every user may reach: host, host:port or CIDR, separated by commas",
  ),
  SCRAPE_TIMEOUT_MS: variable(
    wholeNumber(100, 120_000),
    "20000",
    "Time for one page of a shop, redirects included",
  ),
  SCRAPE_MAX_BYTES: variable(
    wholeNumber(1_024, 67_108_864),
    "4194304",
    "Bytes of one page of a shop, after decompression",
  ),
  SCRAPE_DOMAIN_DELAY_MS: variable(
    wholeNumber(0, 3_600_000),
    "2000",
    "Time between the starts of two requests to one shop",
  ),
  SCRAPE_USER_AGENT: optional(
    z.string().regex(
      /^[A-Za-z_-][\x20-\x7e]*$/,
      "must begin with a product token of letters",
    ),
    "User agent for shops; rules in a robots.txt name its first word; unset: Kurant/1.0 with " +
      "PUBLIC_URL and the address of MAIL_FROM, so that a shop can contact you",
  ),
  SMTP_URL: secret(
    z.url({ protocol: /^smtps?$/, error: "must be a URL such as smtps://user:pw@host:465" }),
    "Mail server; without it alerts appear in the app only",
  ),
  MAIL_FROM: optional(
    z.string().regex(
      /^[^\p{Cc}]*[^\s@<>]@[^\s@<>]+>?$/u,
      "must be an address such as prices@shop.example",
    ),
    "Sender of mails, needed with SMTP_URL",
  ),
  OIDC_ISSUER: optional(
    webUrl.refine(
      (url) => /^https:|^http:\/\/(localhost|127\.0\.0\.1)\b/.test(url),
      "must begin with https://",
    ),
    "Issuer of the OpenID Connect provider with which people sign in",
  ),
  OIDC_CLIENT_ID: optional(
    z.string().min(1),
    "Id of this service at the provider, needed with OIDC_ISSUER",
  ),
  OIDC_CLIENT_SECRET: secret(z.string().min(1), "Secret of this service at the provider"),
  OIDC_LABEL: variable(address, "OpenID Connect", "Name of the provider on the sign-in page"),
  OIDC_ROLES: optional(
    z.string()
      .regex(ROLE_MAPPING, "must look like groups: pricing=manager,it=owner")
      .transform(roleMapping),
    "Name of a claim, and the role for each of its values, for example " +
      "groups: pricing=manager,it=owner; unset: only existing users can sign in with the provider",
  ),
  OIDC_ONLY: variable(
    z.enum(["true", "false"]).transform((text) => text === "true"),
    "false",
    "true: people who have signed in with the provider cannot use a password",
  ),
  AUDIT_MAIL_TO: optional(
    z.string().transform(splitList).pipe(z.array(emailAddress).min(1)),
    "Addresses, separated by commas, that get a daily mail with the newest hash of each audit log",
  ),
  KURANT_URL: optional(webUrl, "Address of the service for pull and push"),
  KURANT_KEY: secret(z.string().min(1), "API key for pull and push"),
  METRICS_TOKEN: secret(z.string().min(1), "Bearer token for /metrics; unset: /metrics is off"),
};

type Variables = typeof VARIABLES;
type Name = keyof Variables;
type Value<N extends Name> =
  | z.output<Variables[N]["schema"]>
  | (Variables[N]["fallback"] extends null ? null : never);

/** Values of missing variables without a default are null. */
export type Config = { readonly [N in Name]: Value<N> };

export class ConfigError extends Error {
  constructor(readonly lines: readonly string[]) {
    super(lines.join("\n"));
    this.name = "ConfigError";
  }
}

export const environment = (name: string): string | undefined => Deno.env.get(name);

export function readConfig(
  find: (name: string) => string | undefined = environment,
): Config {
  const shape = mapValues(
    VARIABLES,
    ({ schema, fallback }) => fallback === null ? schema.nullable() : schema,
  );
  const found = mapValues(
    VARIABLES,
    (variable, name) => findText(name, "secret" in variable, find) ?? variable.fallback,
  );
  const parsed = z.object(shape).safeParse(found);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`),
    );
  }
  const config = ConfigShape.parse(parsed.data);
  for (const [one, other] of TOGETHER) {
    if ((config[one] === null) === (config[other] === null)) continue;
    throw new ConfigError([`${one} and ${other} must be set together`]);
  }
  if (config.SMTP_URL !== null && config.MAIL_FROM === null) {
    throw new ConfigError(["MAIL_FROM must be set when SMTP_URL is"]);
  }
  return config;
}

const TOGETHER = [["OIDC_ISSUER", "OIDC_CLIENT_ID"], ["ADMIN_EMAIL", "ADMIN_PASSWORD"]] as const;

const ConfigShape = z.custom<Config>((value) => typeof value === "object");

function findText(
  name: string,
  isSecret: boolean,
  find: (name: string) => string | undefined,
): string | undefined {
  const text = find(name);
  if (text !== undefined && text !== "") return text;
  const path = isSecret ? find(`${name}_FILE`) : undefined;
  if (path === undefined || path === "") return undefined;
  try {
    return Deno.readTextFileSync(path).trim();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError([`${name}_FILE cannot be read: ${reason}`]);
  }
}

/** The service's URL, never taken from the `Host` header, which a client can forge. */
export function urlOf({ PUBLIC_URL, HOST }: Config, { port }: { readonly port: number }): string {
  if (PUBLIC_URL !== null) return PUBLIC_URL;
  if (HOST === "0.0.0.0" || HOST === "::") return `http://localhost:${port}`;
  return `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${port}`;
}

/** Sets the variable from which Deno reads the token of a remote store. */
export function passStoreToken({ DENO_KV_ACCESS_TOKEN: token }: Config): void {
  if (token !== null) Deno.env.set("DENO_KV_ACCESS_TOKEN", token);
}

export function configuredPort(): string {
  return environment("PORT") || VARIABLES.PORT.fallback;
}

export function variableNames(): string[] {
  return Object.entries(VARIABLES).flatMap(([name, variable]) =>
    "secret" in variable ? [name, `${name}_FILE`] : [name]
  );
}
