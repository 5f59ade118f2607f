import { useQueryClient } from "@tanstack/preact-query";
import { useApp } from "./app.ts";

/** Waits until all decisions are answered, ends the session, and clears the page's data. */
export function useSignOut(): () => void {
  const { call, heldBack, signInAsked, toasts, user, workspace } = useApp();
  const client = useQueryClient();
  const signOut = async () => {
    try {
      await Promise.all([...heldBack].map((send) => send()));
      await call((api) => api.POST("/api/auth/logout"), { mayBeSignedOut: true });
    } catch (error) {
      toasts.refuse(error);
      return;
    }
    client.clear();
    user.value = null;
    workspace.value = null;
    signInAsked.value?.(false);
    signInAsked.value = null;
  };
  return () => void signOut();
}
