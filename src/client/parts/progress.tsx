interface ProgressProps {
  readonly done: number;
  /** Null while it is not known how much there is. */
  readonly total: number | null;
  readonly label: string;
}

/** How far something has come. */
export function Progress({ done, total, label }: ProgressProps) {
  return (
    <div class="progress">
      <progress aria-label={label} max={total ?? 1} value={total === null ? undefined : done} />
      <span aria-live="polite">{label}</span>
    </div>
  );
}

/** Stands where something is about to appear. */
export function Loading({ label }: { label: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      {label}
    </p>
  );
}
