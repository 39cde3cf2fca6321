import { useRef } from "react";
import { Setting } from "#app/accounts/setting.tsx";
import { ActionForm, type FormState, fieldOf, useForm } from "#app/components/action-form.tsx";
import { editDraft } from "#app/lib/drafts.ts";
import { usePageDraft, useStoredValues } from "#app/lib/use-draft.ts";
import { Button } from "#app/ui/button.tsx";
import { TextArea, TextInput } from "#app/ui/field.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { TemplateView } from "#shared/answers.ts";
import { excerpt } from "#shared/excerpt.ts";
import { LIMITS } from "#shared/limits.ts";

/** Lists the psychologist's stored texts, to edit and delete them. The answer form adds new ones. */
export function OwnTemplates({ templates, response }: { templates: TemplateView[]; response: unknown }) {
  const form = useForm(response, { main: "content" });
  return (
    <Panel id="textos" title="Mis textos" className="own-profile__part">
      <p className="text-muted panel__lead">
        Guarda lo que escribes a menudo: al responder, abre «Mis textos» y elige «Guardar lo escrito como texto». Solo
        los ves tú.
      </p>
      {templates.map((one) => (
        <OwnTemplate key={one.id} template={one} refused={form.typed?.id === one.id ? form : null} />
      ))}
    </Panel>
  );
}

function OwnTemplate({ template, refused }: { template: TemplateView; refused: FormState | null }) {
  const form = useRef<HTMLFormElement>(null);
  useStoredValues(form);
  usePageDraft(form, editDraft(template.id));
  const fields = refused ?? { typed: undefined, errors: {} };
  return (
    <Setting
      name={template.title}
      value={<span className="clamped">{excerpt(template.content)}</span>}
      open={refused !== null}
    >
      <ActionForm ref={form} fields={{ id: template.id }} className="stack" preventScrollReset>
        <TextInput label="Título" maxLength={LIMITS.templateTitle.max} {...fieldOf(fields, "title", template.title)} />
        <TextArea label="Texto" maxLength={LIMITS.answer.max} {...fieldOf(fields, "content", template.content)} />
        <div className="row">
          <Button type="submit" name="intent" value="save_template" small>
            Guardar cambios
          </Button>
          <details>
            <summary className="button button--quiet button--small">Eliminar</summary>
            <Button type="submit" name="intent" value="delete_template" variant="danger" small>
              Eliminar para siempre
            </Button>
          </details>
        </div>
      </ActionForm>
    </Setting>
  );
}
