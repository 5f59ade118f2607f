/**
 * Declares routes for signing in and out, and for a person's own name and password. Until a person
 * has given the second factor, the session only allows giving this factor or signing out.
 */
import { z } from "@hono/zod-openapi";
import { getCookie } from "hono/cookie";
import type { Write } from "../platform/store/kv.ts";
import { type PasskeyTools, relyingPartyOf } from "./factors/passkey.ts";
import { Failure } from "../base/failure.ts";
import { done, one, versioned } from "../platform/http/answer.ts";
import type { AppContext } from "../platform/http/http.ts";
import { resource } from "../platform/http/resource.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { type AdmissionDeps, clientAddress, refuseForeignOrigin } from "./admission.ts";
import type { PasswordPermits } from "./passwords/password.ts";
import { anyStep, settingUp, viewer } from "./roles.ts";
import {
  addressBlock,
  countLinkRequest,
  isKnownBrowser,
  knownBrowserCookie,
} from "./sessions/login_throttle.ts";
import type { Provider } from "./sessions/provider.ts";
import { beginAtProvider, BEGUN_MS, signInByProvider } from "./sessions/provider_sign_in.ts";
import { carriesSession, sessionCookie, sessionHash, type SignedIn } from "./sessions/session.ts";
import { changePassword, signIn, signOut, type Stranger } from "./sessions/sign_in.ts";
import { changeUser, requestLink } from "./users/change_user.ts";
import {
  Email,
  PersonName,
  requireUser,
  serialiseUser,
  type StoredUser,
  User,
  USER_READ_ONLY,
} from "./users/user.ts";

export interface IdentityDeps extends AdmissionDeps {
  /** The web client's origin, never taken from the `Host` header, which a client can forge. */
  linkBase(): string;
  readonly isMailOn: boolean;
  readonly provider: Provider | null;
  readonly permits: PasswordPermits;
  /** Called by `GET /me`, the first request of the web client, to load caches early. */
  onArrival(workspace: WorkspaceStore): void;
  /** Called when a person is removed; removes the person's rows from other tables. */
  onRemoval(write: Write, ctx: Context, userId: string): Promise<void>;
}

export function strangerOf(deps: IdentityDeps, c: AppContext): Stranger {
  const { store, clock, permits, provider } = deps;
  const agent = (c.req.header("User-Agent") ?? "").slice(0, 400).toWellFormed();
  const address = clientAddress(c, deps.trustedProxies);
  return {
    store,
    clock,
    requestId: c.var.requestId,
    browser: { agent, address },
    earlierSession: sessionHash(c),
    permit: permits.of(addressBlock(address)),
    mustUse: ({ hasProvider }) =>
      hasProvider && provider?.setup.isOnly ? provider.setup.label : null,
    isKnownTo: (user) => isKnownBrowser(c, store, user),
  };
}

/** Throws `csrf_refused` if the request has a session cookie and comes from another site's page. */
export function ownStranger(deps: IdentityDeps, c: AppContext): Stranger {
  if (carriesSession(c)) refuseForeignOrigin(c, deps.publicUrl);
  return strangerOf(deps, c);
}

export function passkeyTools({ store, clock, linkBase }: IdentityDeps): PasskeyTools | null {
  const party = relyingPartyOf(linkBase());
  return party && { store, now: clock.now, party };
}

function isHttps({ publicUrl }: IdentityDeps): boolean {
  return publicUrl?.startsWith("https:") ?? false;
}

/** Browsers do not send what follows `#` in a URL, so no server can log the token. */
export function pageLink({ linkBase }: IdentityDeps, path: string, token: string): string {
  return `${linkBase()}${path}#token=${token}`;
}

export async function setSession(
  c: AppContext,
  deps: IdentityDeps,
  { user, token }: SignedIn,
): Promise<User> {
  c.header("Set-Cookie", sessionCookie(token, isHttps(deps)));
  const known = await knownBrowserCookie(deps.store, user, isHttps(deps));
  c.header("Set-Cookie", known, { append: true });
  c.header("Cache-Control", "no-store");
  return serialiseUser(user);
}

const Login = z.strictObject({ email: z.string(), password: z.string() }).meta({ id: "Login" });

const SignedIn = User.extend({
  awaits: z.literal("factor").optional()
    .describe("Present if the sign-in needs a second factor: `POST /auth/prove`"),
}).meta({ id: "SignedIn" });

const Me = User.extend({
  lastVisitAt: z.iso.datetime().nullable()
    .describe("When the previous visit ended, by a pause of 30 minutes; null for the first visit"),
}).meta({ id: "Me" });

const MyChange = z.strictObject({ name: PersonName.optional() }).meta({ id: "MyChange" });

const SignInWays = z.object({
  mail: z.boolean().describe("True if people who have forgotten their password get a link by mail"),
  provider: z.string().nullable()
    .describe("The name of the provider by which people can sign in; null if there is none"),
}).meta({ id: "SignInWays" });

const Forgotten = z.strictObject({
  email: Email,
  language: z.enum(["de", "en"]).optional()
    .describe("Language of the mail; that of the workspace by default"),
}).meta({ id: "ForgottenPassword" });

const PasswordChange = z.strictObject({ currentPassword: z.string(), newPassword: z.string() })
  .meta({ id: "PasswordChange" });

const ROUTES = {
  read: { people: viewer },
  change: { people: viewer },
  readOnly: [...USER_READ_ONLY, "lastVisitAt"],
};

export function signInRoutes(deps: IdentityDeps) {
  return resource("/auth", ROUTES)
    .post("/login", {
      callers: { people: { by: "anyone" } },
      body: Login,
      answer: one(SignedIn, "The session is in `Set-Cookie`; it may still await a second factor"),
      refusals: {
        401: "The e-mail address or the password is wrong",
        403: "Sent from another site, with a session",
      },
    }, async ({ c, body }) => {
      const user = await setSession(c, deps, await signIn(ownStranger(deps, c), body));
      return user.hasSecondFactor ? { ...user, awaits: "factor" as const } : user;
    })
    .get("/ways", {
      callers: { people: { by: "anyone" } },
      answer: one(SignInWays, "How people can sign in"),
    }, () => Promise.resolve({ mail: deps.isMailOn, provider: deps.provider?.setup.label ?? null }))
    .post("/forgotten", {
      callers: { people: { by: "anyone" } },
      body: Forgotten,
      answer: done("If the address can sign in here, a mail with a link is on its way"),
      refusals: { 409: "There is no mail server", 429: "Too many requests in an hour" },
    }, async ({ c, body }) => {
      if (!deps.isMailOn) {
        throw new Failure("conflict", "This service sends no mail: ask an owner for a link");
      }
      const asker = strangerOf(deps, c);
      await countLinkRequest(deps, { ...body, address: asker.browser.address });
      await requestLink(asker, body);
    }).routes;
}

export function myRoutes(deps: IdentityDeps) {
  return resource("/auth", ROUTES)
    .post("/logout", {
      callers: { people: anyStep },
      keepsAnswers: false,
      answer: done("The session has ended"),
    }, async ({ c }) => {
      const session = sessionHash(c);
      if (session) await signOut(deps.store, session);
      c.header("Set-Cookie", sessionCookie("", isHttps(deps), 0));
    })
    .get("/me", {
      callers: { people: settingUp },
      answer: versioned(Me, "The signed-in person"),
    }, async ({ ctx }) => {
      const { row: user } = await requireUser(ctx, ctx.actor.id);
      deps.onArrival(ctx);
      return await meOf(deps, ctx, user);
    })
    .patch("/me", {
      versioned: true,
      body: MyChange,
      answer: versioned(Me, "The changed person"),
    }, async ({ ctx, body, expected }) => {
      return await meOf(deps, ctx, await changeUser(ctx, ctx.actor.id, body, expected));
    })
    .post("/password", {
      keepsAnswers: false,
      body: PasswordChange,
      answer: done("All sessions have ended; a new one is in `Set-Cookie`"),
    }, async ({ c, ctx, body }) => {
      await setSession(c, deps, await changePassword(ctx, body, strangerOf(deps, c)));
    }).routes;
}

async function meOf(
  { visits }: IdentityDeps,
  ctx: Context,
  user: StoredUser,
): Promise<z.infer<typeof Me>> {
  const last = await visits.lastVisit(ctx, user.id, ctx.now());
  return { ...serialiseUser(user), lastVisitAt: last?.toISOString() ?? null };
}

const COOKIE = "pr_oidc";
const PATH = "/api/auth/provider";

const Begun = z.object({
  url: z.url().describe("Where the person signs in"),
}).meta({ id: "ProviderSignIn" });

const Answer = z.strictObject({
  query: z.string().max(8_192)
    .describe("The query of the address to which the provider has sent the browser"),
}).meta({ id: "ProviderAnswer" });

export function providerRoutes(deps: IdentityDeps) {
  const anyone = { people: { by: "anyone" } } as const;
  const cookie = (value: string, seconds: number) =>
    `${COOKIE}=${value}; HttpOnly; SameSite=Strict; Path=${PATH}; Max-Age=${seconds}` +
    (isHttps(deps) ? "; Secure" : "");
  const begin = async (c: AppContext, proving: Parameters<typeof beginAtProvider>[2]) => {
    const provider = requireProvider(deps);
    const { secret, url } = await beginAtProvider(strangerOf(deps, c), provider, proving);
    c.header("Set-Cookie", cookie(secret, BEGUN_MS / 1_000));
    c.header("Cache-Control", "no-store");
    return { url };
  };
  return resource("/auth/provider", { read: anyone, change: anyone })
    .post("/begin", {
      answer: one(Begun, "The address of the provider; the browser gets a cookie for its answer"),
      refusals: { 409: "There is no provider", 503: "The provider does not answer" },
    }, async ({ c }) => {
      refuseForeignOrigin(c, deps.publicUrl);
      return await begin(c, null);
    })
    .post("/prove", {
      callers: { people: viewer },
      keepsAnswers: false,
      answer: one(
        Begun,
        "Where the person signs in again, as a proof of identity for this session",
      ),
      refusals: { 409: "There is no provider", 503: "The provider does not answer" },
    }, ({ c, ctx }) => {
      const session = sessionHash(c);
      return begin(c, session && { userId: ctx.actor.id, session });
    })
    .post("/finish", {
      body: Answer,
      answer: one(User, "Signed in, or proved for 10 minutes; the session is in `Set-Cookie`"),
      refusals: { 403: "The answer is wrong or of another person, or the person has no role here" },
    }, async ({ c, body: { query } }) => {
      refuseForeignOrigin(c, deps.publicUrl);
      const answer = { secret: getCookie(c, COOKIE), query };
      const asker = strangerOf(deps, c);
      const signedIn = await signInByProvider(asker, requireProvider(deps), answer);
      const user = await setSession(c, deps, signedIn);
      c.header("Set-Cookie", cookie("", 0), { append: true });
      return user;
    }).routes;
}

function requireProvider({ provider }: IdentityDeps): Provider {
  if (provider) return provider;
  throw new Failure("conflict", "No provider is configured: sign in by password");
}
