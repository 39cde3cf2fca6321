import { type ChangeEvent, type ComponentType, type RefObject, useEffect, useRef, useState } from "react";
import { href, Link, useFetcher } from "react-router";
import { ActionForm, FormError, type FormState, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { OutcomeMessage, PressKey, useOutcome, useSentDraft } from "#app/components/press.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { isChecked } from "#app/lib/checkbox-field.ts";
import { CONSULTATION_DRAFT, deleteDraft, editDraft, readDraft } from "#app/lib/drafts.ts";
import { errorMessage } from "#app/lib/error-messages.ts";
import { FLASH_MESSAGES } from "#app/lib/flash-messages.ts";
import { useOnActionSuccess } from "#app/lib/on-action-response.ts";
import { useDraft } from "#app/lib/use-draft.ts";
import { HelpLinesStrip, HelpWhileWriting } from "#app/safety/first-calls.tsx";
import { Button } from "#app/ui/button.tsx";
import { DialogActions } from "#app/ui/dialog.tsx";
import { Checkbox, SelectInput, TextArea, TextInput } from "#app/ui/field.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { useToast } from "#app/ui/toast.tsx";
import { CATEGORIES } from "#shared/categories.ts";
import type { WeeklyLimitView } from "#shared/consultations.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { HelpLinesView } from "#shared/safety.ts";
import { type CardPreviewProps, useWritten } from "./card-preview.tsx";
import type { ConsultationValues } from "./consultation-fields.ts";
import "./consultation-form.css";
import { MissingField, missingIn } from "./missing-field.tsx";
import { SimilarConsultations } from "./related-consultations.tsx";
import { ResetTime } from "./reset-time.tsx";

const LABELS = {
  title: "Título",
  content: "Descripción detallada",
  country: "País",
  category: "Categoría",
  author_name: "Nombre para mostrar",
};

export default function ConsultationForm({
  response,
  values = {},
  editing,
  preview: Preview,
  onCancel,
  onSaved,
}: {
  response?: unknown;
  values?: ConsultationValues;
  editing?: { id: string; is_anonymous: boolean };
  preview?: ComponentType<CardPreviewProps>;
  onCancel?: () => void;
  onSaved?: () => void;
}) {
  const fetcher = useFetcher();
  const { data, outcome, busy } = useOutcome(fetcher);
  const toast = useToast();
  const form = useRef<HTMLFormElement>(null);
  const draft = editing ? editDraft(editing.id) : CONSULTATION_DRAFT;
  useDraft(form, draft);
  const state = useForm(data, { first: response });
  const field = (name: keyof typeof LABELS) => ({
    id: `consulta-${name}`,
    name,
    label: LABELS[name],
    defaultValue: values[name],
    error: state.errors[name],
  });
  // A new consultation opens its page, which deletes the draft.
  useOnActionSuccess(data, () => {
    deleteDraft(draft);
    toast(FLASH_MESSAGES.changes_saved);
    onSaved?.();
  });
  const written = useWritten(form);
  // Without JavaScript the button must work, so only the script disables it, after it found an empty field.
  const missing = written && missingIn(written);
  const [anonymous, setAnonymous] = useState(isChecked(values.is_anonymous));
  const mails = useMailChoice(form, editing !== undefined || values.title !== undefined);
  const page = editing ? href("/consulta/:id/editar", { id: editing.id }) : "/nueva-consulta";
  return (
    <ActionForm ref={form} fetcher={fetcher} action={page} className="stack consultation-form">
      {!outcome && <ConsultationFormError form={state} page={page} />}
      {!editing && <PressKey draft={CONSULTATION_DRAFT} />}
      <HelpWhileWriting country={written?.country ?? values.country ?? ""}>
        {!editing && "Escribe como te salga, sin prisa. "}
      </HelpWhileWriting>
      <div className="rows consultation-form__fields">
        <TextArea
          {...field("title")}
          asTitle
          rows={1}
          required
          limit={LIMITS.title}
          hint="Una frase. Es lo primero que se lee de tu consulta."
          readOnly={busy}
        />
        <TextArea
          {...field("content")}
          rows={7}
          required
          limit={LIMITS.content}
          readOnly={busy}
          hint="Ayuda contar desde cuándo pasa y qué has intentado. No escribas teléfonos ni nombres completos."
        />
        <div className="two-columns">
          <SelectInput {...field("country")} required none="Elige tu país" options={COUNTRIES} />
          <SelectInput {...field("category")} optional none="Sin categoría" options={CATEGORIES} />
        </div>
        {!editing && written && <SimilarConsultations title={written.title} content={written.content} />}
        {Preview && <Preview written={written} />}
        <div hidden={anonymous}>
          <TextInput
            {...field("author_name")}
            optional
            maxLength={LIMITS.name.max}
            hint="Si lo dejas vacío, se mostrará el nombre de tu perfil."
            autoComplete="off"
          />
        </div>
        <AnswerMailsField mails={mails} value={values.notify_on_answer} keeps={editing !== undefined} />
        <Checkbox
          id="consulta-noindex"
          name="noindex"
          label="No mostrar en buscadores"
          hint={`Google y otros buscadores no mostrarán su página. En ${PRODUCT_NAME} se sigue encontrando.`}
          defaultChecked={isChecked(values.noindex)}
        />
      </div>
      <p className="faint">
        {editing ? "Quien la lea verá que está editada." : "Es tu consulta de esta semana."} {PRODUCT_NAME} no es un
        servicio de urgencia.
      </p>
      <DialogActions
        before={
          <>
            <Checkbox
              id="consulta-is_anonymous"
              name="is_anonymous"
              label={<b>Publicar de forma anónima</b>}
              hint={
                <>
                  {anonymityWords(editing?.is_anonymous, anonymous)} <span role="status">{mails.followed}</span>
                </>
              }
              defaultChecked={isChecked(values.is_anonymous)}
              onChange={(event) => {
                setAnonymous(event.currentTarget.checked);
                mails.followAnonymity(event);
              }}
            />
            <OutcomeMessage outcome={outcome} />
          </>
        }
      >
        {missing && <MissingField id={MISSING_ID} form={form} missing={missing} />}
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            Cancelar
          </Button>
        )}
        <SubmitButton
          busy={busy}
          busyText={outcome ? "Comprobando…" : editing ? "Guardando…" : "Publicando…"}
          disabled={missing !== null}
          aria-describedby={missing ? MISSING_ID : undefined}
        >
          {editing ? "Guardar cambios" : "Publicar consulta"}
        </SubmitButton>
      </DialogActions>
    </ActionForm>
  );
}

const MISSING_ID = "consulta-falta";

function ConsultationFormError({ form, page }: { form: FormState; page: string }) {
  const { code, details } = form.error ?? {};
  return (
    <FormError form={form} labels={LABELS} idPrefix="consulta-">
      {code === "weekly_limit_reached" && details?.until && <ResetTime at={details.until} />}
      {(code === "sign_in_to_ask" || code === "sign_in_required") && (
        <>
          {" "}
          <Link to={`/auth?volver=${page}`}>Iniciar Sesión</Link>. Lo que has escrito te espera aquí.
        </>
      )}
    </FormError>
  );
}

/** Ticks "notify me by mail" for named authors and unticks it for anonymous ones, until the author decides. */
function useMailChoice(form: RefObject<HTMLFormElement | null>, decided: boolean) {
  const box = useRef<HTMLInputElement>(null);
  const [mailDecided, setMailDecided] = useState(decided);
  const [followed, setFollowed] = useState("");
  // Only this script ticks it for named authors: without JavaScript it could not follow the anonymity checkbox.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after hydration
  useEffect(() => {
    // A visitor's draft has no value for it.
    if (mailDecided || readDraft(CONSULTATION_DRAFT)?.notify_on_answer !== undefined || !box.current) return;
    const anonymous = form.current?.elements.namedItem("is_anonymous") as HTMLInputElement | null;
    box.current.checked = !anonymous?.checked;
  }, []);
  const followAnonymity = (event: ChangeEvent<HTMLInputElement>) => {
    // A restored draft has its own value.
    if (!event.isTrusted || !box.current) return;
    const before = box.current.checked;
    if (event.currentTarget.checked) box.current.checked = false;
    else if (!mailDecided) box.current.checked = true;
    const { checked } = box.current;
    setFollowed(checked === before ? "" : `Hemos ${checked ? "marcado" : "desmarcado"} «Avísame por correo».`);
  };
  const decide = () => {
    setMailDecided(true);
    setFollowed("");
  };
  return { box, decide, followAnonymity, followed };
}

type AnswerMailsFieldProps = { mails: ReturnType<typeof useMailChoice>; value: string | undefined; keeps: boolean };

function AnswerMailsField({ mails, value, keeps }: AnswerMailsFieldProps) {
  const answerMails = useAuth().viewer?.notify_on_answers ?? true;
  const name = "notify_on_answer";
  return answerMails ? (
    <Checkbox
      ref={mails.box}
      id={`consulta-${name}`}
      name={name}
      label="Avísame por correo cuando haya una respuesta"
      hint="El correo solo dice «Hay novedades en tu cuenta»: nada de tu consulta. Si alguien más lee tu correo, déjalo sin marcar."
      defaultChecked={isChecked(value)}
      onChange={mails.decide}
    />
  ) : (
    <>
      {keeps && <input type="hidden" name={name} value={value} />}
      <p className="text-muted">
        Los avisos por correo están desactivados. Puedes activarlos en{" "}
        <Link to="/notificaciones#avisos">Novedades</Link>.
      </p>
    </>
  );
}

function anonymityWords(before: boolean | undefined, ticked: boolean): string {
  if (before && !ticked) return "Al guardar, tu nombre quedará a la vista de todos.";
  // Shown for both states: the author must read it before choosing, even without JavaScript.
  if (before === false)
    return "Desde ahora nadie verá tu nombre. Quien ya lo vio puede recordarlo, y alguna respuesta puede nombrarte.";
  return "Nadie verá tu nombre ni tu perfil, tampoco quien responda.";
}

export function WeeklyLimitMessage({ limit, helpLines }: { limit: WeeklyLimitView; helpLines: HelpLinesView }) {
  // The draft of this tab may have used the limit. Then the page of that consultation opens.
  const fetcher = useFetcher();
  const { data, outcome } = useOutcome(fetcher);
  useSentDraft(CONSULTATION_DRAFT, "/nueva-consulta", true, { submit: fetcher.submit, data });
  const { title, description } = errorMessage("weekly_limit_reached", { days_until_reset: limit.days_until_reset });
  return (
    <div className="stack">
      <OutcomeMessage outcome={fetcher.state === "idle" ? outcome : "checking"} />
      <FormMessage tone="info" title={title}>
        {description}
        {limit.resets_at && <ResetTime at={limit.resets_at} />} Mientras tanto puedes leer, votar y comentar.
      </FormMessage>
      <HelpLinesStrip lines={{ ...helpLines, first: [...helpLines.first, ...helpLines.emergency], emergency: [] }} />
    </div>
  );
}
