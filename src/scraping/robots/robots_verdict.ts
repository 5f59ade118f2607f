import type { Store } from "../../platform/kv.ts";
import { allowsUrl, parseRobots } from "./robots_rules.ts";
import { findRobots } from "./robots_store.ts";

/** What the robots.txt of an origin says to one URL, and to others there. */
export type RobotsVerdict =
  /** It has to be asked first. */
  | { readonly kind: "unknown" }
  | {
    readonly kind: "refused";
    readonly errorCode: string;
    readonly message: string;
    /** False when it is unknown what the file says, because the shop did not hand it out. */
    readonly isAnswered: boolean;
  }
  /** `allows` judges another URL of the same origin. */
  | { readonly kind: "allowed"; allows(url: URL): boolean };

/** The token that robots.txt files know us by: the first product of `User-Agent` (RFC 9309 §2.2.1). */
export function productToken(userAgent: string): string {
  return /^[a-z_-]*/i.exec(userAgent.trim())?.[0] ?? "";
}

/** By what is known at `nowMs`; nothing is fetched here. */
export async function judgeByRobots(
  store: Store,
  url: URL,
  token: string,
  nowMs: number,
): Promise<RobotsVerdict> {
  const known = await findRobots(store, url.origin, nowMs);
  if (known === null) return { kind: "unknown" };
  if (known.kind === "open") return { kind: "allowed", allows: () => true };
  if (known.kind === "closed") {
    const errorCode = known.errorCode ?? "robots_disallowed";
    const message = known.message ?? "robots.txt is unknown";
    return { kind: "refused", errorCode, message, isAnswered: false };
  }
  const rules = parseRobots(known.text);
  const allows = (other: URL) => allowsUrl(rules, token, other.href);
  if (allows(url)) return { kind: "allowed", allows };
  const message = "robots.txt of the shop does not allow this page";
  return { kind: "refused", errorCode: "robots_disallowed", message, isAnswered: true };
}
