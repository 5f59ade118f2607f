import { useList } from "../../app/use_list.ts";

/** The first two hundred competitors: who chooses among more of them writes no rule for each. */
export function useCompetitors() {
  return useList({
    key: ["competitors", "all"],
    read: (api, page) => api.GET("/api/competitors", { params: { query: page } }),
    limit: 200,
  });
}

/** The name of a competitor; an unknown one by its id. */
export function useCompetitorNames(): (id: string) => string {
  const { rows } = useCompetitors();
  const names = new Map(rows.map(({ id, displayName }) => [id, displayName]));
  return (id) => names.get(id) ?? id;
}
