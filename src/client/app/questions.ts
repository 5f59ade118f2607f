import { type Signal, signal } from "@preact/signals";

/** A question that must be answered before something happens that cannot be taken back. */
export interface Question {
  readonly title: string;
  readonly text: string;
  /** The words of the button that does it. */
  readonly yes: string;
  readonly isDangerous?: boolean;
}

export interface Questions {
  readonly open: Signal<(Question & { answer(isYes: boolean): void }) | null>;
  /** Resolves to true when the person says yes. */
  ask(question: Question): Promise<boolean>;
}

export function createQuestions(): Questions {
  const open: Questions["open"] = signal(null);
  return {
    open,
    ask: (question) => {
      open.value?.answer(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      open.value = {
        ...question,
        answer: (isYes) => {
          open.value = null;
          resolve(isYes);
        },
      };
      return promise;
    },
  };
}
