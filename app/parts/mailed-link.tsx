import { type ReactNode, useEffect } from "react";
import { Form, type HeadersFunction, type MetaDescriptor, useLocation } from "react-router";
import { refusalWords } from "#app/lib/error-words.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import type { WordedError } from "#app/lib/page-words.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { useSubmitting } from "#app/lib/submitting.ts";
import { Button } from "#app/ui/button.tsx";
import { Nook, NookCard } from "#app/ui/nook.tsx";
import { RefusalMessage } from "./refusal-message.tsx";

/*
 * Pages to which the links of mails lead. Their address holds a token: no other site and no search engine may learn it.
 * What the link is for is done by a button, not by opening it, since programs that look into mails open links too.
 */

// Not "no-referrer": with it a form without JavaScript is sent with "Origin: null", which is refused.
const REFERRER = "same-origin";

/** The `meta` of such a page. */
export const mailedLinkMeta = (title: string): MetaDescriptor[] => [
  ...pageMeta(title),
  { name: "referrer", content: REFERRER },
];

/** The `headers` of such a page. */
export const mailedLinkHeaders: HeadersFunction = () => ({ "Referrer-Policy": REFERRER, "X-Robots-Tag": "noindex" });

/**
 * Takes the token out of the address bar and the history; the form keeps it.
 * @param path the page's address without it
 * @returns why the link does not work, by what the loader or the action returned; null while it may
 */
export function useMailedLink(path: string, loaderData: unknown, actionData: unknown): WordedError | null {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: sending the form brings the address back
  useEffect(() => {
    history.replaceState(history.state, "", path);
  }, [key]);
  const refused = refusalIn(actionData);
  return refusalIn(loaderData) ?? (refused?.code === "link_expired" ? refused : null);
}

/** In place of the page of a link that does not work. `expired` says what to do where that is because it is old or used. */
export function DeadLink({
  refused,
  expired,
  children,
}: {
  refused: WordedError;
  expired: string;
  /** Links that lead on. */
  children: ReactNode;
}) {
  const { title, description } = refusalWords(refused);
  return (
    <Nook title={title}>
      <NookCard>
        <p>{refused.code === "link_expired" ? expired : description}</p>
        {children}
      </NookCard>
    </Nook>
  );
}

/** The form of such a page: why it was refused, the token, further fields, and the button. */
export function MailedLinkForm({
  token,
  result,
  button,
  busyText,
  className,
  children,
}: {
  token: string;
  result: unknown;
  button: string;
  busyText: string;
  className?: string;
  children?: ReactNode;
}) {
  const submitting = useSubmitting();
  return (
    <>
      <RefusalMessage result={result} />
      <Form noValidate method="post" className={className}>
        <input type="hidden" name="token" value={token} />
        {children}
        <Button type="submit" wide busy={submitting} busyText={busyText}>
          {button}
        </Button>
      </Form>
    </>
  );
}
