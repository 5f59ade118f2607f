import type { ComponentChildren } from "preact";
import { useApp } from "../app/app.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ToldDialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  onClose(): void;
}

/** A dialog that only says something, such as a secret that is shown this once. */
export function ToldDialog({ title, children, onClose }: ToldDialogProps) {
  const { words } = useApp();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={<Button kind="main" onClick={onClose}>{words.close}</Button>}
    >
      {children}
    </Dialog>
  );
}
