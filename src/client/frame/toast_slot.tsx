import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app/app.ts";
import { type Toast, TOLD_MS } from "../app/toasts.ts";
import { Button } from "../parts/button.tsx";
import { ErrorNote } from "../parts/error_note.tsx";
import { Icon } from "../parts/icon.tsx";

/** The place of messages, in the bar above the page: they cover nothing that can be clicked. */
export function ToastSlot() {
  const { toasts, words } = useApp();
  return (
    <div class="toasts" role="status" aria-label={words.messages}>
      {toasts.shown.value.map((toast) => (
        <ToastBox
          key={toast.id}
          toast={toast}
          onClose={() => toasts.close(toast.id)}
        />
      ))}
    </div>
  );
}

/** Stays while the pointer or the focus is on it, and always after a failure. */
function ToastBox({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const { words } = useApp();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld || toast.error) return;
    const timer = setTimeout(onClose, TOLD_MS);
    return () => clearTimeout(timer);
  }, [isHeld, toast.id]);
  return (
    <div
      class={toast.error ? "toast failed" : "toast"}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      {toast.error ? <ErrorNote error={toast.error} /> : (
        <p>
          <Icon name="check" />
          {toast.text}
        </p>
      )}
      {toast.undo && (
        <Button
          kind="quiet"
          icon="undo"
          onClick={() => {
            onClose();
            toast.undo?.();
          }}
        >
          {words.frame.undo}
        </Button>
      )}
      <Button kind="quiet" icon="close" label={words.close} onClick={onClose} />
    </div>
  );
}
