import { TopicPage } from "#app/consultations/topic-page.tsx";
import { loadCountry } from "#app/consultations/topics.server.ts";
import { pageError } from "#app/lib/client-error-messages.ts";
import { descriptionOf } from "#app/lib/description.ts";
import type { HelpHandle } from "#app/lib/help-path.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { runLoader } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/country.ts";

export const handle = {
  helpCountry: (shown) => shown?.country,
} satisfies HelpHandle<Route.ComponentProps["loaderData"]>;

export const meta: Route.MetaFunction = ({ loaderData, error }) =>
  loaderData ? pageMeta(loaderData.title, descriptionOf(loaderData.text)) : pageMeta(pageError(error).title);

export const loader = (args: Route.LoaderArgs) => runLoader(args, (ctx) => loadCountry(ctx, args.params.slug));

export default function CountryRoute({ loaderData }: Route.ComponentProps) {
  return <TopicPage topic={loaderData} />;
}
