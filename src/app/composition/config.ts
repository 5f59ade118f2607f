/**
 * Only this module reads the environment variables. `--help` and docs/configuration.md list all
 * variables.
 */
import { z } from "zod";
import { canonicalAddress, parseAllowList } from "../../platform/fetch/fetch_limits.ts";
import { LOG_LEVELS } from "../../platform/log.ts";
import { parseSecretKeys } from "../../platform/store/secret_key.ts";

const wholeNumber = (min: number, max: number) =>
  z.string().regex(/^\d+$/, "must be a whole number").transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

const isPort = (port: number) => port >= 1 && port <= 65_535;

const address = z.string().trim().min(1);

const listed = (text: string) => text.split(",").map((part) => part.trim()).filter(Boolean);

function roleMapping(text: string) {
  const [claim = "", pairs = ""] = text.split(/:(.*)/);
  const roles = listed(pairs).map((pair) => {
    const [value = "", role] = pair.split("=");
    return [value, z.enum(["owner", "manager", "viewer"]).parse(role)] as const;
  });
  return { claim: claim.trim(), roles: Object.fromEntries(roles) };
}

/** The value of a variable with `secret` may also come from a file that `…_FILE` names. */
export const VARIABLES = {
  PORT: { schema: wholeNumber(0, 65_535), fallback: "8000", text: "Port to listen on" },
  HOST: { schema: address, fallback: "127.0.0.1", text: "Address to listen on" },
  DATA_DIR: { schema: address, fallback: "./data", text: "Folder of the store" },
  BACKUP_DIR: {
    schema: address,
    fallback: null,
    text: "For drill: folder of the backups; unset: DATA_DIR",
  },
  KV_URL: {
    schema: z.url(),
    fallback: null,
    text: "KV Connect store instead of a file; its token in DENO_KV_ACCESS_TOKEN",
  },
  DENO_KV_ACCESS_TOKEN: {
    schema: z.string(),
    fallback: null,
    secret: true,
    text: "Token of the KV Connect store",
  },
  SECRET_KEY: {
    schema: z.string().transform((text, context) => {
      const keys = parseSecretKeys(text);
      if (keys) return keys;
      context.addIssue("must be 32 bytes in base64 (`kurant secret new`), or a comma list of such");
      return z.NEVER;
    }),
    fallback: null,
    secret: true,
    text:
      "Keys for the credentials in the store: the first key encrypts, and every key can decrypt; " +
      "unset: the file kurant.key in DATA_DIR, created at the first start",
  },
  DENO_DEPLOYMENT_ID: {
    schema: z.string(),
    fallback: null,
    text: "Set by Deno Deploy: the store of Deno Deploy is used unless KV_URL is set",
  },
  PUBLIC_URL: {
    schema: z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin),
    fallback: null,
    text: "Address that browsers use and links begin with; https makes cookies Secure",
  },
  LOG_LEVEL: { schema: z.enum(LOG_LEVELS), fallback: "info", text: "Lowest level that is logged" },
  LOG_FORMAT: { schema: z.enum(["json", "text"]), fallback: "text", text: "Format of log lines" },
  RATE_LIMIT_PER_MINUTE: {
    schema: wholeNumber(1, 1_000_000),
    fallback: "600",
    text: "Requests per minute and API key",
  },
  REQUEST_BODY_TIMEOUT_MS: {
    schema: wholeNumber(100, 600_000),
    fallback: "30000",
    text: "How long a body may arrive at less than 1 KiB/s before it is refused (408)",
  },
  IMPORT_MAX_BODY_BYTES: {
    schema: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    fallback: "536870912",
    text: "Bytes of an upload for an import, as sent (413)",
  },
  IMPORT_MAX_SPOOL_BYTES: {
    schema: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    fallback: null,
    text:
      "Bytes of all uploads that a workspace may have stored at once, including kept dry runs " +
      "(413); unset: twice IMPORT_MAX_BODY_BYTES",
  },
  IMPORT_MAX_UNPACKED_BYTES: {
    schema: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    fallback: "2147483648",
    text: "Bytes that the archives of an upload may unpack to",
  },
  IMPORT_MAX_RATIO: {
    schema: wholeNumber(1, 1_000_000),
    fallback: "100",
    text: "Largest unpacked size of a file of an archive, as a multiple of its packed size",
  },
  IMPORT_MAX_FILES: {
    schema: wholeNumber(1, 10_000),
    fallback: "200",
    text: "Files of an upload, entries of archives included",
  },
  IMPORT_MAX_ITEMS: {
    schema: wholeNumber(1, 100_000_000),
    fallback: "2000000",
    text: "Items of an upload",
  },
  IMPORT_MAX_DEPTH: {
    schema: wholeNumber(1, 10_000),
    fallback: "64",
    text: "Levels of elements in an XML file",
  },
  IMPORT_MAX_TEXT_CHARS: {
    schema: wholeNumber(1, 100_000_000),
    fallback: "1048576",
    text: "Characters of one text in an XML file",
  },
  OBSERVATION_RETENTION_DAYS: {
    schema: wholeNumber(30, 36_500),
    fallback: "400",
    text: "Days to keep every observation; of older ones, the lowest per match and day stays",
  },
  AUDIT_RETENTION_DAYS: {
    schema: wholeNumber(365, 36_500),
    fallback: null,
    text: "Days to keep audit rows; their seals stay; unset: forever",
  },
  RUN_RETENTION_DAYS: {
    schema: wholeNumber(1, 36_500),
    fallback: "90",
    text: "Days to keep scrape runs",
  },
  MARKET_MEMORY_BYTES: {
    schema: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    fallback: "268435456",
    text: "Bytes of memory for the market tables of all workspaces, about 250 per product; " +
      "the least recently used table is dropped first",
  },
  TRUSTED_PROXIES: {
    schema: z.string().transform((text, context) => {
      return listed(text).map((entry) => {
        const plain = canonicalAddress(entry);
        if (plain !== null) return plain;
        context.addIssue(`must be a comma list of IP addresses, not "${entry}"`);
        return z.NEVER;
      });
    }),
    fallback: "",
    text: "Proxy addresses whose X-Forwarded-For counts, separated by commas",
  },
  ADMIN_EMAIL: {
    schema: z.email(),
    fallback: null,
    text: "E-mail address of the first user, used only while no user exists",
  },
  ADMIN_PASSWORD: {
    schema: z.string(),
    fallback: null,
    secret: true,
    text: "Password of the first user",
  },
  SCRAPE_ALLOW_PORTS: {
    schema: z.string().regex(/^\d{1,5}( *, *\d{1,5})*$/, "must be a comma list of ports")
      .transform((text) => new Set(text.split(",").map(Number)))
      .refine((ports) => [...ports].every(isPort), "must be a comma list of ports from 1 to 65535"),
    fallback: "80,443",
    text: "Ports that shops and webhooks may be reached on",
  },
  SCRAPE_ALLOW_PRIVATE: {
    schema: z.string().transform((text, context) => {
      const parsed = parseAllowList(listed(text));
      if ("allowed" in parsed) return parsed.allowed;
      context.addIssue(`must be a comma list of host, host:port or CIDR, not "${parsed.error}"`);
      return z.NEVER;
    }),
    fallback: "",
    text: "Private addresses that may be reached nevertheless, for tests only",
  },
  SCRAPE_TIMEOUT_MS: {
    schema: wholeNumber(100, 120_000),
    fallback: "20000",
    text: "Time for one page of a shop, redirects included",
  },
  SCRAPE_MAX_BYTES: {
    schema: wholeNumber(1_024, 67_108_864),
    fallback: "4194304",
    text: "Bytes of one page of a shop, after decompression",
  },
  SCRAPE_DOMAIN_DELAY_MS: {
    schema: wholeNumber(0, 3_600_000),
    fallback: "2000",
    text: "Time between the starts of two requests to one shop",
  },
  SCRAPE_USER_AGENT: {
    schema: z.string().regex(
      /^[A-Za-z_-][\x20-\x7e]*$/,
      "must begin with a product token of letters",
    ),
    fallback: null,
    text:
      "User agent for shops; a robots.txt addresses it by its first word; unset: Kurant/1.0 with " +
      "PUBLIC_URL and the address of MAIL_FROM, so that a shop can contact you",
  },
  SMTP_URL: {
    schema: z.url({
      protocol: /^smtps?$/,
      error: "must be a URL such as smtps://user:pw@host:465",
    }),
    fallback: null,
    secret: true,
    text: "Mail server; without it alerts appear in the app only",
  },
  MAIL_FROM: {
    schema: z.string().regex(
      /^[^\p{Cc}]*[^\s@<>]@[^\s@<>]+>?$/u,
      "must be an address such as prices@shop.example",
    ),
    fallback: null,
    text: "Sender of mails, needed with SMTP_URL",
  },
  OIDC_ISSUER: {
    schema: z.url({ protocol: /^https?$/ }).refine(
      (url) => /^https:|^http:\/\/(localhost|127\.0\.0\.1)\b/.test(url),
      "must begin with https://",
    ),
    fallback: null,
    text: "Issuer of the OpenID Connect provider with which people sign in",
  },
  OIDC_CLIENT_ID: {
    schema: z.string().min(1),
    fallback: null,
    text: "Id of this service at the provider, needed with OIDC_ISSUER",
  },
  OIDC_CLIENT_SECRET: {
    schema: z.string().min(1),
    fallback: null,
    secret: true,
    text: "Secret of this service at the provider",
  },
  OIDC_LABEL: { schema: address, fallback: "OpenID Connect", text: "Name of the provider" },
  OIDC_ROLES: {
    schema: z.string()
      .regex(
        /^[^\s:]+\s*:\s*[^\s=,]+=(owner|manager|viewer)(\s*,\s*[^\s=,]+=(owner|manager|viewer))*$/,
        "must look like groups: pricing=manager,it=owner",
      )
      .transform(roleMapping),
    fallback: null,
    text: "Name of a claim, and the role that each of its values gives, as in " +
      "groups: pricing=manager,it=owner; unset: only " +
      "people who were added here can sign in with the provider",
  },
  OIDC_ONLY: {
    schema: z.enum(["true", "false"]).transform((text) => text === "true"),
    fallback: "false",
    text: "true: people who have signed in with the provider cannot use a password",
  },
  AUDIT_MAIL_TO: {
    schema: z.string().transform(listed).pipe(z.array(z.email()).min(1)),
    fallback: null,
    text:
      "Addresses, separated by commas, to which the newest seal of each audit log is mailed daily",
  },
  KURANT_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: null,
    text: "For pull and push: address of the service",
  },
  KURANT_KEY: {
    schema: z.string().min(1),
    fallback: null,
    secret: true,
    text: "For pull and push: API key",
  },
  METRICS_TOKEN: {
    schema: z.string().min(1),
    fallback: null,
    secret: true,
    text: "Bearer token for /metrics, which is off without it",
  },
} as const;

type Variables = typeof VARIABLES;
type Name = keyof Variables;
type Value<N extends Name> =
  | z.output<Variables[N]["schema"]>
  | (Variables[N]["fallback"] extends null ? null : never);

/** A value is null if the variable is missing and has no default. */
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
  const shape = Object.fromEntries(
    Object.entries(VARIABLES).map(([name, { schema, fallback }]) => [
      name,
      fallback === null ? schema.nullable() : schema,
    ]),
  );
  const found = Object.fromEntries(
    Object.entries(VARIABLES).map(([name, variable]) => {
      const isSecret = "secret" in variable;
      return [name, findText(name, isSecret, find) ?? variable.fallback];
    }),
  );
  const parsed = z.object(shape).safeParse(found);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`),
    );
  }
  const config = ConfigShape.parse(parsed.data);
  if ((config.OIDC_ISSUER === null) !== (config.OIDC_CLIENT_ID === null)) {
    throw new ConfigError(["OIDC_ISSUER and OIDC_CLIENT_ID must be set together"]);
  }
  if (config.SMTP_URL !== null && config.MAIL_FROM === null) {
    throw new ConfigError(["MAIL_FROM must be set when SMTP_URL is"]);
  }
  return config;
}

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

/** Returns the service's URL. A URL in a request is not used, because a sender can forge it. */
export function urlOf({ PUBLIC_URL, HOST }: Config, { port }: { readonly port: number }): string {
  if (PUBLIC_URL !== null) return PUBLIC_URL;
  if (HOST === "0.0.0.0" || HOST === "::") return `http://localhost:${port}`;
  return `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${port}`;
}

/** Sets the variable from which the runtime reads the token of a remote store. */
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
