/** One look at a page by somebody who has no store: the way out is guarded, and robots.txt asked first. */

import { TooComplex } from "../../base/failure.ts";
import { judgeUrl } from "../../platform/fetch/address_guard.ts";
import { fetchedUrl } from "../../shops/matches/match_url.ts";
import { fetchPage } from "../page/fetch_page.ts";
import { fetchRobots } from "../page/fetch_robots.ts";
import { NOT_LEARNING } from "../page/page_lesson.ts";
import { productToken } from "../page/robots_verdict.ts";
import { type ReadingTurn, REDIRECTS_MAX, type ScrapeDeps } from "../page/scrape_deps.ts";
import type { AskedPage, Looked } from "./preview_page.ts";

const TURN: ReadingTurn = { lane: "command" };

/** Fetches a page once, wherever redirects lead. */
export async function lookOnce(deps: ScrapeDeps, asked: AskedPage): Promise<Looked> {
  const askedUrl = fetchedUrl(asked.url);
  let [url, hops] = [askedUrl, 0];
  for (;;) {
    const verdict = judgeUrl(url, deps.limits);
    if ("misfit" in verdict) {
      const isPrivate = verdict.misfit === "private_address";
      const code = isPrivate ? "private_address" : "redirect_refused";
      return refused(code, "The address must not be asked");
    }
    const robots = await askRobots(deps, verdict.url);
    if ("refused" in robots) return robots.refused;
    const { outcome } = await fetchPage(deps, {
      ...asked,
      ...ofLook(),
      reading: TURN,
      url,
      askedUrl,
      learning: NOT_LEARNING,
      validators: null,
      isThorough: true,
      redirectsMax: REDIRECTS_MAX - hops,
      allows: robots.allows,
    });
    if (outcome.kind !== "moved") return outcome;
    [url, hops] = [outcome.url, hops + outcome.hops];
    if (hops > REDIRECTS_MAX) return refused("redirect_refused", "Too many redirects");
  }
}

type Allowed = { readonly allows: (url: URL) => Promise<boolean> };

async function askRobots(
  deps: ScrapeDeps,
  url: URL,
): Promise<Allowed | { readonly refused: Looked }> {
  const { origin } = url;
  const { robots } = await fetchRobots(deps, { ...ofLook(), origin });
  if (robots.kind === "open") return { allows: () => Promise.resolve(true) };
  if (robots.kind === "closed") {
    const { errorCode, message } = robots;
    return {
      refused: refused(errorCode ?? "robots_disallowed", message ?? "robots.txt is unknown"),
    };
  }
  const { text } = robots;
  const token = productToken(deps.userAgent);
  const allows = async (other: URL) => {
    const question = { file: origin, text, token, url: other.href };
    const answer = await deps.reader.robots(question, TURN);
    return answer.kind === "known" && answer.isAllowed;
  };
  try {
    if (await allows(url)) return { allows };
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return { refused: refused("too_complex", error.message) };
  }
  const message = "robots.txt of the shop does not allow this page";
  return { refused: refused("robots_disallowed", message) };
}

function ofLook() {
  const { signal } = new AbortController();
  return { signal, now: () => new Date() };
}

function refused(errorCode: string, message: string): Looked {
  return { kind: "refused", status: "failed", errorCode, message };
}
