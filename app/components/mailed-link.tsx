import { type ReactNode, useEffect } from "react";
import { type HeadersFunction, type MetaDescriptor, useLocation } from "react-router";
import { type DisplayError, getActionError, resolveMessage } from "#app/lib/client-error-messages.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import type { ArmchairObject } from "#app/ui/illustrations.tsx";
import { ActionForm, FormError, type FormState, SubmitButton, useForm } from "./action-form.tsx";

/* Pages that mailed links open. The URL contains a token, which must not leak to other sites or search engines. A
   button executes the action, because mail scanners open links too. */

// Not "no-referrer": it makes browsers send "Origin: null" with forms without JavaScript, which the server rejects.
const REFERRER = "same-origin";

export const mailedLinkMeta = (title: string): MetaDescriptor[] => [
  ...pageMeta(title),
  { name: "referrer", content: REFERRER },
];

export const mailedLinkHeaders: HeadersFunction = () => ({ "Referrer-Policy": REFERRER, "X-Robots-Tag": "noindex" });

type Way = readonly [label: string, to: string];

type WorkingLink<Loaded> = Exclude<Loaded, { actionError: DisplayError }>;

interface Content {
  title: string;
  illustration: ArmchairObject;
  text: ReactNode;
  fields?: ReactNode;
  button: string;
  busyText?: string;
  /** Consequence of not pressing the button. */
  note?: string;
}

/** Shows what the link is for, or that it does not work. Removes the token from the URL, but not from the form. */
export function MailedLinkPage<Loaded extends object>({
  loaderData,
  actionData,
  expired,
  ways,
  content,
}: {
  loaderData: Loaded;
  actionData?: unknown;
  /** Message for an expired or used link. */
  expired: string;
  /** Returns one or two links out of an error. */
  ways: (error: DisplayError) => readonly [first: Way, second?: Way];
  content: (link: WorkingLink<Loaded>, form: FormState) => Content;
}) {
  const { key, pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: submitting the form restores the URL
  useEffect(() => {
    history.replaceState(history.state, "", pathname);
  }, [key]);
  const form = useForm(actionData);
  const dead = getActionError(loaderData) ?? (form.error?.code === "link_expired" ? form.error : null);
  if (dead) {
    const { title, description } = resolveMessage(dead);
    const [[label, to], second] = ways(dead);
    const link = <ButtonLink to={to}>{label}</ButtonLink>;
    return (
      <CenteredPage title={title} card>
        <p>{dead.code === "link_expired" ? expired : description}</p>
        {second ? (
          <div className="row">
            {link}
            <ButtonLink to={second[1]} variant="soft">
              {second[0]}
            </ButtonLink>
          </div>
        ) : (
          <p>{link}</p>
        )}
      </CenteredPage>
    );
  }
  const link = loaderData as WorkingLink<Loaded> & { token: string };
  const { title, illustration, text, fields, button, busyText = "Guardando…", note } = content(link, form);
  return (
    <CenteredPage title={title} illustration={illustration} card>
      {text}
      <FormError form={form} />
      <ActionForm fields={{ token: link.token }} className={fields === undefined ? undefined : "stack stack--page"}>
        {fields}
        <SubmitButton wide busyText={busyText}>
          {button}
        </SubmitButton>
      </ActionForm>
      {note && <p className="text-muted">{note}</p>}
    </CenteredPage>
  );
}
