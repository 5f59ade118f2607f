import type { AlertDeps } from "../alerts/raise_alert.ts";
import type { Clockwork } from "../../platform/store/context.ts";
import type { SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import type { roomLog } from "../../platform/log.ts";
import type { Store } from "../../platform/store/kv.ts";

/** What it takes to deliver. */
export interface DeliverySetup {
  readonly store: Store;
  readonly clockwork: Clockwork;
  /** The guarded way out; no other is taken. */
  readonly fetch: SafeFetch;
  readonly alerts: AlertDeps;
  readonly log: ReturnType<typeof roomLog>;
  /** 0 to 1, for the jitter of rests. */
  random(): number;
}
