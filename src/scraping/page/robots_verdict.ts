import { TooComplex } from "../../base/failure.ts";
import type { SandboxTurn } from "../../platform/sandbox/sandbox.ts";
import type { Store } from "../../platform/store/kv.ts";
import type { RobotsAnswer, RobotsQuestion } from "./ask_robots.ts";
import { findRobots, readRobotsText, type StoredRobots } from "./robots_store.ts";

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
  | { readonly kind: "allowed"; allows(url: URL): Promise<boolean> };

/** Reads a robots.txt where that hurts nobody; throws `TooComplex` when it is too much work. */
export interface RobotsReader {
  robots(question: RobotsQuestion, turn: SandboxTurn): Promise<RobotsAnswer>;
}

/** Who asks a file, and with whose help. */
export interface RobotsAsker {
  readonly store: Store;
  readonly reader: RobotsReader;
  /** The whole header; its first product is who robots.txt files know us as. */
  readonly userAgent: string;
  readonly turn: SandboxTurn;
}

/** The token that robots.txt files know us by: the first product of `User-Agent` (RFC 9309 §2.2.1). */
export function productToken(userAgent: string): string {
  return /^[a-z_-]*/i.exec(userAgent.trim())?.[0] ?? "";
}

/** By what is known at `nowMs`; nothing is fetched here. */
export async function judgeByRobots(
  asker: RobotsAsker,
  url: URL,
  nowMs: number,
): Promise<RobotsVerdict> {
  const known = await findRobots(asker.store, url.origin, nowMs);
  if (known === null) return { kind: "unknown" };
  if (known.kind === "open") return { kind: "allowed", allows: () => Promise.resolve(true) };
  if (known.kind === "closed") {
    const errorCode = known.errorCode ?? "robots_disallowed";
    const message = known.message ?? "robots.txt is unknown";
    return { kind: "refused", errorCode, message, isAnswered: false };
  }
  try {
    const allows = (other: URL) => askFile(asker, known, other);
    if (await allows(url)) return { kind: "allowed", allows };
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    const message = `robots.txt of the shop is too much work to read: ${error.message}`;
    return { kind: "refused", errorCode: "too_complex", message, isAnswered: true };
  }
  const message = "robots.txt of the shop does not allow this page";
  return { kind: "refused", errorCode: "robots_disallowed", message, isAnswered: true };
}

/** The text is read from the store and handed over only where the file is not known already. */
async function askFile(
  { store, reader, userAgent, turn }: RobotsAsker,
  { origin, version }: StoredRobots,
  url: URL,
): Promise<boolean> {
  const question = {
    file: `${origin} ${version}`,
    token: productToken(userAgent),
    url: url.href,
  };
  const first = await reader.robots({ ...question, text: null }, turn);
  if (first.kind === "known") return first.isAllowed;
  const text = await readRobotsText(store, { origin, version });
  const second = await reader.robots({ ...question, text }, turn);
  return second.kind === "known" && second.isAllowed;
}
