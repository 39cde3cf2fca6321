import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "#app/routes.ts";

const flat = (entries: RouteConfigEntry[], parent = ""): { path: string; file: string }[] =>
  entries.flatMap((entry) => {
    const path = `${parent}/${entry.path ?? ""}`.replace(/\/+/g, "/").replace(/(.)\/$/, "$1");
    return [{ path, file: entry.file }, ...flat(entry.children ?? [], path)];
  });

/** All pages with their path ("/consulta/:id") and file below app/. Includes the root layout, as "/". */
export const pages = flat(routes);

export const addressOf = (path: string, ids: { consultation: string; answer: string; psychologist: string }) =>
  path
    .replace(":topic", "duelo")
    .replace(":country", "chile")
    .replace(
      ":id",
      path.startsWith("/respuesta") ? ids.answer : path.startsWith("/psicologo") ? ids.psychologist : ids.consultation,
    );
