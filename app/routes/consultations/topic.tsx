import { TopicPage } from "#app/consultations/topic-page.tsx";
import { loadTopic } from "#app/consultations/topics.server.ts";
import { pageError } from "#app/lib/client-error-messages.ts";
import { descriptionOf } from "#app/lib/description.ts";
import type { HelpHandle } from "#app/lib/help-path.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { runLoader } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/topic.ts";

export const handle = {
  helpCountry: (shown) => shown?.country,
} satisfies HelpHandle<Route.ComponentProps["loaderData"]>;

export const meta: Route.MetaFunction = ({ loaderData, error }) => {
  if (!loaderData) return pageMeta(pageError(error).title);
  const { title, text, feed } = loaderData;
  const link = { tagName: "link", rel: "alternate", type: "application/atom+xml", title, href: feed };
  return [...pageMeta(title, descriptionOf(text)), link];
};

export const loader = (args: Route.LoaderArgs) => runLoader(args, (ctx) => loadTopic(ctx, args.params));

/** Page of a topic (/temas/:topic) or of a country (/paises/:country). */
export default function TopicRoute({ loaderData }: Route.ComponentProps) {
  return <TopicPage topic={loaderData} />;
}
