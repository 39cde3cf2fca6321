import { type ComponentProps, createContext, type ReactNode, useContext } from "react";
import { type FetcherWithComponents, Form, useFormAction, useLocation, useNavigation } from "react-router";
import { type DisplayError, getActionError, resolveMessage } from "#app/lib/client-error-messages.ts";
import { useOnActionResponse } from "#app/lib/on-action-response.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { Button } from "#app/ui/button.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { useToast } from "#app/ui/toast.tsx";

const Busy = createContext(false);

interface ActionFormProps extends Omit<ComponentProps<typeof Form>, "method" | "noValidate" | "children"> {
  /** Hidden fields. They also distinguish the form from the other forms of its page. */
  fields?: Readonly<Record<string, string | undefined>>;
  fetcher?: FetcherWithComponents<unknown>;
  children: ReactNode;
}

export function ActionForm({ fields = {}, fetcher, action, children, ...form }: ActionFormProps) {
  const navigation = useNavigation();
  const { state, formMethod, formAction, formData } = fetcher ?? navigation;
  const address = useFormAction(action);
  const hidden = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  const isSubmitted =
    formMethod === "POST" && formAction === address && hidden.every(([name, value]) => formData?.get(name) === value);
  const Tag = fetcher?.Form ?? Form;
  return (
    <Tag {...form} method="post" action={action} noValidate>
      {hidden.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Busy value={state !== "idle" && (fetcher !== undefined || isSubmitted)}>{children}</Busy>
    </Tag>
  );
}

export function SubmitButton(button: ComponentProps<typeof Button>) {
  const busy = useContext(Busy);
  return <Button type="submit" busy={busy} {...button} />;
}

export interface FormState {
  error: DisplayError | null;
  errors: Readonly<Record<string, string>>;
  typed: Readonly<Record<string, string>> | undefined;
  /** Time of the error: screen readers announce an equal error again. */
  at?: number;
}

interface FormOptions {
  /** The form's intent, if the page has several. Ignores other forms' errors. */
  intent?: string;
  toast?: boolean;
  /** Fragment of this page to which a sign-in returns. */
  place?: string;
  /** Field that shows an error that names no field. */
  main?: string;
  /** Response to the form without JavaScript, for a form with a fetcher. Counts until the fetcher has a response. */
  first?: unknown;
}

export function useForm(response: unknown, options: FormOptions = {}): FormState {
  const { intent, toast: shows = false, place = "", main, first } = options;
  const toast = useToast();
  const { pathname, search } = useLocation();
  const sent = getActionError(response);
  useOnActionResponse(shows && !sent?.told ? sent : null, (error) => {
    const link = /^sign_in_(to_|required$)/.test(error.code)
      ? { to: signInPath(pathname + search + place), label: "Iniciar Sesión" }
      : undefined;
    toast({ ...resolveMessage(error), tone: "error", link });
    document.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  });
  const shown = (response ?? first) as (Partial<FormState> & { intent?: string }) | undefined;
  const shownError = getActionError(shown);
  const error = intent === undefined || shown?.intent === intent ? shownError : null;
  // An action may return the values of a form to show it again with other fields.
  if (!error) return { error, errors: {}, typed: shownError ? undefined : shown?.typed };
  const whole = main && !error.told ? { [main]: resolveMessage(error).description } : {};
  return { error, errors: error.fields ?? whole, typed: shown?.typed, at: shown?.at };
}

/** Returns the props of a field: its name, the typed value and the error. @param initial value of an untouched form */
export const fieldOf = ({ typed, errors }: Pick<FormState, "typed" | "errors">, name: string, initial?: string) => ({
  name,
  defaultValue: typed?.[name] ?? initial,
  error: errors[name],
});

interface FormErrorProps {
  form: Pick<FormState, "error" | "at">;
  /** Label by field name, in the order of the form. With it the message links to each field. */
  labels?: Readonly<Record<string, string>>;
  idPrefix?: string;
  children?: ReactNode;
}

/** Error above a form, unless a toast has already shown it. */
export function FormError({ form: { error, at }, labels, idPrefix = "", children }: FormErrorProps) {
  if (!error || error.told) return null;
  const { title, description } = resolveMessage(error);
  const order = Object.keys(labels ?? {});
  const errors =
    labels &&
    Object.entries(error.fields ?? {})
      .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
      .map(([name, message]) => ({ field: idPrefix + name, message: `${labels[name] ?? "Formulario"}: ${message}` }));
  return (
    <FormMessage key={at} title={title} errors={errors}>
      {children && !labels ? <p>{description}</p> : description}
      {children}
    </FormMessage>
  );
}
