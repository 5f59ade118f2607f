/** Sign-in by the operator's provider: begun here, finished by the page that it leads back to. */
import { Failure } from "../base/failure.ts";
import { one } from "../platform/http/answer.ts";
import { resource } from "../platform/http/resource.ts";
import { anonymous, browserOf, type IdentityDeps, isHttps, setSession } from "./identity_deps.ts";
import { refuseForeignOrigin } from "./sessions/origin_check.ts";
import type { Provider } from "./sessions/provider.ts";
import { beginAtProvider, BEGUN_MS, signInByProvider } from "./sessions/provider_sign_in.ts";
import { sessionHash } from "./sessions/session.ts";
import { serialiseUser, User } from "./users/user.ts";
import { z } from "@hono/zod-openapi";
import { getCookie } from "hono/cookie";

const COOKIE = "pr_oidc";
const PATH = "/api/auth/provider";

const Begun = z.object({
  url: z.url().meta({ description: "Where the person signs in" }),
}).meta({ id: "ProviderSignIn" });

const Answer = z.strictObject({
  query: z.string().max(8_192).meta({
    description: "The query of the address to which the provider has sent the browser",
  }),
}).meta({ id: "ProviderAnswer" });

export function providerRoutes(deps: IdentityDeps) {
  const anyone = { people: { by: "anyone" } } as const;
  const cookie = (value: string, seconds: number) =>
    `${COOKIE}=${value}; HttpOnly; SameSite=Strict; Path=${PATH}; Max-Age=${seconds}` +
    (isHttps(deps) ? "; Secure" : "");
  return resource("/auth/provider", { look: anyone, change: anyone })
    .post("/begin", {
      answer: one(Begun, "The address of the provider; the browser gets a cookie for its answer"),
      refusals: { 409: "There is no provider", 503: "The provider does not answer" },
    }, async ({ c }) => {
      refuseForeignOrigin(c, deps.publicUrl);
      const { secret, url } = await beginAtProvider(anonymous(deps, c), requireProvider(deps));
      c.header("Set-Cookie", cookie(secret, BEGUN_MS / 1_000));
      c.header("Cache-Control", "no-store");
      return { url };
    })
    .post("/finish", {
      body: Answer,
      answer: one(User, "Signed in; the session is in `Set-Cookie`"),
      refusals: { 403: "The answer is wrong, or the person has no role here" },
    }, async ({ c, body: { query } }) => {
      refuseForeignOrigin(c, deps.publicUrl);
      const signedIn = await signInByProvider(anonymous(deps, c), requireProvider(deps), {
        secret: getCookie(c, COOKIE),
        query,
        earlierSession: sessionHash(c),
        browser: browserOf(deps, c),
      });
      await setSession(c, deps, signedIn);
      c.header("Set-Cookie", cookie("", 0), { append: true });
      const { user } = signedIn;
      deps.onArrival({ store: deps.store, workspaceId: user.workspaceId });
      return serialiseUser(user);
    }).routes;
}

function requireProvider({ provider }: IdentityDeps): Provider {
  if (provider) return provider;
  throw new Failure("conflict", "No provider is configured: sign in by password");
}
