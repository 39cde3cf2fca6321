import { type ReactNode, useEffect } from "react";
import { type HeadersFunction, type MetaDescriptor, useLocation } from "react-router";
import { type DisplayError, getActionError } from "#app/lib/client-error-messages.ts";
import { browserErrorMessage } from "#app/lib/error-messages.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import { ActionForm, FormError, SubmitButton, useForm } from "./action-form.tsx";

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
export function useMailedLink(path: string, loaderData: unknown, actionData: unknown): DisplayError | null {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: submitting the form restores the URL
  useEffect(() => {
    history.replaceState(history.state, "", path);
  }, [key]);
  const actionError = getActionError(actionData);
  return getActionError(loaderData) ?? (actionError?.code === "link_expired" ? actionError : null);
}

/** Shown instead of a page whose link does not work. @param expired message for an expired or used link */
export function InvalidLinkPage({
  actionError,
  expired,
  children,
}: {
  actionError: DisplayError;
  expired: string;
  children: ReactNode;
}) {
  const { title, description } = browserErrorMessage(actionError);
  return (
    <CenteredPage title={title} card>
      <p>{actionError.code === "link_expired" ? expired : description}</p>
      {children}
    </CenteredPage>
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
  return (
    <>
      <FormError form={useForm(result)} />
      <ActionForm noValidate fields={{ token }} className={className}>
        {children}
        <SubmitButton wide busyText={busyText}>
          {button}
        </SubmitButton>
      </ActionForm>
    </>
  );
}
