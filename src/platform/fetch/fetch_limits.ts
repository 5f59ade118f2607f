/**
 * Limits the time of a fetch, the addresses that a fetch may connect to, and the memory of fetched
 * pages. A name is resolved once, and the connection uses the checked addresses, so that a second
 * answer of the DNS server cannot lead to a private address. Only a few large bodies are in memory
 * at a time.
 */
import ipaddr from "ipaddr.js";
import { lookup } from "node:dns/promises";
import { FairQueue } from "../fair_queue.ts";
import { type AddressAllowList, isAllowedAddress, isAllowedHost, portOf } from "./address_guard.ts";

export class FetchTrouble extends Error {
  constructor(readonly errorCode: FetchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "FetchTrouble";
  }
}

export type FetchErrorCode =
  | "timeout"
  | "dns_error"
  | "unreachable"
  | "private_address"
  | "redirect_refused"
  | "too_large"
  | "unsupported_content";

/** A timer ends the wait for the fetch, because some reads ignore `AbortSignal`. */
export class Deadline implements Disposable {
  readonly #endsAt: number;
  readonly #expired: Promise<never>;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;

  constructor(timeoutMs: number, signal: AbortSignal) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#endsAt = performance.now() + timeoutMs;
    this.#expired = promise;
    // Without this handler, a rejection before `race` is called would end the process.
    promise.catch(() => {});
    this.#timer = setTimeout(() => reject(lateAfter(timeoutMs)), timeoutMs);
    this.#signal = signal;
    this.#onAbort = () => reject(signal.reason);
    if (signal.aborted) this.#onAbort();
    signal.addEventListener("abort", this.#onAbort);
  }

  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  async race<T>(promise: Promise<T>): Promise<T> {
    promise.catch(() => {});
    const value = await Promise.race([promise, this.#expired]);
    // Compare the time too, because the timer never fires while a stream always has data ready.
    if (this.leftMs === 0) throw lateAfter(0);
    return value;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#onAbort);
  }
}

function lateAfter(timeoutMs: number): FetchTrouble {
  const span = timeoutMs > 0 ? ` within ${timeoutMs} ms` : " in time";
  return new FetchTrouble("timeout", `The page did not arrive${span}`);
}

export type Resolve = (name: string) => Promise<readonly string[]>;

export const resolveBySystem: Resolve = async (name) => {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
};

/** Returns the host's addresses, IPv4 first. Throws `private_address` if one address is refused. */
export async function checkedAddresses(
  url: URL,
  { resolve, allowed, deadline }: {
    readonly resolve: Resolve;
    readonly allowed: AddressAllowList;
    readonly deadline: Deadline;
  },
): Promise<string[]> {
  const host = hostOf(url);
  const addresses = ipaddr.isValid(host) ? [host] : await resolveName(host, resolve, deadline);
  const port = portOf(url);
  const isNamed = isAllowedHost(host, port, allowed);
  const isOpen = isNamed ||
    addresses.every((address) => isAllowedAddress(address, allowed, port));
  if (!isOpen) {
    throw new FetchTrouble("private_address", `"${host}" leads to an address that is not public`);
  }
  return addresses.toSorted((a, b) => familyOf(a) - familyOf(b));
}

/** Returns the host name or IP address that the server's certificate must name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

async function resolveName(name: string, resolve: Resolve, deadline: Deadline): Promise<string[]> {
  let addresses: readonly string[];
  try {
    addresses = await deadline.race(resolve(name));
  } catch (cause) {
    if (cause instanceof FetchTrouble) throw cause;
    throw new FetchTrouble("dns_error", `The name "${name}" cannot be resolved`, { cause });
  }
  if (addresses.length > 0) return [...addresses];
  throw new FetchTrouble("dns_error", `The name "${name}" has no address`);
}

function familyOf(address: string): 4 | 6 {
  return ipaddr.IPv4.isValid(address) ? 4 : 6;
}

interface BodyRoomLimits {
  readonly smallBytes: number;
  readonly largeAtOnce: number;
}

/** With these limits, 64 simultaneous pages of up to 4 MiB together use at most 80 MiB. */
const BODY_ROOM_LIMITS: BodyRoomLimits = { smallBytes: 512 * 1024, largeAtOnce: 12 };

interface BodyPlace extends Disposable {
  admit(bytes: number): Promise<void>;
}

export interface BodyRoom {
  begin(workspaceId: string): BodyPlace;
}

export function createBodyRoom(
  { smallBytes, largeAtOnce }: BodyRoomLimits = BODY_ROOM_LIMITS,
): BodyRoom {
  const permits = new FairQueue(largeAtOnce, { keepsSlotsFree: true });
  return {
    begin(workspaceId) {
      const left = new AbortController();
      const { promise: leaving, resolve: leave } = Promise.withResolvers<void>();
      let entering: Promise<void> | null = null;
      const enter = () =>
        new Promise<void>((resolve) => {
          const hold = () => {
            resolve();
            return leaving;
          };
          // `run` rejects if the caller disposes of the body while the body still waits.
          permits.run(workspaceId, hold, left.signal).catch(() => {});
        });
      return {
        async admit(bytes) {
          if (bytes > smallBytes) await (entering ??= enter());
        },
        [Symbol.dispose]() {
          leave();
          left.abort();
        },
      };
    },
  };
}
