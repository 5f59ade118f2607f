import type { Run } from "../../../scraping/runs/run.ts";
import { useApp, useDocument } from "../../app/app.ts";
import { Badge, JOB_TONES } from "../controls.tsx";
import { Progress } from "../page.tsx";
import type { Words } from "../../words/words.ts";
import { labelIn } from "../../words/label.ts";
import { get } from "../../api/call.ts";

export function RunState({ run }: { run: Run }) {
  const { states, withErrors } = useApp().words.runs;
  const isPartly = run.status === "succeeded" && run.hasErrors;
  return (
    <Badge tone={isPartly ? "warn" : JOB_TONES[run.status]}>
      {isPartly ? withErrors : states[run.status]}
    </Badge>
  );
}

export function RunProgress({ run }: { run: Run }) {
  const texts = useApp().words.runs;
  const { targets, ok, failed, skipped } = run.counts;
  if (run.status === "queued" || targets === 0) {
    return <Progress done={0} total={null} label={texts.waiting} />;
  }
  const done = ok + failed + skipped;
  return <Progress done={done} total={targets} label={texts.progress(done, targets)} />;
}

export function scrapeErrorText({ runs }: Words, code: string | null): string {
  return code === null ? "" : labelIn(runs.errors, code);
}

export function useMethodNames(): (code: string) => string {
  const { language } = useApp();
  const { data } = useDocument(get("/api/scrape-methods"));
  return (code) => {
    if (data === undefined) return "…";
    return data.data.find(({ value }) => value === code)?.label[language.value] ?? code;
  };
}
