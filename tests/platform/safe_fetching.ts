import {
  createSafeFetch,
  type FetchRequest,
  type FetchResult,
  type SafeFetchSetup,
} from "../../src/platform/fetch/safe_fetch.ts";
import { type AddressAllowList, parseAllowList } from "../../src/platform/fetch/fetch_limits.ts";
import { PATIENCE_MS } from "../patience.ts";
import { ok } from "node:assert/strict";

export function allowing(...entries: string[]): AddressAllowList {
  const list = parseAllowList(entries);
  ok("allowed" in list, "the list is readable");
  return list.allowed;
}

const SETUP: SafeFetchSetup = {
  allowed: allowing("127.0.0.0/8"),
  ports: new Set([80, 443]),
  userAgent: "KurantTest/1.0",
  resolve: () => Promise.reject(new Error("No name is looked up here")),
  dial: (address, port) => ({ address, port }),
};

const REQUEST: Omit<FetchRequest, "url"> = {
  timeoutMs: PATIENCE_MS,
  redirectsMax: 5,
  bytesMax: 1024 * 1024,
  onTooLarge: "refuse",
  signal: new AbortController().signal,
};

export function fetchPage(
  url: string,
  request: Partial<FetchRequest> = {},
  setup: Partial<SafeFetchSetup> = {},
): Promise<FetchResult> {
  return createSafeFetch({ ...SETUP, ...setup })({ ...REQUEST, url, ...request });
}

/** Returns for example `200 text`, or the error code of a failed fetch. */
export function saidOf(result: FetchResult): string {
  if (result.kind !== "answer") return result.kind === "failed" ? result.errorCode : result.kind;
  return `${result.status} ${new TextDecoder().decode(result.body)}`;
}

export async function fetchText(...asked: Parameters<typeof fetchPage>): Promise<string> {
  return saidOf(await fetchPage(...asked));
}
