import { z } from "@hono/zod-openapi";
import { composed } from "../../base/text.ts";
import type { Actor, ClockAndIds } from "../../platform/store/context.ts";
import { ROLES } from "../roles.ts";
import { Name } from "../workspace.ts";

/** Maximum length of an address. */
export const EMAIL_CHARACTERS_MAX = 254;
/**
 * Checked before the text is trimmed and normalised, which takes minutes for a megabyte of accents.
 */
const TYPED_EMAIL_CHARACTERS_MAX = 1_024;

/** Allows letters of any script on both sides, like mail systems today (RFC 6531). */
const EMAIL_FORM =
  /^[^\s@"<>()[\],;:\\\p{C}]{1,64}@(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;

/**
 * An address in the form in which it is stored and compared: trimmed, NFC, lower case
 * (docs/decisions/identity.md).
 */
export const Email = z.string()
  .max(TYPED_EMAIL_CHARACTERS_MAX, {
    abort: true,
    error: `Must have at most ${EMAIL_CHARACTERS_MAX} characters`,
  })
  .overwrite(foldEmail)
  .max(EMAIL_CHARACTERS_MAX, `Must have at most ${EMAIL_CHARACTERS_MAX} characters`)
  .pipe(z.email({ pattern: EMAIL_FORM, error: "Must be an e-mail address" }))
  .meta({ format: "email", example: "anna@shop.example" });

export function foldEmail(text: string): string {
  return composed(text.trim()).toLowerCase();
}

export const UserRole = z.enum(ROLES).meta({
  id: "Role",
  description:
    "viewer: may read; manager: everything except users, keys and settings; owner: everything",
});

/** The name of a person; `null` if unknown, and then the address is shown. */
export const PersonName = Name.nullable().meta({
  description: "The displayed name of the person; null: their address is shown",
  example: "Jana Petersen",
});

/** A person of a workspace, in answers. */
export const User = z.object({
  id: z.string(),
  email: z.string(),
  name: PersonName,
  role: UserRole,
  status: z.enum(["invited", "active"]).meta({
    description: "`invited` until the person has chosen a password",
  }),
  hasSecondFactor: z.boolean(),
  createdAt: z.iso.datetime(),
}).meta({ id: "User" });

export type User = z.infer<typeof User>;

/**
 * A user with the fields that never leave the service; `passwordHash` is null until the person
 * chooses a password.
 */
export interface StoredUser extends Omit<User, "status" | "name" | "hasSecondFactor"> {
  /** Absent in older rows. */
  readonly name?: string | null;
  readonly workspaceId: string;
  readonly passwordHash: string | null;
  /** Sessions of an older generation have ended. Changing the password increases the number. */
  readonly sessionGeneration: number;
  /** True if the person wants the morning mail; absent in older rows. */
  readonly dailyMail?: boolean;
  /** True if the person has signed in by the operator's provider; absent in older rows. */
  readonly hasProvider?: boolean;
  /** True if the person has a second factor; absent in older rows. */
  readonly hasFactor?: boolean;
}

export function newUser(
  clock: Pick<ClockAndIds, "newId" | "now">,
  workspaceId: string,
  person: Pick<StoredUser, "email" | "name" | "role" | "passwordHash">,
): StoredUser {
  const createdAt = clock.now().toISOString();
  return { id: clock.newId(), workspaceId, ...person, sessionGeneration: 0, createdAt };
}

export function serialiseUser(user: StoredUser): User {
  const { id, email, name = null, role, passwordHash, hasFactor = false, createdAt } = user;
  const status = passwordHash === null && !user.hasProvider ? "invited" : "active";
  return { id, email, name, role, status, hasSecondFactor: hasFactor, createdAt };
}

/** Fields of a person that an owner cannot change. */
export const USER_READ_ONLY = ["id", "email", "status", "hasSecondFactor", "createdAt"] as const;

/** The name of a person, or their address. */
export function personName({ name, email }: Pick<StoredUser, "name" | "email">): string {
  return name ?? email;
}

export function actorOf(user: Pick<StoredUser, "id" | "name" | "email">): Actor {
  return { type: "user", id: user.id, name: personName(user) };
}
