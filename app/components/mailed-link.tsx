import { type ReactNode, useEffect } from "react";
import { type HeadersFunction, type MetaDescriptor, useLocation } from "react-router";
import { type DisplayError, getActionError, resolveMessage } from "#app/lib/client-error-messages.ts";
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

/** Removes the token from the URL and the history. The form still contains it. */
export function useMailedLink<Loaded extends object>(loaderData: Loaded, actionData: unknown) {
  const { key, pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: submitting the form restores the URL
  useEffect(() => {
    history.replaceState(history.state, "", pathname);
  }, [key]);
  const refused = getActionError(actionData);
  const dead = getActionError(loaderData) ?? (refused?.code === "link_expired" ? refused : null);
  const link = loaderData as Exclude<Loaded, { actionError: DisplayError }>;
  return dead ? { link: null, dead } : { link, dead };
}

type InvalidLinkProps = { actionError: DisplayError; expired: string; children: ReactNode };

export function InvalidLinkPage({ actionError, expired, children }: InvalidLinkProps) {
  const { title, description } = resolveMessage(actionError);
  return (
    <CenteredPage title={title} card>
      <p>{actionError.code === "link_expired" ? expired : description}</p>
      {children}
    </CenteredPage>
  );
}

interface MailedLinkFormProps {
  token: string;
  result: unknown;
  button: string;
  busyText: string;
  className?: string;
  children?: ReactNode;
}

export const MailedLinkForm = ({ token, result, button, busyText, className, children }: MailedLinkFormProps) => (
  <>
    <FormError form={useForm(result)} />
    <ActionForm fields={{ token }} className={className}>
      {children}
      <SubmitButton wide busyText={busyText}>
        {button}
      </SubmitButton>
    </ActionForm>
  </>
);
