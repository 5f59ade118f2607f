import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import { useApp } from "./app.ts";
import { useQueryClient } from "@tanstack/preact-query";

export function useLeaveGuard(): void {
  const { unsaved, questions, words } = useApp();
  const { route } = useLocation();
  useEffect(() => {
    const close = (event: BeforeUnloadEvent) => {
      if (unsaved.value > 0) event.preventDefault();
    };
    const follow = (event: MouseEvent) => {
      const target = event.target instanceof Element ? event.target.closest("a") : null;
      const isHere = target !== null && target.origin === location.origin && target.target === "";
      if (!isHere || unsaved.value === 0 || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      void questions.ask({ ...words.form.leave, isDangerous: true }).then((isLeft) => {
        if (isLeft) route(target.href.slice(location.origin.length));
      });
    };
    addEventListener("beforeunload", close);
    addEventListener("click", follow, { capture: true });
    return () => {
      removeEventListener("beforeunload", close);
      removeEventListener("click", follow, { capture: true });
    };
  }, [words]);
}

export function useClosing(onClose: () => void): (isDirty: boolean) => void {
  const { questions, words } = useApp();
  return (isDirty) => {
    if (!isDirty) return onClose();
    void questions.ask({ ...words.form.leave, isDangerous: true }).then((isLeft) => {
      if (isLeft) onClose();
    });
  };
}

export function useSignOut(): () => void {
  const { call, pendingChanges, signInAsked, toasts, user, workspace } = useApp();
  const client = useQueryClient();
  const signOut = async () => {
    try {
      await Promise.all(pendingChanges);
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
