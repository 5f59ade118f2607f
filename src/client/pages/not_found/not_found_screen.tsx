import { useApp } from "../../frame/app.ts";
import { EmptyState } from "../../parts/empty_state.tsx";
import { PageHead } from "../../parts/page_head.tsx";

export function NotFoundScreen() {
  const { words } = useApp();
  return (
    <>
      <PageHead title={words.notFound.title} />
      <EmptyState icon="warning" title={words.notFound.title} text={words.notFound.text}>
        <a class="button main" href="/products">{words.notFound.toProducts}</a>
      </EmptyState>
    </>
  );
}
