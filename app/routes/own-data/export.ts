import { redirect } from "react-router";
import { act, fieldsOf, page, withPassword } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/export.ts";

export const loader = () => redirect("/cuenta");

/** Answers with the file. A refusal leads back to the page, which says why beside the form. */
export async function action(args: Route.ActionArgs) {
  const { current_password } = fieldsOf(args);
  const result = await act(args, (here) => withPassword(here, current_password, () => here.api.ownData.export({})));
  if ("exported_at" in result)
    return new Response(JSON.stringify(result, null, 1), {
      headers: {
        "content-type": "application/json; charset=utf-8",
        "content-disposition": `attachment; filename="mis-datos-${page(args).now.toISOString().slice(0, 10)}.json"`,
      },
    });
  const { code, fields } = result.data.refused;
  return redirect(`/cuenta?datos=${fields?.current_password ? "contrasena" : code}#datos`);
}
