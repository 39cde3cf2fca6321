import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "#app/routes.ts";

const flat = (entries: RouteConfigEntry[], parent = ""): { path: string; file: string }[] =>
  entries.flatMap((entry) => {
    const path = `${parent}/${entry.path ?? ""}`.replace(/\/+/g, "/").replace(/(.)\/$/, "$1");
    return [{ path, file: entry.file }, ...flat(entry.children ?? [], path)];
  });

/** Every page with its path ("/consulta/:id") and its file below app/; the frame around them is there too, as "/". */
export const pages = flat(routes);

/** The address of a page about something, whose id it needs. */
export const addressOf = (path: string, ids: { consultation: string; answer: string; psychologist: string }) =>
  path.replace(
    ":id",
    path.startsWith("/respuesta") ? ids.answer : path.startsWith("/psicologo") ? ids.psychologist : ids.consultation,
  );
