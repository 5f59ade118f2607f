import { useApp } from "../../app/app.ts";
import { CopyBlock, CopyText } from "../../parts/copy_text.tsx";
import { ToldDialog } from "../../parts/told_dialog.tsx";
import type { CreatedKey } from "./new_key_dialog.tsx";

interface MadeKeyDialogProps {
  readonly made: CreatedKey;
  onClose(): void;
}

/** The one time that a key is shown, with a command that works when it is pasted. */
export function MadeKeyDialog({ made, onClose }: MadeKeyDialogProps) {
  const { words } = useApp();
  const texts = words.settings.keys;
  const { origin } = location;
  const read = `curl -sS ${origin}/api/public/v1/products?limit=5 \\
  -H "Authorization: Bearer ${made.key}"`;
  const send = `curl -sS --data-binary @preise.xml ${origin}/api/public/v1/products/import \\
  -H "Authorization: Bearer ${made.key}" \\
  -H "Content-Type: application/xml"`;
  return (
    <ToldDialog title={texts.made} onClose={onClose}>
      <p>{texts.madeText}</p>
      <CopyText text={made.key} label={texts.key} />
      <CopyBlock text={read} label={texts.tryIt} />
      {made.scopes.includes("products:write") && (
        <CopyBlock text={send} label={words.imports.create} />
      )}
    </ToldDialog>
  );
}
