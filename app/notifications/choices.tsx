import { useRef, useState } from "react";
import { useSubmit } from "react-router";
import { ActionForm, FormError, type FormState, SubmitButton } from "#app/components/action-form.tsx";
import { useHydrated } from "#app/lib/hydrated.ts";
import { useStoredValues } from "#app/lib/use-draft.ts";
import { Button } from "#app/ui/button.tsx";
import { Collapsible } from "#app/ui/collapsible.tsx";
import { Checkbox } from "#app/ui/field.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { CATEGORIES } from "#shared/categories.ts";
import type { NotificationChoicesView } from "#shared/notifications.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { UserType } from "#shared/user-types.ts";

interface ChoicesProps {
  choices: NotificationChoicesView;
  form: Pick<FormState, "error" | "at">;
  userType: UserType;
  /** True to offer pushes in this browser: something has arrived before. */
  offersPush: boolean;
}

export function Choices({ choices, form, userType, offersPush }: ChoicesProps) {
  const isPsychologist = userType === "psychologist";
  const element = useRef<HTMLFormElement>(null);
  useStoredValues(element);
  const topics = choices.digest_categories;
  const box = (name: "answers" | "digest" | "push_answers" | "push_replies", label: string, hint?: string) => (
    <>
      <input type="hidden" name="shown" value={name} />
      <Checkbox name={name} defaultChecked={choices[name]} label={label} hint={hint} />
    </>
  );
  return (
    <Panel id="avisos" title="Cómo te avisamos" className="choices stack">
      <FormError form={form} />
      <ActionForm ref={element} className="stack" preventScrollReset>
        <fieldset>
          <legend className="legend">Por correo</legend>
          {isPsychologist
            ? box(
                "digest",
                "Un resumen diario de las consultas sin responder",
                "De tu país, solo si hay nuevas y sin el texto de ninguna. Sale a las 13:00 UTC: las 10 en Buenos Aires, las 7 en Ciudad de México.",
              )
            : box(
                "answers",
                "Cuando responden las consultas en las que lo pediste",
                "Un solo correo hasta que lo veas, sin nada de lo que has escrito. En «Editar consulta» lo cambias para una sola.",
              )}
          {isPsychologist && (
            <Collapsible title={`Temas del resumen: ${topics.length ? topics.join(", ") : "todos"}`}>
              <div className="choices__topics">
                {CATEGORIES.map((name) => (
                  <Checkbox
                    key={name}
                    name="digest_categories"
                    value={name}
                    defaultChecked={topics.includes(name)}
                    label={name}
                  />
                ))}
              </div>
            </Collapsible>
          )}
        </fieldset>
        {choices.this_device && (
          <fieldset>
            <legend className="legend">Con una notificación</legend>
            {!isPsychologist && box("push_answers", "Cuando responden tus consultas")}
            {box(
              "push_replies",
              isPsychologist ? "Cuando comentan tus respuestas" : "Cuando comentan una respuesta a tu consulta",
            )}
          </fieldset>
        )}
        <div className="row">
          <SubmitButton variant="soft" busyText="Guardando…">
            Guardar
          </SubmitButton>
          {choices.this_device && (
            <Button type="submit" name="device_off" variant="quiet">
              Quitar las notificaciones
            </Button>
          )}
        </div>
      </ActionForm>
      {offersPush && !choices.this_device && <TurnOnPush publicKey={choices.public_key} />}
    </Panel>
  );
}

/** Offers pushes in this browser. Needs a script, because the browser itself asks for the permission. */
function TurnOnPush({ publicKey }: { publicKey: string }) {
  const submit = useSubmit();
  const [state, setState] = useState<"ready" | "busy" | "refused">("ready");
  if (!useHydrated() || !("PushManager" in window)) return null;
  const turnOn = async () => {
    setState("busy");
    const device = await subscribe(publicKey).catch(() => null);
    setState(device ? "ready" : "refused");
    if (device) await submit(device, { method: "post", preventScrollReset: true });
  };
  return (
    <div className="stack stack--close">
      <p>
        ¿Te avisamos también con una notificación en este dispositivo? Solo dice «Tienes una novedad», con el nombre{" "}
        {PRODUCT_NAME}: nada de lo que se ha escrito. Dura mientras tu sesión siga abierta aquí.
      </p>
      <Button variant="soft" busy={state === "busy"} busyText="Activando…" onClick={turnOn}>
        Activar en este dispositivo
      </Button>
      <p className="hint" role="status">
        {state === "refused" &&
          "Tu navegador no las permite. Mira en sus ajustes si las tiene bloqueadas y prueba otra vez."}
      </p>
    </div>
  );
}

/** Time for the service worker to start, in milliseconds; a failed one would never be ready. */
const WORKER_MS = 10_000;

/** Subscribes this browser at its push service, or returns null if the user refuses. */
async function subscribe(publicKey: string) {
  if ((await Notification.requestPermission()) !== "granted") return null;
  await navigator.serviceWorker.register("/sw.js");
  const late = new Promise<never>((_, fail) => setTimeout(fail, WORKER_MS));
  const { pushManager } = await Promise.race([navigator.serviceWorker.ready, late]);
  // One of another account, or with an older key.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = made.toJSON();
  return { endpoint: endpoint!, p256dh: keys!.p256dh!, auth: keys!.auth! };
}
