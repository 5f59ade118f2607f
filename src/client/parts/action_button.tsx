import { type Ask, type Call, Overtaken, saveOver } from "../api/call.ts";
import { type Touched, useApp, useChange } from "../app/app.ts";
import type { Question } from "../app/app_state.ts";
import { Button, type ButtonProps } from "./controls.tsx";
import { ErrorNote } from "./page.tsx";

type ActionButtonProps<Output> =
  & Pick<ButtonProps, "children" | "icon" | "kind" | "label" | "isDisabled">
  & ({ readonly ask: Ask<Output> } | { run(call: Call): Promise<Output> })
  & {
    /** By default, the area of `ask`; after `run`, nothing is read again. */
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

interface RemovalOptions<Document> {
  readonly document: Document;
  readonly read: Ask<Document>;
  readonly write: Ask<unknown>;
  /**
   * The visible content of the document as one text. A different text means that somebody else has
   * changed the document.
   */
  textOf(document: Document): string;
  readonly question: Question;
  /**
   * The areas of the client to read again after the action; by default, only the area of `read`.
   */
  readonly touches?: Touched;
  onDone?(): void;
}

export function useRemoval<Document>(options: RemovalOptions<Document>) {
  const { words, questions } = useApp();
  const { title, text, yes = words.remove } = options.question;
  const isSure = (why: string) => questions.ask({ title, text: why, yes, isDangerous: true });
  const removal = useChange({
    run: (call, _: null) => removeAsSeen(call, options, () => isSure(words.overtaken.removal)),
    touches: options.touches ?? [options.read],
    onDone: (isRemoved) => isRemoved && options.onDone?.(),
  });
  const ask = async () => {
    if (await isSure(text)) removal.mutate(null);
  };
  return { ask: () => void ask(), isPending: removal.isPending };
}

/**
 * If somebody else has changed the document, the person is asked again. Returns false if the person
 * decides to keep the changed document.
 */
async function removeAsSeen<Document>(
  call: Call,
  { document, read, write, textOf }: RemovalOptions<Document>,
  isSure: () => Promise<boolean>,
): Promise<boolean> {
  for (let seen = textOf(document);;) {
    try {
      await saveOver(call, { read, write, isSeen: (latest) => textOf(latest) === seen });
      return true;
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      if (!await isSure()) return false;
      seen = textOf(error.latest);
    }
  }
}

interface RemoveButtonProps<Document> extends RemovalOptions<Document> {
  readonly kind?: ButtonProps["kind"];
}

export function RemoveButton<Document>({ kind, ...options }: RemoveButtonProps<Document>) {
  const { words } = useApp();
  const { ask, isPending } = useRemoval(options);
  return (
    <Button kind={kind} isBusy={isPending} onClick={ask}>
      {options.question.yes ?? words.remove}
    </Button>
  );
}
