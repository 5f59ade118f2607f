import { useChange } from "../app/use_change.ts";
import { Button } from "../parts/button.tsx";
import { useApp } from "../app/app.ts";

/** Tells that an upgrade has switched the hold of imports on, until somebody who may has confirmed it. */
export function HoldBanner() {
  const { words, show, workspace, may } = useApp();
  const texts = words.holdBanner;
  const confirm = useChange({
    run: (call) => call((api) => api.POST("/api/import-hold/confirm")),
    touches: ["audit"],
    onDone: (changed) => {
      workspace.value = changed;
    },
  });
  const settings = workspace.value;
  const hold = settings?.importHold;
  if (!hold || !settings.importHoldUnconfirmed || !may("manager")) return null;
  return (
    <section class="note warn banner" aria-label={texts.title}>
      <strong>{texts.title}</strong>
      <p>{texts.text(show.percent(hold.movePct), show.percent(hold.sharePct))}</p>
      <div class="note-foot">
        <Button kind="main" isBusy={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
          {texts.keep}
        </Button>
        {may("owner") && <a class="button plain" href="/settings/workspace">{texts.change}</a>}
      </div>
    </section>
  );
}
