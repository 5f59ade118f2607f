/** Declares routes of second factors, identity proofs and sessions (docs/decisions/identity.md). */
import { z } from "@hono/zod-openapi";
import { Failure } from "../base/failure.ts";
import { custom, done, one } from "../platform/http/answer.ts";
import { type AppContext, jsonAnswer } from "../platform/http/http.ts";
import { resource } from "../platform/http/resource.ts";
import {
  type IdentityDeps,
  ownStranger,
  passkeyTools,
  setSession,
  strangerOf,
} from "./session_routes.ts";
import {
  addPasskey,
  beginApp,
  confirmApp,
  Factors,
  factorsOf,
  removeApp,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  resetFactors,
} from "./factors/change_factors.ts";
import {
  answerOptions,
  listPasskeys,
  MadePasskey,
  Passkey,
  PasskeyAnswer,
  PasskeyName,
  registrationOptions,
} from "./factors/passkey.ts";
import { anyStep, owner, settingUp, viewer } from "./roles.ts";
import {
  endOtherSessions,
  endSession,
  endSessionsOf,
  listSessions,
  OwnSession,
  sessionHash,
} from "./sessions/session.ts";
import {
  completeSession,
  Proof,
  ProofChoice,
  proofChoice,
  prove,
  signInByPasskey,
} from "./sessions/prove.ts";
import { requireUser, User } from "./users/user.ts";

const NewApp = z.object({
  secret: z.string().describe("To be typed, in base32"),
  uri: z.string().describe("The content of the QR code"),
}).meta({ id: "NewAuthenticatorApp" });

const Codes = z.object({
  recoveryCodes: z.array(z.string())
    .describe("Shown only once; empty if the person has some already"),
}).meta({ id: "RecoveryCodes" });

const AddedPasskey = Codes.extend({ passkey: Passkey }).meta({ id: "AddedPasskey" });

const options = (words: string) =>
  custom({ 200: jsonAnswer(z.looseObject({ challenge: z.string() }), words) });

export function factorRoutes(deps: IdentityDeps) {
  return [
    ...proofRoutes(deps),
    ...appRoutes(deps),
    ...passkeyRoutes(deps),
    ...ownSessionRoutes(),
    ...resource("/users", { read: { people: owner }, change: { people: owner } })
      .delete("/{id}/factors", {
        sensitive: true,
        answer: done("The person has no second factor any more, and their sessions have ended"),
      }, async ({ ctx, id }) => {
        await resetFactors(ctx, id);
      })
      .delete("/{id}/sessions", {
        sensitive: true,
        answer: done("All sessions of the person have ended"),
      }, ({ ctx, id }) => endSessionsOf(ctx, id)).routes,
  ];
}

function proofRoutes(deps: IdentityDeps) {
  const proverOf = (c: AppContext) => ({ ...strangerOf(deps, c), tools: passkeyTools(deps) });
  const anyone = { people: { by: "anyone" } } as const;
  return resource("/auth", { read: { people: anyStep }, change: { people: anyStep } })
    .get("/prove", {
      answer: one(ProofChoice, "The proofs of identity that the person can give now"),
    }, ({ c, ctx }) => proofChoice(ctx, proverOf(c), deps.provider?.setup.label ?? null))
    .post("/prove", {
      keepsAnswers: false,
      body: Proof,
      answer: one(User, "Proved, for 10 minutes; the session has a new token in `Set-Cookie`"),
    }, async ({ c, ctx, body }) => {
      return await setSession(c, deps, await prove(ctx, body, proverOf(c)));
    })
    .post("/prove/passkey", {
      keepsAnswers: false,
      answer: options("A challenge for the person's passkeys, valid for 5 minutes"),
    }, async ({ c, ctx }) => {
      const known = await listPasskeys(ctx, ctx.actor.id);
      return c.json(await answerOptions(requireTools(deps), ctx.actor.id, known));
    })
    .post("/passkey-login/challenge", {
      callers: anyone,
      answer: options("A challenge for any passkey of this service, valid for 5 minutes"),
    }, async ({ c }) => c.json(await answerOptions(requireTools(deps), null, null)))
    .post("/passkey-login", {
      callers: anyone,
      body: z.strictObject({ passkey: PasskeyAnswer }).meta({ id: "PasskeyLogin" }),
      answer: one(User, "Signed in; the session is in `Set-Cookie`"),
      refusals: {
        401: "The passkey is unknown, or has not verified the person",
        403: "Sent from another site, with a session",
      },
    }, async ({ c, body }) => {
      const asker = ownStranger(deps, c);
      const signedIn = await signInByPasskey(asker, requireTools(deps), body.passkey);
      return await setSession(c, deps, signedIn);
    }).routes;
}

function appRoutes(deps: IdentityDeps) {
  return resource("/auth/factors", { read: { people: settingUp }, change: { people: settingUp } })
    .get("", {
      answer: one(Factors, "The person's second factors"),
    }, ({ ctx }) => factorsOf(ctx, passkeyTools(deps) !== null))
    .post("/totp", {
      keepsAnswers: false,
      sensitive: true,
      answer: one(NewApp, "The secret of an authenticator app, which its first code confirms"),
    }, ({ ctx }) => beginApp(ctx))
    .post("/totp/confirm", {
      keepsAnswers: false,
      sensitive: true,
      body: z.strictObject({ code: z.string().max(100) }).meta({ id: "AppConfirmation" }),
      answer: one(Codes, "The app is a second factor; the session has a new token"),
    }, async ({ c, ctx, body }) => {
      const recoveryCodes = await confirmApp(ctx, body.code);
      await setSession(c, deps, await completeSession(ctx, hashOf(c)));
      return { recoveryCodes };
    })
    .delete("/totp", {
      callers: { people: viewer },
      sensitive: true,
      answer: done("The app is no second factor any more; 409 for the last required one"),
    }, ({ ctx }) => removeApp(ctx))
    .post("/recovery-codes", {
      keepsAnswers: false,
      sensitive: true,
      answer: one(Codes, "New recovery codes; the old ones are void"),
    }, async ({ ctx }) => ({ recoveryCodes: await renewRecoveryCodes(ctx) })).routes;
}

function passkeyRoutes(deps: IdentityDeps) {
  return resource("/auth/passkeys", { read: { people: settingUp }, change: { people: settingUp } })
    .post("/challenge", {
      keepsAnswers: false,
      sensitive: true,
      answer: options("A challenge for a new passkey, valid for 5 minutes"),
    }, async ({ c, ctx }) => {
      const { row: user } = await requireUser(ctx, ctx.actor.id);
      const known = await listPasskeys(ctx, user.id);
      const asked = { userId: user.id, email: user.email, known };
      return c.json(await registrationOptions(requireTools(deps), asked));
    })
    .post("", {
      keepsAnswers: false,
      sensitive: true,
      body: z.strictObject({ name: PasskeyName, passkey: MadePasskey }).meta({ id: "NewPasskey" }),
      answer: one(AddedPasskey, "The new passkey; the session has a new token"),
      status: 201,
    }, async ({ c, ctx, body }) => {
      const { passkey, codes } = await addPasskey(ctx, requireTools(deps), body);
      await setSession(c, deps, await completeSession(ctx, hashOf(c)));
      return { passkey, recoveryCodes: codes };
    })
    .patch("/{id}", {
      callers: { people: viewer },
      body: z.strictObject({ name: PasskeyName }).meta({ id: "PasskeyChange" }),
      answer: one(Passkey, "The renamed passkey"),
    }, ({ ctx, id, body }) => renamePasskey(ctx, id, body.name))
    .delete("/{id}", {
      callers: { people: viewer },
      sensitive: true,
      answer: done("The passkey was removed; 409 for the last required factor"),
    }, ({ ctx, id }) => removePasskey(ctx, id)).routes;
}

function ownSessionRoutes() {
  const Sessions = z.object({ items: z.array(OwnSession) }).meta({ id: "Sessions" });
  return resource("/auth/sessions", { read: { people: viewer }, change: { people: viewer } })
    .get("", {
      answer: one(Sessions, "The person's sessions, the last used first"),
    }, async ({ c, ctx }) => ({ items: await listSessions(ctx, hashOf(c)) }))
    .post("/end-others", {
      sensitive: true,
      answer: done("All other sessions of the person have ended"),
    }, ({ c, ctx }) => endOtherSessions(ctx, hashOf(c)))
    .delete("/{id}", {
      sensitive: true,
      answer: done("The session has ended"),
    }, ({ ctx, id }) => endSession(ctx, id)).routes;
}

function requireTools(deps: IdentityDeps) {
  const tools = passkeyTools(deps);
  if (tools) return tools;
  throw new Failure("conflict", "Passkeys need PUBLIC_URL with https and a host name");
}

function hashOf(c: AppContext): Uint8Array {
  const hash = sessionHash(c);
  if (hash === null) throw new Error("An admitted request has no session");
  return hash;
}
