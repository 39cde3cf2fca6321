import { pageMeta } from "#app/lib/page-meta.ts";
import { runLoader } from "#app/lib/page-request.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { Route } from "./+types/api-docs.ts";

export const meta: Route.MetaFunction = () => pageMeta("API");

type Schema = { properties?: Record<string, unknown>; required?: string[] };
type Operation = {
  summary?: string;
  parameters?: { name: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ openApi }) => {
    const { paths } = (await openApi()) as { paths: Record<string, Record<string, Operation>> };
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const body = operation.requestBody?.content["application/json"]?.schema;
        const fields = Object.keys(body?.properties ?? {});
        const inputs = [
          ...(operation.parameters ?? []).map(({ name, required }) => ({ name, required })),
          ...fields.map((name) => ({ name, required: body?.required?.includes(name) })),
        ];
        return { method: method.toUpperCase(), path: `/api${path}`, summary: operation.summary ?? "", inputs };
      }),
    );
    return { operations };
  });

export default function ApiDocs({ loaderData: { operations } }: Route.ComponentProps) {
  return (
    <main id="contenido" className="page section prose" lang="en">
      <h1>API</h1>
      <p>
        JSON over HTTP. The exact schemas are in <a href="/api/openapi.json">/api/openapi.json</a>. Errors carry a{" "}
        <code>code</code>, and <code>fields</code> with a Spanish message for each rejected field. Requests that change
        something must come from this origin.
      </p>
      {operations.map(({ method, path, summary, inputs }) => (
        <section key={method + path}>
          <h2 className="title-s">
            <Badge>{method}</Badge> <code>{path}</code>
          </h2>
          <p>{summary}</p>
          {inputs.length > 0 && (
            <ul>
              {inputs.map(({ name, required }) => (
                <li key={name}>
                  <code>{name}</code>
                  {required ? "" : " (optional)"}
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </main>
  );
}
