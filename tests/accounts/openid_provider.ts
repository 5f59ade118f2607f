/** An OpenID Connect provider on 127.0.0.1 whose answers a test can make wrong. */
import { serveHere } from "../local_server.ts";

type Claims = Record<string, unknown>;

interface Issued {
  readonly challenge: string;
  /** Claims that only `/userinfo` returns. */
  readonly rest: Claims;
  readonly claims: Claims;
  readonly lie: Lie;
}

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>;

/** Values with which the provider answers instead of the correct ones. */
export interface Lie {
  readonly claims?: Claims;
  readonly state?: string;
  readonly iss?: string;
  /** True if the provider signs the ID token with a key that it does not publish. */
  readonly isForged?: boolean;
  readonly isUnsigned?: boolean;
}

const base64url = (bytes: Uint8Array | string) =>
  (typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes)
    .toBase64({ alphabet: "base64url", omitPadding: true });

const ALGORITHM = {
  name: "RSASSA-PKCS1-v1_5",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: "SHA-256",
} as const;

const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);

/** All providers share these two key pairs, because creating a pair takes 0.1 s. */
let keyPairs: Promise<[CryptoKeyPair, CryptoKeyPair]> | null = null;

/** Starts a provider at which every browser is immediately signed in as `visitor`. */
export async function startOpenIdProvider(clientId: string, visitor: Claims = {}) {
  const [keys, others] = await (keyPairs ??= Promise.all([newKeys(), newKeys()]));
  const jwk = await crypto.subtle.exportKey("jwk", keys.publicKey);
  const codes = new Map<string, Issued>();
  const told = new Map<string, Claims>();
  let exchanged = 0;

  const idToken = async ({ claims, lie: { isUnsigned, isForged } }: Issued) => {
    const header = { alg: isUnsigned ? "none" : "RS256", kid: "k1" };
    const text = [header, claims].map((part) => base64url(JSON.stringify(part))).join(".");
    if (isUnsigned) return `${text}.`;
    const signing = new TextEncoder().encode(text);
    const { privateKey } = isForged ? others : keys;
    const signature = await crypto.subtle.sign(ALGORITHM.name, privateKey, signing);
    return `${text}.${base64url(new Uint8Array(signature))}`;
  };

  const token = async (request: Request) => {
    const form = new URLSearchParams(await request.text());
    const issued = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = new TextEncoder().encode(form.get("code_verifier") ?? "");
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", verifier));
    if (!issued || issued.challenge !== base64url(hash)) {
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    exchanged++;
    const access = crypto.randomUUID();
    told.set(`Bearer ${access}`, { ...issued.rest, sub: issued.claims.sub });
    return Response.json({
      access_token: access,
      token_type: "Bearer",
      id_token: await idToken(issued),
    });
  };

  const server = serveHere(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/token") return await token(request);
    if (pathname === "/userinfo") {
      return Response.json(told.get(request.headers.get("Authorization") ?? "") ?? {});
    }
    if (pathname === "/authorize") {
      const back = new URL(request.url).searchParams.get("redirect_uri") ?? "";
      return Response.redirect(`${back}${approve(request.url, visitor)}`, 302);
    }
    if (pathname === "/jwks") {
      return Response.json({ keys: [{ ...jwk, kid: "k1", alg: "RS256", use: "sig" }] });
    }
    if (pathname !== "/.well-known/openid-configuration") return new Response("", { status: 404 });
    const issuer = server.url;
    return Response.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"],
    });
  });
  const approve = (authorizeUrl: string, person: Claims, lie: Lie = {}) => {
    const asked = new URL(authorizeUrl).searchParams;
    const code = crypto.randomUUID();
    const seconds = Math.floor(Date.now() / 1_000);
    const isAnew = asked.get("prompt") === "login" && asked.get("max_age") === "0";
    const own = {
      iss: server.url,
      aud: clientId,
      iat: seconds,
      exp: seconds + 300,
      ...(isAnew && { auth_time: seconds }),
    };
    const { name, ...rest } = person;
    codes.set(code, {
      challenge: asked.get("code_challenge") ?? "",
      rest,
      claims: { ...own, nonce: asked.get("nonce"), sub: person.sub, name, ...lie.claims },
      lie,
    });
    const state = lie.state ?? asked.get("state") ?? "";
    return `?${new URLSearchParams({ code, state, ...(lie.iss && { iss: lie.iss }) })}`;
  };
  return {
    issuer: server.url,
    /** Signs the person in, and returns the query of the redirect to our service. */
    approve,
    exchanged: () => exchanged,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
