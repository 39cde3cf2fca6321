import { Link, redirect, useSearchParams } from "react-router";
import { setCheckMailCookie } from "#app/accounts/registration/check-mail-cookie.server.ts";
import { type AuthFormProps, CHOOSE_TYPE, RegistrationForm } from "#app/accounts/registration/registration-form.tsx";
import { ActionForm, FormError, fieldOf, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { formAction, typedIn } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { getPageContext } from "#app/lib/page-request.server.ts";
import { isAskPath } from "#app/lib/sign-in-path.ts";
import { withQuery } from "#app/lib/with-query.ts";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { Tabs } from "#app/ui/link-row.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import { safeRedirectAfterSignIn } from "#shared/safe-redirect.ts";
import type { UserType } from "#shared/user-types.ts";
import { PausedSignInHelp } from "./paused-sign-in-help.tsx";
import "./auth-page.css";
import { EmailInput } from "#app/components/account-fields.tsx";
import { PasswordInput } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { Route } from "./+types/auth.ts";

type Mode = "signIn" | "signUp";

const modeOf = (parameters: URLSearchParams): Mode =>
  parameters.get("modo") === "registro" || parameters.has("tipo") ? "signUp" : "signIn";
const typeOf = (parameters: URLSearchParams): UserType =>
  parameters.get("tipo") === "psicologo" ? "psychologist" : "user";

export const meta: Route.MetaFunction = ({ location }) =>
  pageMeta(
    modeOf(new URLSearchParams(location.search)) === "signUp" ? "Registrarse" : "Iniciar Sesión",
    `Entra en ${PRODUCT_NAME} o crea una cuenta gratis para preguntar, o para responder con tu matrícula.`,
  );

export function loader(args: Route.LoaderArgs) {
  const to = safeRedirectAfterSignIn(args.url.searchParams.get("volver"));
  const { viewer, ensureDeviceCookie } = getPageContext(args);
  if (viewer()) throw redirect(to);
  ensureDeviceCookie();
  return { returnTo: to };
}

export const action = formAction({
  async sign_in({ api, fields, input, leave }) {
    const to = safeRedirectAfterSignIn(fields.return_to);
    const { second_factor_required } = await api.accounts.signIn(input("email", "password"));
    if (second_factor_required)
      return leave(to === "/" ? "/auth/codigo" : `/auth/codigo?volver=${encodeURIComponent(to)}`);
    return leave(to, "welcome");
  },
  async sign_up(page) {
    if (CHOOSE_TYPE in page.fields) return { typed: typedIn(page.fields) };
    const { email = null, return_to } = page.fields;
    const returnTo = safeRedirectAfterSignIn(return_to);
    await page.api.accounts.signUp(page.input({ return_to: returnTo }));
    setCheckMailCookie(page, { email, returnTo });
    return page.leave("/auth/revisa-tu-correo");
  },
});

export default function Auth({ loaderData: { returnTo }, actionData }: Route.ComponentProps) {
  const [parameters] = useSearchParams();
  const mode = modeOf(parameters);
  const type = typeOf(parameters);
  const form = useForm(actionData);
  const back = { volver: returnTo === "/" ? null : returnTo };
  const address = (more: Record<string, string>) => withQuery("/auth", { ...more, ...back });
  const psychologist = mode === "signUp" && type === "psychologist";
  return (
    <CenteredPage
      className="auth-page"
      title={mode === "signIn" ? "Qué bueno verte" : "Toma asiento"}
      illustration={mode === "signIn" && "key"}
      before={
        <Tabs
          label="Entrar o registrarse"
          items={[
            { to: address({}), label: "Iniciar Sesión", current: mode === "signIn" },
            { to: address({ modo: "registro" }), label: "Registrarse", current: mode === "signUp" },
          ]}
        />
      }
    >
      <CenteredPageCard>
        {isAskPath(returnTo) && !psychologist ? (
          <p>
            <b>Para publicar necesitas una cuenta. Nadie ve tu nombre si no quieres.</b>
            {returnTo.includes("borrador") && " Lo que escribiste te espera en esta pestaña."}
          </p>
        ) : (
          <p className="text-muted">{introText(mode, psychologist)}</p>
        )}
        <FormError form={form} labels={LABELS}>
          {form.error?.code === "sign_in_paused" && <PausedSignInHelp />}
          {form.error?.code === "email_not_confirmed" && (
            <ActionForm
              action="/auth/revisa-tu-correo"
              fields={{ email: form.typed?.email, return_to: returnTo }}
              className="above-3"
            >
              <SubmitButton variant="soft" small>
                Enviar el correo otra vez
              </SubmitButton>
            </ActionForm>
          )}
        </FormError>
        {/* Shown to all visitors, so that it does not reveal whether the email has an account. */}
        {form.error && mode === "signIn" && (
          <p className="text-muted">
            ¿Te registraste hace poco? <Link to="/auth/revisa-tu-correo">Confirma primero tu correo.</Link>
          </p>
        )}
        {mode === "signIn" ? (
          <SignInForm form={form} returnTo={returnTo} />
        ) : (
          <RegistrationForm form={form} returnTo={returnTo} type={type} address={address} />
        )}
      </CenteredPageCard>
      <p className="text-muted small centered-page__note">
        {mode === "signIn" ? "¿Todavía no tienes cuenta? " : "¿Ya tienes cuenta? "}
        <Link to={mode === "signIn" ? address({ modo: "registro" }) : address({})}>
          {mode === "signIn" ? "Registrarse" : "Iniciar Sesión"}
        </Link>
      </p>
      {mode === "signUp" && <NextSteps psychologist={psychologist} />}
    </CenteredPage>
  );
}

function introText(mode: Mode, psychologist: boolean): string {
  if (mode === "signIn") return "Entra con tu correo y tu contraseña.";
  return psychologist
    ? "Crea tu cuenta profesional. Tu correo no aparece en tu perfil."
    : "Crea tu cuenta. Nadie de la comunidad ve tu correo.";
}

const LABELS = {
  full_name: "Nombre completo",
  email: "Correo electrónico",
  password: "Contraseña",
  confirm_password: "Confirmar contraseña",
  country: "País",
  license_number: "Matrícula",
  specialty: "Especialidad",
  bio: "Biografía",
  phone: "Teléfono",
  whatsapp: "WhatsApp",
  adult_or_guardian: "Mayoría de edad",
  health_data: "Permiso: datos sobre tu salud",
  professional_data: "Permiso: datos profesionales",
  transfer_abroad: "Permiso: datos fuera de tu país",
};

function NextSteps({ psychologist }: { psychologist: boolean }) {
  const steps = psychologist
    ? [
        "Confirmas tu correo.",
        "Una persona del equipo revisa tu matrícula, en 24-48 horas.",
        `Respondes tus primeras ${LIMITS.freeAnswers} consultas gratis.`,
      ]
    : [
        "Confirmas tu correo.",
        "Preguntas con tu nombre o de forma anónima: una consulta por semana.",
        "Pueden responderte profesionales con matrícula verificada.",
      ];
  return (
    <section className="centered-page__after auth-page__next-steps" aria-labelledby="next">
      <h2 id="next">Qué pasa después</h2>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  );
}

function SignInForm({ form, returnTo }: AuthFormProps) {
  return (
    <ActionForm fields={{ intent: "sign_in", return_to: returnTo }} className="stack stack--page">
      <EmailInput autoComplete="username" {...fieldOf(form, "email")} />
      <PasswordInput
        label="Contraseña"
        id="password"
        autoComplete="current-password"
        required
        maxLength={LIMITS.password.max}
        {...fieldOf(form, "password")}
      />
      <SubmitButton wide busyText="Entrando…">
        Iniciar Sesión
      </SubmitButton>
      <p>
        <Link to="/auth/recuperar">¿Olvidaste tu contraseña?</Link>
      </p>
    </ActionForm>
  );
}
