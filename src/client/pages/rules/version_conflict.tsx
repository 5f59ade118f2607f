import { useApp } from "../../app/app.ts";
import { Button } from "../../parts/button.tsx";

/** Shown while somebody else's version is newer than the one that is being edited. */
export function VersionConflict({ onTheirs }: { onTheirs: () => void }) {
  const { words } = useApp();
  const texts = words.rules;
  return (
    <div class="note warn" role="alert">
      <strong>{texts.versionTitle}</strong>
      <p>{texts.versionText}</p>
      <div class="form-actions">
        <Button onClick={onTheirs}>{texts.takeTheirs}</Button>
      </div>
    </div>
  );
}
