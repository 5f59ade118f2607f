/**
 * A browser that has signed in keeps a cookie that says so, for each account of its own. It lets
 * nobody in: it only spares the owner of an account the waiting that strangers cause by guessing
 * (`login_throttle.ts`). The value is signed with the store's secret over the account and its password,
 * so a new password makes the cookies of all browsers void.
 */

import { sha256Hex } from "../../base/bytes.ts";
import type { AppContext } from "../../platform/http/app_context.ts";
import type { Store } from "../../platform/store/kv.ts";
import { requireStoreSecret } from "../../platform/store/store_secret_store.ts";
import type { StoredUser } from "../users/user.ts";
import { getCookie } from "hono/cookie";
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";

/** Browsers keep no cookie for longer. */
const KNOWN_SECONDS = 400 * 24 * 3_600;

/** The value of `Set-Cookie` by which this browser is known to the user's account. */
export async function knownBrowserCookie(
  store: Store,
  user: StoredUser,
  isHttps: boolean,
): Promise<string> {
  const attributes = `HttpOnly; SameSite=Strict; Path=/api/auth/login; Max-Age=${KNOWN_SECONDS}`;
  const signature = (await signatureOf(store, user)).toString("base64url");
  return `${nameOf(user)}=${signature}; ${attributes}${isHttps ? "; Secure" : ""}`;
}

/** True when the request comes from a browser that has signed in to the user's account. */
export async function isKnownBrowser(
  c: AppContext,
  store: Store,
  user: StoredUser,
): Promise<boolean> {
  const cookie = getCookie(c, nameOf(user));
  if (cookie === undefined) return false;
  const sent = Buffer.from(cookie, "base64url");
  const signature = await signatureOf(store, user);
  return sent.length === signature.length && timingSafeEqual(sent, signature);
}

function nameOf({ id }: StoredUser): string {
  return `pr_known_${sha256Hex(id).slice(0, 12)}`;
}

async function signatureOf(store: Store, { id, passwordHash }: StoredUser): Promise<Buffer> {
  return createHmac("sha256", await requireStoreSecret(store))
    .update(`known browser\n${id}\n${passwordHash ?? ""}`)
    .digest();
}
