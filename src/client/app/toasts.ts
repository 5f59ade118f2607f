import { type Signal, signal } from "@preact/signals";
import { type ApiError, asApiError } from "../api/api_error.ts";

export interface Toast {
  readonly id: number;
  readonly text: string;
  /** Stays until it is closed when it tells of a failure. */
  readonly error: ApiError | null;
  /** Takes back what it tells of; null where nothing can be taken back. */
  readonly undo: (() => void) | null;
}

/** Short messages in the bar above the page, where they cover nothing; read out by screen readers. */
export interface Toasts {
  readonly shown: Signal<readonly Toast[]>;
  /** Something went well: gone after some seconds, and with it the offer to take it back. */
  tell(text: string, undo?: () => void): void;
  /** Something failed: says why, with the request id. */
  refuse(error: unknown): void;
  close(id: number): void;
}

/** How long a message of success is shown while the pointer is elsewhere. */
export const TOLD_MS = 8_000;
const SHOWN_MAX = 3;

export function createToasts(): Toasts {
  const shown = signal<readonly Toast[]>([]);
  let lastId = 0;
  const close = (id: number) => {
    shown.value = shown.value.filter((toast) => toast.id !== id);
  };
  const add = (toast: Omit<Toast, "id">) => {
    shown.value = [...shown.value, { ...toast, id: ++lastId }].slice(-SHOWN_MAX);
  };
  return {
    shown,
    close,
    tell: (text, undo) => add({ text, error: null, undo: undo ?? null }),
    refuse: (error) => {
      const refused = asApiError(error);
      add({ text: refused.message, error: refused, undo: null });
    },
  };
}
