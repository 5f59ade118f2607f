import type { Ask, Call } from "../api/call.ts";
import { type Touched, useApp, useChange } from "../app/app.ts";
import type { Question } from "../app/app_state.ts";
import { Button, type ButtonProps } from "./controls.tsx";
import { ErrorNote } from "./page.tsx";

type ActionButtonProps<Output> =
  & Pick<ButtonProps, "children" | "icon" | "kind" | "label" | "isDisabled">
  & ({ readonly ask: Ask<Output> } | { run(call: Call): Promise<Output> })
  & {
    /** By default, `ask` reloads the area of its request, and `run` reloads nothing. */
    readonly touches?: Touched;
    readonly question?: Question;
    readonly danger?: Question;
    readonly toast?: string | ((output: Output) => string);
    readonly showsError?: boolean;
    onDone?(output: Output): void;
  };

export function ActionButton<Output>(props: ActionButtonProps<Output>) {
  const { children, icon, kind, label, isDisabled, toast, danger } = props;
  const { toasts } = useApp();
  const change = useChange<null, Output>({
    ...("ask" in props ? { ask: props.ask } : { run: props.run }),
    touches: props.touches,
    showsError: props.showsError ?? false,
    onDone: (output) => {
      if (toast !== undefined) toasts.tell(typeof toast === "string" ? toast : toast(output));
      props.onDone?.(output);
    },
  });
  const question = danger ? { ...danger, isDangerous: true } : props.question;
  const button = { icon, kind, label, isDisabled, question, isBusy: change.isPending };
  return (
    <>
      <Button {...button} onClick={() => change.mutate(null)}>{children}</Button>
      {props.showsError && change.error && <ErrorNote error={change.error} />}
    </>
  );
}

interface RemoveButtonProps {
  readonly kind?: ButtonProps["kind"];
  readonly ask: Ask<unknown>;
  readonly question: Question;
  readonly touches?: Touched;
  onDone?(): void;
}

export function RemoveButton({ question, ...action }: RemoveButtonProps) {
  const { words } = useApp();
  const { yes = words.remove } = question;
  return <ActionButton {...action} danger={{ ...question, yes }}>{yes}</ActionButton>;
}
