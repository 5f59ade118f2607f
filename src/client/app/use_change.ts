import { useMutation, useQueryClient } from "@tanstack/preact-query";
import { type Call } from "../api/call.ts";
import { useApp } from "./app.ts";

interface ChangeOptions<Input, Output> {
  run(call: Call, input: Input): Promise<Output>;
  /** The areas whose lists and documents are read again afterwards. */
  readonly touches: readonly string[];
  onDone?(output: Output, input: Input): void;
  /** Set where the screen shows the error itself; otherwise it becomes a toast. */
  readonly showsError?: boolean;
}

/** A change at the service; everything that shows it is read again. */
export function useChange<Input, Output>(options: ChangeOptions<Input, Output>) {
  const { call, toasts } = useApp();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => options.run(call, input),
    onSuccess: (output, input) => options.onDone?.(output, input),
    onError: (error) => {
      if (!options.showsError) toasts.refuse(error);
    },
    onSettled: async () => {
      await Promise.all(
        options.touches.map((area) => client.invalidateQueries({ queryKey: [area] })),
      );
    },
  });
}
