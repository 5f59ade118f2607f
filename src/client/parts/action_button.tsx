import type { Ask, Call } from "../api/call.ts";
import { type Area, useApp, useChange } from "../app/app.ts";
import type { Question } from "../app/app_state.ts";
import { Button, type ButtonProps } from "./controls.tsx";
import { ErrorNote } from "./page.tsx";

type ActionButtonProps<Output> =
  & Pick<ButtonProps, "children" | "icon" | "kind" | "label" | "isDisabled">
  & ({ readonly ask: Ask<Output> } | { run(call: Call): Promise<Output> })
  & {
    readonly touches: readonly Area[];
    readonly question?: Question;
    readonly danger?: Question;
    readonly toast?: string | ((output: Output) => string);
    /** True to show an error next to the button; otherwise the error appears as a toast. */
    readonly showsError?: boolean;
    onDone?(output: Output): void;
  };

/** Sends one request (`ask`) or several in sequence (`run`). */
export function ActionButton<Output>(props: ActionButtonProps<Output>) {
  const { children, icon, kind, label, isDisabled, toast, danger } = props;
  const { questions, toasts } = useApp();
  const change = useChange({
    run: (call, _: null) => "ask" in props ? call(props.ask) : props.run(call),
    touches: props.touches,
    showsError: props.showsError ?? false,
    onDone: (output) => {
      if (toast !== undefined) toasts.tell(typeof toast === "string" ? toast : toast(output));
      props.onDone?.(output);
    },
  });
  const question = danger ? { ...danger, isDangerous: true } : props.question;
  const act = async () => {
    if (question === undefined || await questions.ask(question)) change.mutate(null);
  };
  const button = { icon, kind, label, isDisabled, isBusy: change.isPending };
  return (
    <>
      <Button {...button} onClick={() => void act()}>{children}</Button>
      {props.showsError && change.error && <ErrorNote error={change.error} />}
    </>
  );
}
