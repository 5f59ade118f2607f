/** Runs imports without an app, so that a test can act between commits. */

import { readConfig } from "../../src/app/composition/config.ts";
import { importDeps } from "../../src/app/composition/room_deps.ts";
import { createClearingKind, createImportKind } from "../../src/imports/jobs/import_kind.ts";
import type { JobKind } from "../../src/platform/jobs/job.ts";
import { JobRunner } from "../../src/platform/jobs/job_runner.ts";
import { roomLog } from "../../src/platform/log.ts";
import type { ClockAndIds } from "../../src/platform/store/context.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import { PATIENT } from "../killed_process.ts";

export function importKinds(): readonly JobKind[] {
  const deps = importDeps(readConfig(() => undefined), () => {});
  return [createImportKind(deps), createClearingKind()];
}

export function createImportRunner(store: Store, clock: ClockAndIds): JobRunner {
  const kinds = importKinds();
  const log = roomLog("jobs");
  return new JobRunner({ store, clock, boot: clock.newId(), kinds, log, timing: PATIENT });
}
