/** How far an import is: a bar on a terminal, a line now and then elsewhere. */
import { Presets, SingleBar } from "cli-progress";
import type { QueuedImport } from "../../imports/state/import_job.ts";
import { printError } from "./terminal.ts";

export interface ImportProgress {
  update(job: QueuedImport, done: number): void;
  end(): void;
}

const LINE_MS = 5_000;

export function showProgress(): ImportProgress {
  return Deno.stderr.isTerminal() ? bar() : lines();
}

function bar(): ImportProgress {
  const format = "{phase} {bar} {percentage} % | {value} of {total} | {eta_formatted}";
  const shown = new SingleBar({ format, hideCursor: true, stopOnComplete: false }, Presets.rect);
  shown.start(1, 0, { phase: "waiting" });
  return {
    update(job, done) {
      const { total } = job.progress;
      if (total !== null) shown.setTotal(Math.max(1, total));
      shown.update(total === null ? 0 : done, { phase: wordOf(job) });
    },
    end: () => shown.stop(),
  };
}

function lines(): ImportProgress {
  let said = "";
  let saidAt = -Infinity;
  return {
    update(job, done) {
      const word = wordOf(job);
      const isDue = word !== said || performance.now() - saidAt >= LINE_MS;
      if (!isDue) return;
      said = word;
      saidAt = performance.now();
      const { processed, total } = job.progress;
      printError(
        total === null ? `${word}: ${processed} records read` : `${word}: ${done} of ${total}`,
      );
    },
    end() {},
  };
}

function wordOf({ status, phase }: QueuedImport): string {
  if (status !== "running") return status === "queued" ? "waiting" : status;
  if (phase === "plan") return "planning";
  return phase === "apply" ? "applying" : "checking";
}
