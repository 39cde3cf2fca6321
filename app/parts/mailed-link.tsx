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

/* Pages that mailed links open. The URL contains a token, which must not leak to other sites or search engines. A
   button executes the action, because mail scanners open links too. */

// Not "no-referrer": it makes browsers send "Origin: null" with forms without JavaScript, which the server rejects.
const REFERRER = "same-origin";

export const mailedLinkMeta = (title: string): MetaDescriptor[] => [
  ...pageMeta(title),
  { name: "referrer", content: REFERRER },
];

export const mailedLinkHeaders: HeadersFunction = () => ({ "Referrer-Policy": REFERRER, "X-Robots-Tag": "noindex" });

/**
 * Removes the token from the URL and the history. The form still contains it.
 * @param path path without the token
 * @returns the error of the loader or the action if the link does not work; otherwise null
 */
export function useMailedLink(path: string, loaderData: unknown, actionData: unknown): WordedError | null {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: submitting the form restores the URL
  useEffect(() => {
    history.replaceState(history.state, "", path);
  }, [key]);
  const refused = refusalIn(actionData);
  return refusalIn(loaderData) ?? (refused?.code === "link_expired" ? refused : null);
}

/** Shown instead of a page whose link does not work. @param expired message for an expired or used link */
export function DeadLink({
  refused,
  expired,
  children,
}: {
  refused: WordedError;
  expired: string;
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

/** Form of a mailed link: the error, the token, further fields and the button. */
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
