import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../app/app.ts";
import { Button } from "./controls.tsx";

interface DialogProps {
  readonly title: string;
  /** A note next to the title. */
  readonly note?: string;
  readonly children: ComponentChildren;
  /** Buttons at its lower edge. */
  readonly actions?: ComponentChildren;
  /**
   * A `panel` takes the whole height at the right edge and leaves the list visible; `wide` has room
   * for two columns.
   */
  readonly kind?: "box" | "wide" | "panel";
  onClose(): void;
}

/**
 * Uses the browser's modal dialog: the focus stays in it, and afterwards returns to its previous
 * place.
 */
export function Dialog({ title, note, children, actions, kind = "box", onClose }: DialogProps) {
  const { words } = useApp();
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Runs synchronously with the rendering, before the focus can leave the control that opened the
  // dialog.
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
        // A field inside, such as a file field, may have its own `cancel` event.
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
