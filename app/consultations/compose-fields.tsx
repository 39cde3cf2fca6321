import { type RefObject, useEffect, useId } from "react";
import { useNavigate } from "react-router";
import { VISITOR_DRAFT } from "#app/lib/drafts.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { useDraft } from "#app/lib/use-draft.ts";
import { HelpWhileWriting } from "#app/safety/first-calls.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/field.tsx";
import { Options } from "#app/ui/filter-select.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import { useWritten } from "./card-preview.tsx";
import { MissingField, missingIn } from "./missing-field.tsx";
import "./compose-fields.css";

type ChoiceProps = { name: string; label: string; none: string; options: readonly string[] };

const Choice = ({ name, label, none, options }: ChoiceProps) => (
  <span className="composer-choice">
    <select name={name} aria-label={label}>
      <Options none={none} options={options} />
    </select>
    <Icon name="chevron-down" size="s" />
  </span>
);

export function Above() {
  return (
    <div className="composer-head">
      <Choice name="country" label="País" none="Elige tu país" options={COUNTRIES} />
      <Choice name="category" label="Categoría (opcional)" none="Sin categoría" options={CATEGORIES} />
      <textarea
        name="title"
        rows={1}
        className="composer-title"
        aria-label="Título"
        placeholder="Ponle un título"
        maxLength={LIMITS.title.max}
      />
    </div>
  );
}

export function Below({ form }: { form: RefObject<HTMLFormElement | null> }) {
  const navigate = useNavigate();
  const why = useId();
  useDraft(form, VISITOR_DRAFT);
  const written = useWritten(form);
  useEffect(() => {
    const text = form.current?.elements.namedItem("content");
    if (!(text instanceof HTMLTextAreaElement)) return;
    text.maxLength = LIMITS.content.max;
    // Stores text from before the draft existed.
    if (text.value) text.dispatchEvent(new Event("input", { bubbles: true }));
  }, [form]);
  const missing = written && missingIn(written, true);
  return (
    <>
      <p className="text-muted small byline composer-byline">
        {written?.anonymous ? (
          <Avatar anonymous size="s" />
        ) : (
          <span className="avatar avatar--s">
            <Icon name="user" size="s" />
          </span>
        )}
        <span>{written?.anonymous ? "Anónimo" : "Tu nombre"}</span>
      </p>
      <p className="row row--apart small consultation-card__answers composer-answers">
        <span className="answer-count answer-count--none">
          <Icon name="talk" />
          Así la verán los demás
        </span>
      </p>
      <div className="composer-foot stack stack--tight">
        <HelpWhileWriting country={written?.country ?? ""} />
        <Checkbox
          id="composer-anonymous"
          name="is_anonymous"
          label={<b>Publicar de forma anónima</b>}
          hint="Nadie verá tu nombre ni tu perfil, tampoco quien responda."
        />
        <div className="actions">
          <p className="faint">Hasta que publiques, lo que escribes queda solo en esta pestaña.</p>
          {missing && <MissingField id={why} form={form} missing={missing} />}
          <Button
            disabled={!written || missing !== null}
            aria-describedby={missing ? why : undefined}
            onClick={() => navigate(signInPath("/nueva-consulta?borrador"))}
          >
            Publicar
          </Button>
        </div>
      </div>
    </>
  );
}
