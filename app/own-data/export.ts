import { redirect } from "react-router";
import { formAction } from "#app/lib/form-action.server.ts";
import type { Route } from "./+types/export.ts";

export const loader = () => redirect("/cuenta");

/** Responds with the file. After an error it redirects to the account page, which shows the error next to the form. */
const exported = formAction(({ api, confirmed }) => confirmed(() => api.ownData.export({})));

export async function action(args: Route.ActionArgs) {
  const result = await exported(args);
  if ("body" in result) return new Response(result.body, { headers: result.headers });
  const { code, fields } = result.data.actionError;
  return redirect(`/cuenta?datos=${fields?.current_password ? "contrasena" : code}#datos`);
}
