import type { ComponentChildren, TargetedMouseEvent } from "preact";
import { Icon, type IconName } from "./icon.tsx";

export interface ButtonProps {
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  /** `main` is what the screen is for: one of them at most. */
  readonly kind?: "main" | "plain" | "quiet" | "danger";
  readonly type?: "button" | "submit";
  /** Needed when there is no text. */
  readonly label?: string;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly isPressed?: boolean;
  readonly formId?: string;
  readonly onClick?: (event: TargetedMouseEvent<HTMLButtonElement>) => void;
}

/** While it is busy it keeps its place and its words, and takes no second click. */
export function Button(props: ButtonProps) {
  const { kind = "plain", type = "button", isBusy = false, isDisabled = false } = props;
  return (
    <button
      type={type}
      class={`button ${kind}${props.children ? "" : " bare"}`}
      aria-label={props.label}
      title={props.children ? undefined : props.label}
      aria-busy={isBusy || undefined}
      aria-pressed={props.isPressed}
      disabled={isDisabled || isBusy}
      form={props.formId}
      onClick={props.onClick}
    >
      {isBusy
        ? <span class="spinner" aria-hidden="true" />
        : props.icon && <Icon name={props.icon} />}
      {props.children}
    </button>
  );
}
