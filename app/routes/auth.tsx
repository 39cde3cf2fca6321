import { type ReactNode, useState } from "react";
import { data, Form, Link, useNavigation, useSearchParams } from "react-router";
import { act, announce, fieldsOf, page, redirect } from "#app/lib/api.server.ts";
import { errorWords } from "#app/lib/error-messages.ts";
import { licenceHint } from "#app/lib/licence-hint.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { Button } from "#app/ui/button.tsx";
import { CouchScene } from "#app/ui/drawings.tsx";
import { Checkbox, PasswordInput, SelectInput, TextArea, TextInput } from "#app/ui/field.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { CONSENTS, COUNTRIES, SPECIALTIES, type UserType } from "#shared/lists.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { returnPath } from "#shared/return-path.ts";
import type { Route } from "./+types/auth.ts";

/** What the person typed, by field; passwords never travel back. */
type Typed = Record<string, string>;
type Mode = "signIn" | "signUp";

/** The address of the registration, kept for the page that says to look in the mail. */
const CHECK_MAIL_SECONDS = 60 * 60;

const SIGN_UP_FIELDS = [
  "full_name",
  "email",
  "password",
  "confirm_password",
  "country",
  "license_number",
  "specialty",
  "bio",
  "phone",
  "whatsapp",
  ...CONSENTS,
];

const modeOf = (parameters: URLSearchParams): Mode =>
  parameters.get("modo") === "registro" || parameters.has("tipo") ? "signUp" : "signIn";
const typeOf = (parameters: URLSearchParams): UserType =>
  parameters.get("tipo") === "psicologo" ? "psychologist" : "user";

export const meta: Route.MetaFunction = ({ location }) => [
  {
    title: `${modeOf(new URLSearchParams(location.search)) === "signUp" ? "Registrarse" : "Iniciar Sesión"} · ${PRODUCT_NAME}`,
  },
  {
    name: "description",
    content: `Entra en ${PRODUCT_NAME} o crea una cuenta gratis para preguntar, o para responder con tu matrícula.`,
  },
];

export function loader(args: Route.LoaderArgs) {
  const to = returnPath(new URL(args.request.url).searchParams.get("volver"));
  if (page(args).viewer()) throw redirect(to);
  return { returnTo: to };
}

export async function action(args: Route.ActionArgs) {
  const { password, confirm_password, ...typed } = await fieldsOf(args.request);
  const to = returnPath(typed.return_to);
  const answer = await act(args, async (here) => {
    if (typed.form === "sign_in") {
      await here.api.accounts.signIn({ email: typed.email ?? "", password: password ?? "" });
      announce(here, "welcome");
      throw redirect(to);
    }
    const { form: _, return_to: __, ...person } = typed;
    await here.api.accounts.signUp({ ...person, password, confirm_password, return_to: to } as Parameters<
      typeof here.api.accounts.signUp
    >[0]);
    here.cookies.set("check_mail", encodeURIComponent(JSON.stringify([typed.email, to])), {
      maxAge: CHECK_MAIL_SECONDS,
    });
    throw redirect("/auth/revisa-tu-correo");
  });
  // The moment tells one refusal from the next, so that each is announced.
  return data({ ...answer.data, typed: typed as Typed, at: page(args).now.getTime() }, answer.init ?? undefined);
}

export default function Auth({ loaderData: { returnTo }, actionData }: Route.ComponentProps) {
  const [parameters] = useSearchParams();
  const mode = modeOf(parameters);
  const type = typeOf(parameters);
  const refused = refusalIn(actionData);
  const back: Typed = returnTo === "/" ? {} : { volver: returnTo };
  const address = (more: Record<string, string>) => `/auth?${new URLSearchParams({ ...more, ...back })}`;
  const psychologist = mode === "signUp" && type === "psychologist";
  const shared = { typed: actionData?.typed ?? {}, fields: refused?.fields ?? {}, returnTo };
  return (
    <main id="contenido" className="page split section">
      <div className="max-w-[42rem]">
        <Tabs
          label="Entrar o registrarse"
          items={[
            { to: address({}).replace(/\?$/, ""), label: "Iniciar Sesión", current: mode === "signIn" },
            { to: address({ modo: "registro" }), label: "Registrarse", current: mode === "signUp" },
          ]}
        />
        <h1 className="h-xl mt-[1.75rem]">{mode === "signIn" ? "Qué bueno verte" : "Toma asiento"}</h1>
        <p className="soft mt-[.4rem]">{lede(mode, psychologist)}</p>
        {refused && (
          <Refused
            key={actionData?.at}
            refused={refused}
            typed={shared.typed}
            returnTo={returnTo}
            known={mode === "signIn" ? ["email", "password"] : SIGN_UP_FIELDS}
          />
        )}
        {mode === "signIn" ? (
          <SignIn {...shared} />
        ) : (
          <SignUp {...shared} type={type}>
            <TypeChoice type={type} address={address} />
          </SignUp>
        )}
        <p className="mt-[1.5rem]">
          {mode === "signIn" ? "¿Todavía no tienes cuenta? " : "¿Ya tienes cuenta? "}
          <Link to={mode === "signIn" ? address({ modo: "registro" }) : address({}).replace(/\?$/, "")}>
            {mode === "signIn" ? "Registrarse" : "Iniciar Sesión"}
          </Link>
        </p>
      </div>
      <aside className="aside max-lg:hidden">
        <NextSteps mode={mode} psychologist={psychologist} />
      </aside>
    </main>
  );
}

function lede(mode: Mode, psychologist: boolean): string {
  if (mode === "signIn") return "Entra con tu correo y tu contraseña.";
  return psychologist
    ? "Crea tu cuenta profesional. Tu correo no aparece en tu perfil."
    : "Crea tu cuenta. Nadie de la comunidad ve tu correo.";
}

/** What went wrong, above the form: also where JavaScript is off. */
function Refused({
  refused,
  typed,
  returnTo,
  known,
}: {
  refused: ErrorBody;
  typed: Typed;
  returnTo: string;
  known: string[];
}) {
  const { title, description } = errorWords(refused.code, refused.facts);
  const errors = known.flatMap((field) => (refused.fields?.[field] ? [{ field, message: refused.fields[field] }] : []));
  return (
    <FormMessage title={title} errors={errors} className="mt-[1.5rem]">
      <p>{description}</p>
      {refused.code === "email_not_confirmed" && (
        <Form method="post" action="/auth/revisa-tu-correo" className="mt-[.75rem]">
          <input type="hidden" name="email" value={typed.email ?? ""} />
          <input type="hidden" name="return_to" value={returnTo} />
          <Button type="submit" variant="soft" small>
            Enviar el correo otra vez
          </Button>
        </Form>
      )}
    </FormMessage>
  );
}

type FormProps = { typed: Typed; fields: Record<string, string>; returnTo: string };

/** Whether this page's own form is on its way. */
function useSending(): boolean {
  const { state, formMethod, formAction } = useNavigation();
  return state !== "idle" && formMethod === "POST" && formAction?.split("?")[0] === "/auth";
}

function EmailInput({ typed, fields, autoComplete }: Pick<FormProps, "typed" | "fields"> & { autoComplete: string }) {
  return (
    <TextInput
      label="Correo electrónico"
      id="email"
      name="email"
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      required
      maxLength={LIMITS.email.max}
      defaultValue={typed.email}
      error={fields.email}
    />
  );
}

function SignIn({ typed, fields, returnTo }: FormProps) {
  const sending = useSending();
  return (
    <Form method="post" className="stack mt-[1.5rem] [--gap:1.25rem]">
      <input type="hidden" name="form" value="sign_in" />
      <input type="hidden" name="return_to" value={returnTo} />
      <EmailInput typed={typed} fields={fields} autoComplete="username" />
      <PasswordInput
        label="Contraseña"
        id="password"
        name="password"
        autoComplete="current-password"
        required
        maxLength={LIMITS.password.max}
        error={fields.password}
      />
      <Button type="submit" wide busy={sending} busyText="Entrando…">
        Iniciar Sesión
      </Button>
      <p>
        <Link to="/auth/recuperar">¿Olvidaste tu contraseña?</Link>
      </p>
    </Form>
  );
}

/** The two ways to take part, as links: each has its address, and what was typed stays. */
function TypeChoice({ type, address }: { type: UserType; address: (more: Record<string, string>) => string }) {
  const options = [
    { value: "user", to: address({ modo: "registro" }), label: "Quiero preguntar", hint: "Leer, preguntar y votar" },
    {
      value: "psychologist",
      to: address({ modo: "registro", tipo: "psicologo" }),
      label: "Soy psicólogo o psicóloga",
      hint: "Responder con matrícula",
    },
  ];
  return (
    <nav aria-labelledby="type">
      <p className="legend" id="type">
        ¿Cómo vas a participar?
      </p>
      <div className="choice">
        {options.map(({ value, to, label, hint }) => {
          const current = value === type;
          return (
            <Link
              key={value}
              to={to}
              replace
              preventScrollReset
              aria-current={current ? "true" : undefined}
              className={`check text-ink no-underline ${current ? "bg-primary-soft shadow-[inset_0_0_0_2px_var(--primary)]" : "hover:bg-surface"}`}
            >
              <span
                aria-hidden="true"
                className={`grid size-[1.6rem] place-items-center rounded-pill border-2 ${current ? "border-primary bg-primary" : "border-line-strong bg-surface"}`}
              >
                {current && <span className="size-[.65rem] rounded-pill bg-on-primary" />}
              </span>
              <span>
                <b>{label}</b>
                <span className="hint check__hint">{hint}</span>
              </span>
            </Link>
          );
        })}
      </div>
    </nav>
  );
}

function SignUp({ typed, fields, returnTo, type, children }: FormProps & { type: UserType; children: ReactNode }) {
  const sending = useSending();
  const psychologist = type === "psychologist";
  return (
    <Form method="post" className="stack mt-[1.5rem] [--gap:1.25rem]">
      {children}
      <input type="hidden" name="form" value="sign_up" />
      <input type="hidden" name="return_to" value={returnTo} />
      <input type="hidden" name="user_type" value={type} />
      <TextInput
        label="Nombre completo"
        id="full_name"
        name="full_name"
        autoComplete="name"
        required
        minLength={LIMITS.name.min}
        maxLength={LIMITS.name.max}
        defaultValue={typed.full_name}
        hint={
          psychologist
            ? "Como figura en tu matrícula: aparece en tu perfil y en tus respuestas."
            : "En tus consultas anónimas nadie lo ve."
        }
        error={fields.full_name}
      />
      <EmailInput typed={typed} fields={fields} autoComplete="email" />
      <div className="two">
        <PasswordInput
          label="Contraseña"
          id="password"
          name="password"
          autoComplete="new-password"
          required
          minLength={LIMITS.password.min}
          maxLength={LIMITS.password.max}
          hint={`Al menos ${LIMITS.password.min} caracteres, sin tu nombre ni tu correo.`}
          error={fields.password}
        />
        <PasswordInput
          label="Confirmar contraseña"
          id="confirm_password"
          name="confirm_password"
          autoComplete="new-password"
          required
          maxLength={LIMITS.password.max}
          error={fields.confirm_password}
        />
      </div>
      {psychologist && <Profession typed={typed} fields={fields} />}
      <div>
        <Checkbox
          name={CONSENTS[0]}
          id={CONSENTS[0]}
          required
          label="Tengo 18 años o más, o autorización de mi tutor."
          defaultChecked={typed[CONSENTS[0]] !== undefined}
          error={fields[CONSENTS[0]]}
        />
        <Checkbox
          name={CONSENTS[1]}
          id={CONSENTS[1]}
          required
          label={
            <>
              Acepto que {PRODUCT_NAME} trate datos sobre mi salud según la{" "}
              <Legal to="/privacy">política de privacidad</Legal>.
            </>
          }
          defaultChecked={typed[CONSENTS[1]] !== undefined}
          error={fields[CONSENTS[1]]}
        />
        <Checkbox
          name={CONSENTS[2]}
          id={CONSENTS[2]}
          required
          label="Acepto que mis datos se procesen fuera de mi país."
          defaultChecked={typed[CONSENTS[2]] !== undefined}
          error={fields[CONSENTS[2]]}
        />
      </div>
      <Button type="submit" wide busy={sending} busyText="Creando la cuenta…">
        {psychologist ? "Crear cuenta profesional" : "Crear Cuenta Gratis"}
      </Button>
      <p className="faint">
        Al crearla aceptas los <Legal to="/terms">Términos de Servicio</Legal>.
      </p>
    </Form>
  );
}

/** A legal page in a tab of its own, so that nothing typed is lost. */
function Legal({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener">
      {children}
      <span className="sr"> (se abre en otra pestaña)</span>
    </a>
  );
}

function Profession({ typed, fields }: Pick<FormProps, "typed" | "fields">) {
  const [country, setCountry] = useState(typed.country ?? "");
  return (
    <Panel title="Datos profesionales" className="stack [--gap:1.1rem]">
      <SelectInput
        label="País"
        optional
        id="country"
        name="country"
        autoComplete="country-name"
        defaultValue={typed.country}
        onChange={(event) => setCountry(event.currentTarget.value)}
        error={fields.country}
      >
        <option value="">Elige un país</option>
        {COUNTRIES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectInput>
      <TextInput
        label="Número de matrícula o registro profesional"
        id="license_number"
        name="license_number"
        autoComplete="off"
        required
        minLength={LIMITS.licence.min}
        maxLength={LIMITS.licence.max}
        defaultValue={typed.license_number}
        hint={`${licenceHint(country)} Lo revisa una persona en 24-48 horas y te avisamos por correo.`}
        error={fields.license_number}
      />
      <SelectInput
        label="Especialidad"
        optional
        id="specialty"
        name="specialty"
        defaultValue={typed.specialty}
        error={fields.specialty}
      >
        <option value="">Elige una especialidad</option>
        {SPECIALTIES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectInput>
      <TextArea
        label="Biografía"
        optional
        id="bio"
        name="bio"
        rows={4}
        maxLength={LIMITS.bio.max}
        placeholder="Con quién trabajas y cómo. Dos o tres frases bastan."
        defaultValue={typed.bio}
        error={fields.bio}
      />
      <div className="two">
        <TextInput
          label="Teléfono"
          optional
          id="phone"
          name="phone"
          type="tel"
          autoComplete="tel"
          minLength={LIMITS.phone.min}
          maxLength={LIMITS.phone.max}
          defaultValue={typed.phone}
          error={fields.phone}
        />
        <TextInput
          label="WhatsApp"
          optional
          id="whatsapp"
          name="whatsapp"
          type="tel"
          autoComplete="off"
          minLength={LIMITS.phone.min}
          maxLength={LIMITS.phone.max}
          defaultValue={typed.whatsapp}
          error={fields.whatsapp}
        />
      </div>
      <p className="hint">Teléfono y WhatsApp, si los escribes, aparecen en tu perfil público.</p>
    </Panel>
  );
}

function NextSteps({ mode, psychologist }: { mode: Mode; psychologist: boolean }) {
  const steps = psychologist
    ? [
        "Confirmas tu correo.",
        "Una persona del equipo revisa tu matrícula, en 24-48 horas.",
        `Respondes tus primeras ${LIMITS.freeAnswers} consultas gratis.`,
      ]
    : [
        "Confirmas tu correo.",
        "Preguntas con tu nombre o de forma anónima: una consulta por semana.",
        "Te responden profesionales con matrícula verificada.",
      ];
  return (
    <section className="room block! min-h-0! px-[1.75rem] pt-[2rem]" aria-labelledby="next">
      <div className="room__glow -top-[9rem]! right-[-9rem]! bottom-auto! size-[30rem]!" />
      <h2 id="next" className="h-m">
        {mode === "signIn" ? "Tu lugar sigue aquí" : "Qué pasa después"}
      </h2>
      {mode === "signIn" ? (
        <p className="my-[.75rem] mb-[1.5rem]">
          Tus consultas, tus votos y las respuestas que recibiste te esperan como las dejaste.
        </p>
      ) : (
        <ol className="my-[.75rem] mb-[1.5rem] list-decimal pl-[1.2em]">
          {steps.map((step) => (
            <li key={step} className="mb-[.5rem]">
              {step}
            </li>
          ))}
        </ol>
      )}
      <CouchScene className="h-auto w-full" />
    </section>
  );
}
