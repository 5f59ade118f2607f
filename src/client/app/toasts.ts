import { type Signal, signal } from "@preact/signals";
import { type ApiError, asApiError } from "../api/api_error.ts";

export interface Toast {
  readonly id: number;
  readonly text: string;
  /** Stays until it is closed when it tells of a failure. */
  readonly error: ApiError | null;
}

/** Short messages at the edge of the page, read out by screen readers. */
export interface Toasts {
  readonly shown: Signal<readonly Toast[]>;
  /** Something went well: gone after some seconds. */
  tell(text: string): void;
  /** Something failed: says why, with the request id. */
  refuse(error: unknown): void;
  close(id: number): void;
}

const TOLD_MS = 5_000;
const SHOWN_MAX = 4;

export function createToasts(): Toasts {
  const shown = signal<readonly Toast[]>([]);
  let lastId = 0;
  const close = (id: number) => {
    shown.value = shown.value.filter((toast) => toast.id !== id);
  };
  const add = (toast: Omit<Toast, "id">) => {
    const id = ++lastId;
    shown.value = [...shown.value, { ...toast, id }].slice(-SHOWN_MAX);
    return id;
  };
  return {
    shown,
    close,
    tell: (text) => {
      const id = add({ text, error: null });
      setTimeout(() => close(id), TOLD_MS);
    },
    refuse: (error) => {
      const refused = asApiError(error);
      add({ text: refused.message, error: refused });
    },
  };
}
