import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../app/app.ts";
import { Button } from "./controls.tsx";

interface DialogProps {
  readonly title: string;
  readonly note?: string;
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** A `panel` at the right edge leaves the list visible; `wide` has room for two columns. */
  readonly kind?: "box" | "wide" | "panel";
  onClose(): void;
}

/** The browser's modal dialog: it keeps the focus inside and returns it afterwards. */
export function Dialog({ title, note, children, actions, kind = "box", onClose }: DialogProps) {
  const { words } = useApp();
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // A layout effect, so that the focus is still on the control that opened the dialog.
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // A dialog that is removed before it is closed does not return the focus by itself.
      if (opener instanceof HTMLElement && opener.isConnected) {
        opener.focus({ preventScroll: true });
      }
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${kind}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Fields inside, such as a file field, have a `cancel` event of their own.
        if (event.target !== element.current) return;
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        {note && <span class="soft">{note}</span>}
        <Button kind="quiet" icon="close" label={words.close} onClick={onClose} />
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer>{actions}</footer>}
    </dialog>
  );
}

interface ToldDialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  onClose(): void;
}

/** A dialog that only informs, for example about a secret that is shown only once. */
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
