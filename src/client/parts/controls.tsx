/**
 * Buttons, switches, chips, icons, menus and dialogs, made of native elements. A control without a
 * text needs a label, because screen readers skip icons.
 */
import type { ComponentChildren, TargetedMouseEvent } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../app/app.ts";
import type { Question } from "../app/app_state.ts";
import type { JobStatus } from "../../platform/jobs/job.ts";

export interface ButtonProps {
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  /** `main` is for the most likely next action of a screen. */
  readonly kind?: "main" | "plain" | "quiet" | "danger" | "caution";
  readonly type?: "button" | "submit";
  readonly label?: string;
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  readonly isPressed?: boolean;
  readonly formId?: string;
  /** Asked first; `onClick` is called only if the person agrees. */
  readonly question?: Question | false;
  readonly onClick?: (event: TargetedMouseEvent<HTMLButtonElement>) => void;
}

export function Button(props: ButtonProps) {
  const { kind = "plain", type = "button", isBusy = false, isDisabled = false, question } = props;
  const { questions } = useApp();
  const ask = async (event: TargetedMouseEvent<HTMLButtonElement>) => {
    if (question && await questions.ask(question)) props.onClick?.(event);
  };
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
      onClick={question ? ask : props.onClick}
    >
      {isBusy
        ? <span class="spinner" aria-hidden="true" />
        : props.icon && <Icon name={props.icon} />}
      {props.children}
    </button>
  );
}

interface LinkButtonProps {
  readonly children: ComponentChildren;
  /** Screen readers read this text instead of the visible one. */
  readonly label?: string;
  onClick(): void;
}

export function LinkButton({ children, label, onClick }: LinkButtonProps) {
  return <button type="button" class="link" aria-label={label} onClick={onClick}>{children}
  </button>;
}

interface FileButtonProps {
  readonly accept: string;
  readonly kind?: "main" | "plain";
  readonly takesSeveral?: boolean;
  readonly children: ComponentChildren;
  onFiles(files: readonly File[]): void;
}

export function FileButton(
  { accept, kind = "plain", takesSeveral = false, children, onFiles }: FileButtonProps,
) {
  return (
    <label class={`button ${kind}`}>
      <input
        class="sr-only"
        type="file"
        accept={accept}
        multiple={takesSeveral}
        onChange={({ currentTarget }) => {
          onFiles([...currentTarget.files ?? []]);
          currentTarget.value = "";
        }}
      />
      {children}
    </label>
  );
}

interface SwitchProps<T extends string | number> {
  readonly label: string;
  readonly options: readonly T[];
  readonly value: T | null;
  textOf(option: NoInfer<T>): ComponentChildren;
  onValue(option: NoInfer<T>): void;
}

export function Switch<T extends string | number>(props: SwitchProps<T>) {
  return (
    <div class="switch" role="group" aria-label={props.label}>
      {props.options.map((option) => (
        <button
          key={option}
          type="button"
          class="fine soft gap-6"
          aria-pressed={option === props.value}
          onClick={() => props.onValue(option)}
        >
          {props.textOf(option)}
        </button>
      ))}
    </div>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly isBusy: boolean;
  readonly children: ComponentChildren;
  onToggle(): void;
}

export function Toggle({ label, isOn, isBusy, children, onToggle }: ToggleProps) {
  return (
    <button
      type="button"
      role="switch"
      class="toggle"
      aria-checked={isOn}
      aria-label={label}
      aria-busy={isBusy || undefined}
      disabled={isBusy}
      onClick={onToggle}
    >
      <i aria-hidden="true" />
      {children}
    </button>
  );
}

interface ChipProps {
  readonly text: string;
  readonly isOn: boolean;
  readonly count?: number | null | undefined;
  readonly isCut?: boolean | undefined;
  readonly drops?: boolean;
  onClick(): void;
}

export function Chip({ text, isOn, count, isCut, drops, onClick }: ChipProps) {
  const { show } = useApp();
  return (
    <button type="button" class="chip fine nowrap gap-6" aria-pressed={isOn} onClick={onClick}>
      {text}{" "}
      {typeof count === "number" && (
        <span class="chip-count">{show.number(count)}{isCut && "+"}</span>
      )}
      {drops && <Icon name="close" />}
    </button>
  );
}

export function ListedChip(chip: ChipProps) {
  return (
    <li>
      <Chip {...chip} />
    </li>
  );
}

interface CheckBoxProps {
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly children: ComponentChildren;
  onChange(isOn: boolean): void;
}

export function CheckBox({ isOn, isDisabled = false, children, onChange }: CheckBoxProps) {
  return (
    <label class="menu-check row gap-8">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  );
}

const PATHS = {
  products: "M3 5.5 8 3l5 2.5v5L8 13l-5-2.5zM3 5.5 8 8l5-2.5M8 8v5",
  competitors: "M2.5 6.5 3.5 3h9l1 3.5M2.5 6.5h11M3.5 6.5V13h9V6.5M6.5 13V9.5h3V13",
  link:
    "M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.3-2.3a2.6 2.6 0 0 0-3.7-3.7l-.9.9M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.2 9.1a2.6 2.6 0 0 0 3.7 3.7l.9-.9",
  imports: "M8 2.5v7M5 6.8 8 9.8l3-3M2.5 10v3h11v-3",
  sun:
    "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1",
  overview: "M2.5 13.5v-5M6.2 13.5v-9M9.8 13.5V7M13.5 13.5v-11",
  list: "M2.5 4h11M2.5 8h11M2.5 12h11",
  grid: "M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.2 3v10M9.8 3v10",
  export: "M8 2.5v7M5 6.8 8 9.8l3-3M2.5 12.8h11",
  undo: "M6 3 3 6l3 3M3 6h6a3.5 3.5 0 0 1 0 7H6",
  rules: "M3 4h6M12 4h1M3 8h1M7 8h6M3 12h6M12 12h1M10.5 2.7v2.6M5.5 6.7v2.6M10.5 10.7v2.6",
  proposals: "M3 3.5h10v9H3zM5.5 8l2 2 3.5-4",
  alerts: "M4 11V7.5a4 4 0 0 1 8 0V11l1 1.2H3zM6.8 14h2.4",
  runs: "M13 8A5 5 0 1 1 11.2 4.2M13 2.8v3h-3",
  auditLog: "M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2.5",
  settings:
    "M8 1.8 13.4 4.9v6.2L8 14.2 2.6 11.1V4.9zM8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z",
  docs: "M5.5 5 2.5 8l3 3M10.5 5l3 3-3 3M9 3.5 7 12.5",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3 14 14",
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
  lock: "M4 7.5h8v6H4zM5.5 7.5V5.2a2.5 2.5 0 0 1 5 0v2.3",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  check: "M3 8.5 6.5 12 13 4.5",
  warning: "M8 2.5 14.5 13.5h-13zM8 6.5v3.5M8 11.8v.2",
  open: "M6 3H3v10h10v-3M9 3h4v4M13 3 7.5 8.5",
  up: "M8 13V3.5M4 7.5l4-4 4 4",
  down: "M8 3v9.5M4 8.5l4 4 4-4",
  right: "M3 8h10M9 4l4 4-4 4",
  left: "M10 3.5 5.5 8l4.5 4.5",
  next: "M6 3.5 10.5 8 6 12.5",
  edit: "M3 13l.6-2.6 7.2-7.2 2 2-7.2 7.2zM9.4 4.6l2 2",
  person: "M8 7.7a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM3 14c0-3 2-4.5 5-4.5s5 1.5 5 4.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export type Tone = "plain" | "good" | "warn" | "bad" | "busy";

export const JOB_TONES: Readonly<Record<JobStatus, Tone>> = {
  queued: "busy",
  running: "busy",
  succeeded: "good",
  failed: "bad",
  cancelled: "plain",
};

export function Badge({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

interface MenuProps {
  readonly icon?: IconName;
  readonly label: ComponentChildren;
  readonly children: ComponentChildren;
}

function turn(menu: HTMLDetailsElement): void {
  menu.classList.remove("to-right");
  const left = menu.querySelector(".menu-body")?.getBoundingClientRect().left ?? 0;
  const page = document.getElementById("main")?.getBoundingClientRect().left ?? 0;
  menu.classList.toggle("to-right", menu.open && left < page);
}

export function Menu({ icon, label, children }: MenuProps) {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const details = element.current;
    if (details === null) return;
    const leave = (event: Event) => {
      if (event.target instanceof Node && details.contains(event.target)) return;
      details.open = false;
    };
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !details.open) return;
      details.open = false;
      details.querySelector("summary")?.focus();
    };
    document.addEventListener("click", leave);
    details.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("click", leave);
      details.removeEventListener("keydown", press);
    };
  }, []);
  return (
    <details class="menu" ref={element} onToggle={({ currentTarget }) => turn(currentTarget)}>
      <summary class="button plain">
        {icon && <Icon name={icon} />}
        <span class="menu-label row gap-8">{label}</span>
      </summary>
      <div class="menu-body framed">{children}</div>
    </details>
  );
}

interface DialogProps {
  readonly title: string;
  readonly note?: string;
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly kind?: "box" | "wide" | "panel";
  onClose(): void;
}

export function Dialog({ title, note, children, actions, kind = "box", onClose }: DialogProps) {
  const { words } = useApp();
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // `useEffect` might run after the element that opened the dialog has lost the focus.
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      // Browsers do not restore the focus when an open dialog is removed.
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
        // Ignore `cancel` events of fields inside the dialog, such as a file field.
        if (event.target !== element.current) return;
        event.preventDefault();
        if (event.cancelable) onClose();
      }}
      // Browsers close a dialog at the second Escape: reopen it, so that `onClose` can ask first.
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected || currentTarget.open) return;
        currentTarget.showModal();
        onClose();
      }}
    >
      <header class="row spread gap-8">
        <h2 id={titleId}>{title}</h2>
        {note && <span class="soft fine grow">{note}</span>}
        <Button kind="quiet" icon="close" label={words.close} onClick={onClose} />
      </header>
      <div class="dialog-body stack gap-14">{children}</div>
      {actions && <footer class="flow gap-8">{actions}</footer>}
    </dialog>
  );
}

export function NoticeDialog(
  { title, children, onClose }: { title: string; children: ComponentChildren; onClose(): void },
) {
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

/** The URLs come from other websites; a URL such as `javascript:…` must not become a link. */
export function SafeLink({ url, children }: { url: string; children?: ComponentChildren }) {
  const isWeb = /^https?:\/\//i.test(url) && URL.canParse(url);
  if (!isWeb) return <span>{children ?? url}</span>;
  return (
    <a class="outside" href={url} target="_blank" rel="noopener noreferrer">
      <span>{children ?? url}</span>
      <Icon name="open" />
    </a>
  );
}
