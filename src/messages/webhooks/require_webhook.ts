import { noSuch, refuseFields } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { judgeUrl, type UrlLimits, type UrlMisfit } from "../../platform/fetch/address_guard.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { findWebhook, type FoundWebhook } from "./webhook_store.ts";

/** Refuses with `not_found`, for another workspace's webhook too. */
export async function requireWebhook(workspace: WorkspaceStore, id: string): Promise<FoundWebhook> {
  const found = isId(id) ? await findWebhook(workspace, id) : null;
  if (found) return found;
  throw noSuch("webhook", id);
}

const MISFIT_WORDS: Record<UrlMisfit, string> = {
  malformed: "Must be a URL such as https://erp.example/hook",
  scheme: "Must begin with https:// or http://",
  credentials: "Must not hold a user name or a password",
  port: "Must not name a port but those that are open to this service",
  private_address: "Must lead to a public address",
};

/**
 * The URL in its normal spelling. Refuses what the guard of addresses refuses
 * (docs/decisions/scraping.md, SSRF).
 */
export function requireUrl(text: string, limits: UrlLimits): string {
  const verdict = judgeUrl(text, limits);
  if ("url" in verdict) return verdict.url.href;
  throw refuseFields([{ path: "url", message: MISFIT_WORDS[verdict.misfit] }]);
}
