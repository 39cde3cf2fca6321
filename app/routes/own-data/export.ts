import { redirect } from "react-router";
import { act, fieldsOf, withPassword } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/export.ts";

export const loader = () => redirect("/cuenta");

/** Responds with the file. After an error it redirects to the account page, which shows the error next to the form. */
export async function action(args: Route.ActionArgs) {
  const { current_password } = fieldsOf(args);
  const { signal } = args.request;
  const result = await act(args, (here) =>
    withPassword(here, current_password, () => here.api.ownData.export({}, { signal })),
  );
  if ("body" in result) return new Response(result.body, { headers: result.headers });
  const { code, fields } = result.data.refused;
  return redirect(`/cuenta?datos=${fields?.current_password ? "contrasena" : code}#datos`);
}
