/**
 * Signs people in with the operator's OpenID Connect provider, by authorization code, PKCE (S256),
 * state and nonce. The library `openid-client` checks the ID token: issuer, audience, expiry, nonce
 * and signature. Only the browser that began the sign-in can use the provider's answer, because
 * only this browser has the secret in its cookie.
 */
import { Failure } from "../../base/failure.ts";
import { MINUTE_MS } from "../../base/time.ts";
import type { SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import type { Role } from "../roles.ts";
import { createHmac } from "node:crypto";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from "openid-client";
import { z } from "zod";

interface ProviderSetup {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly label: string;
  /** The role for each value of `claim`; null if no claim decides a person's role. */
  readonly roles: {
    readonly claim: string;
    readonly roles: Readonly<Record<string, Role>>;
  } | null;
  /** True if people who have used the provider can no longer sign in with a password. */
  readonly isOnly: boolean;
  readonly fetch: SafeFetch;
  redirectUri(): string;
}

export type ProvidedPerson = ReturnType<typeof personOf>;

const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: z.string().optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
});

export class Provider {
  #known: { readonly configuration: Configuration; readonly untilMs: number } | null = null;

  constructor(readonly setup: ProviderSetup) {}

  /** With `isAnew`, the provider asks for credentials even if the person is already signed in. */
  async beginAt(secret: string, isAnew: boolean): Promise<URL> {
    return buildAuthorizationUrl(await this.#configured(), {
      redirect_uri: this.setup.redirectUri(),
      scope: "openid email profile",
      code_challenge: await calculatePKCECodeChallenge(derived(secret, "verifier")),
      code_challenge_method: "S256",
      state: derived(secret, "state"),
      nonce: derived(secret, "nonce"),
      ...(isAnew && { prompt: "login", max_age: "0" }),
    });
  }

  async finish(secret: string, query: string, maxAge: number | null): Promise<ProvidedPerson> {
    const configuration = await this.#configured();
    const url = new URL(this.setup.redirectUri());
    url.search = query;
    try {
      return personOf(this.setup, await claimsOf(configuration, secret, url, maxAge));
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      const message = `The provider's answer was refused (${reasonOf(cause)}): sign in again`;
      throw new Failure("forbidden", message, undefined, { cause });
    }
  }

  async #configured(): Promise<Configuration> {
    if (this.#known && this.#known.untilMs > performance.now()) return this.#known.configuration;
    const configuration = await discover(this.setup);
    this.#known = { configuration, untilMs: performance.now() + 10 * MINUTE_MS };
    return configuration;
  }
}

function derived(secret: string, use: string): string {
  return createHmac("sha256", secret).update(`oidc ${use}`).digest("base64url");
}

async function claimsOf(
  configuration: Configuration,
  secret: string,
  url: URL,
  maxAge: number | null,
) {
  const tokens = await authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: derived(secret, "verifier"),
    expectedState: derived(secret, "state"),
    expectedNonce: derived(secret, "nonce"),
    idTokenExpected: true,
    ...(maxAge !== null && { maxAge }),
  });
  const claims = tokens.claims();
  if (!claims) throw new Error("there is no ID token");
  const { userinfo_endpoint: more } = configuration.serverMetadata();
  // Many providers return the e-mail address and groups only from the UserInfo endpoint.
  const info = more && await fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return { ...info, ...claims };
}

function personOf({ roles }: ProviderSetup, given: Readonly<Record<string, unknown>>) {
  const { iss: issuer, sub: subject, email_verified, email, name = null } = Claims.parse(given);
  const claimed = roles === null ? [] : [given[roles.claim]].flat();
  const found = claimed.flatMap((value) => roles?.roles[String(value)] ?? []);
  const role = (["owner", "manager", "viewer"] as const).find((one) => found.includes(one));
  const verified = email_verified === true ? email ?? null : null;
  return { issuer, subject, email: verified, name, role: role ?? null };
}

async function discover(setup: ProviderSetup): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = setup;
  const url = new URL(issuer);
  const metadata = clientSecret === null ? undefined : { client_secret: clientSecret };
  try {
    return await discovery(url, clientId, metadata, undefined, {
      [customFetch]: guarded(setup.fetch),
      execute: [
        enableNonRepudiationChecks,
        ...(url.protocol === "http:" ? [allowInsecureRequests] : []),
      ],
    });
  } catch (cause) {
    const message = `The provider does not answer as it should (${reasonOf(cause)}): ` +
      "try again, or sign in by password";
    throw new Failure("unavailable", message, undefined, { cause });
  }
}

function guarded(fetch: SafeFetch): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const bytes = body ? { body: new TextEncoder().encode(String(body)) } : {};
    const result = await fetch({
      url,
      method: method === "POST" ? "POST" : "GET",
      headers,
      ...bytes,
      timeoutMs: 10_000,
      redirectsMax: 0,
      bytesMax: 1024 * 1024,
      onTooLarge: "refuse",
      signal: signal ?? new AbortController().signal,
    });
    if (result.kind === "failed") throw new Error(`${url}: ${result.message}`);
    if (result.kind === "moved") throw new Error(`${url} redirects to another address`);
    const type = result.headers.get("Content-Type");
    return new Response(result.body, {
      status: result.status,
      headers: type === null ? {} : { "Content-Type": type },
    });
  };
}

function reasonOf(cause: unknown): string {
  if (cause instanceof z.ZodError) return "its data about the person is incomplete";
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.slice(0, 200).toWellFormed();
}
