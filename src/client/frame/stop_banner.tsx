import { useApp } from "../app/app.ts";
import { useChange } from "../app/use_change.ts";
import { useDocument } from "../app/use_document.ts";
import { Button } from "../parts/button.tsx";

/** Somebody else may stop them while this page is open. */
const LOOK_MS = 60_000;

/** Tells on every screen that no rule sets prices by itself, since when and why. */
export function StopBanner() {
  const { words, show, toasts, may } = useApp();
  const texts = words.automation;
  const found = useDocument({
    key: ["automation", "settings"],
    read: (api) => api.GET("/api/settings"),
    everyMs: () => LOOK_MS,
  });
  const resume = useChange({
    run: (call) => call((api) => api.POST("/api/automation/resume", { body: {} })),
    touches: ["automation", "audit"],
    onDone: () => toasts.tell(texts.resumed),
  });
  const stop = found.data?.automationStop;
  if (!stop) return null;
  return (
    <section class="note bad banner" aria-label={texts.stopped}>
      <strong>{texts.stopped}</strong>
      <p>
        {texts.since(show.dateTime(stop.at), stop.byName, stop.reason)}
        <br />
        {texts.onlyProposed}
      </p>
      {may("manager") && (
        <div class="note-foot">
          <Button kind="main" isBusy={resume.isPending} onClick={() => resume.mutate(undefined)}>
            {texts.resume}
          </Button>
        </div>
      )}
    </section>
  );
}
