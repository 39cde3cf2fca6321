import { type MouseEvent, useRef } from "react";
import { Link, useFetcher } from "react-router";
import { useForm } from "#app/components/action-form.tsx";
import { useOnActionSuccess } from "#app/lib/on-action-response.ts";
import { Button } from "#app/ui/button.tsx";
import { Collapsible } from "#app/ui/collapsible.tsx";
import type { AnsweringView } from "#shared/answers.ts";

/** Response to a button of «Mis textos»: the written text, and the text to insert unless the written text was stored. */
export type TemplateResponse = { done: true; inserted?: string; typed: { content: string } };

/** Inserts a text at the cursor, in its own paragraph. Deletes nothing, not even selected text. */
function insertAtCursor(area: HTMLTextAreaElement, text: string): void {
  const at = area.selectionEnd;
  const before = /\S$/.test(area.value.slice(0, at)) ? "\n\n" : "";
  const after = /^\S/.test(area.value.slice(at)) ? "\n\n" : "";
  area.setRangeText(before + text + after, at, at, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
  area.focus();
}

interface TemplatesProps {
  templates: AnsweringView["templates"];
  action: string;
  response: unknown;
}

/** Part of the answer form: inserts the psychologist's stored texts, stores the written one. Works without JavaScript. */
export function Templates({ templates, action, response }: TemplatesProps) {
  const fetcher = useFetcher<TemplateResponse>();
  const pressed = useRef<HTMLButtonElement>(null);
  const shown = (fetcher.data ?? response) as TemplateResponse | undefined;
  useForm(fetcher.data, { toast: true });
  useOnActionSuccess(fetcher.data, () => {
    const area = pressed.current?.form?.elements.namedItem("content");
    if (fetcher.data?.inserted && area instanceof HTMLTextAreaElement) insertAtCursor(area, fetcher.data.inserted);
  });
  const button = (name: "insert" | "save", value: string) =>
    ({
      type: "submit",
      name,
      value,
      variant: "soft",
      small: true,
      busy: fetcher.formData?.get(name) === value,
      onClick: (event: MouseEvent<HTMLButtonElement>) => {
        event.preventDefault();
        pressed.current = event.currentTarget;
        void fetcher.submit(event.currentTarget, { method: "post", action });
      },
    }) as const;
  return (
    <div>
      <Collapsible title="Mis textos" className="templates">
        <div className="stack">
          {templates.length > 0 && (
            <div className="row" role="group" aria-label="Insertar en tu respuesta">
              {templates.map(({ id, title }) => (
                <Button key={id} {...button("insert", id)}>
                  {title}
                </Button>
              ))}
            </div>
          )}
          <p className="hint">Para lo que escribes a menudo. Solo los ves tú; se insertan sin borrar nada.</p>
          <div className="row">
            <Button {...button("save", "1")}>Guardar lo escrito como texto</Button>
            <Link to="/perfil#textos">Editar mis textos</Link>
          </div>
        </div>
      </Collapsible>
      {shown?.done && !shown.inserted && <p role="status">Guardado en «Mis textos». Puedes cambiar su título.</p>}
    </div>
  );
}
