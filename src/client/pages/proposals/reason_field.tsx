import type { TargetedKeyboardEvent } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface ReasonFieldProps {
  readonly label: string;
  readonly value: string;
  onValue(value: string): void;
  onEnter(): void;
  onEscape(): void;
}

export function ReasonField({ label, value, onValue, onEnter, onEscape }: ReasonFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // The field gets the focus before the next key press, so that the field receives the key.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <>
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={field}
        class="reason"
        type="text"
        maxLength={500}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        onKeyDown={typingKeys(onEnter, onEscape)}
      />
    </>
  );
}

/** Handles Enter and Escape in a field, and hides both keys from the shortcuts of the screen. */
export function typingKeys(onEnter: () => void, onEscape: () => void) {
  return (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") onEnter();
    else if (event.key === "Escape") {
      onEscape();
      event.currentTarget.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
