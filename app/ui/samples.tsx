import type { ReactNode } from "react";
import type { Tint } from "#shared/tint.ts";
import { Avatar } from "./avatar.tsx";
import { Badge } from "./badge.tsx";
import { Button, ButtonLink, IconButton } from "./button.tsx";
import { Chips } from "./chips.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Armchair, CouchScene, Cup, RoomScene, ShelfObject, type ShelfObjectName } from "./drawings.tsx";
import { EmptyState } from "./empty-state.tsx";
import { ErrorState, Retry } from "./error-state.tsx";
import { FilterSelect } from "./filter-select.tsx";
import { Fold } from "./fold.tsx";
import { FormMessage } from "./form-message.tsx";
import * as icons from "./icon.tsx";
import { LoadMore } from "./load-more.tsx";
import { Logo } from "./logo.tsx";
import { EmptyArmchair } from "./more-drawings.tsx";
import * as moreIcons from "./more-icons.tsx";
import { NookCard } from "./nook.tsx";
import { NookLinks } from "./nook-links.tsx";
import { Panel, type PanelTone } from "./panel.tsx";
import { PlainText } from "./plain-text.tsx";
import { QuickExit } from "./quick-exit.tsx";
import { RelativeTime } from "./relative-time.tsx";
import { FieldSamples } from "./samples-fields.tsx";
import { FloatingSamples } from "./samples-floating.tsx";
import * as seatObjects from "./seat-objects.tsx";
import { Rating, Stars } from "./stars.tsx";
import { StarsInput } from "./stars-input.tsx";
import { Tabs } from "./tabs.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

const TINTS: readonly Tint[] = [1, 2, 3, 4, 5, 6, 7, 8];
const TONES: readonly PanelTone[] = ["plain", "deep", "clay", "gold", "ok"];
const OBJECTS: readonly ShelfObjectName[] = ["certificate", "globe", "screen", "books", "clock", "cups"];
const { icon: _, ...EVERY_ICON } = { ...icons, ...moreIcons };
// Sorted, because namespace order differs between server and browser.
const ICONS = (Object.keys(EVERY_ICON) as (keyof typeof EVERY_ICON)[]).sort();
const SEAT_OBJECTS = Object.entries(seatObjects).sort(([one], [other]) => one.localeCompare(other));
const SHELF = { display: "grid", gap: "1rem", gridTemplateColumns: "repeat(auto-fill, minmax(7rem, 9rem))" };
const WORDS = ["Malo", "Regular", "Bueno", "Muy bueno", "Excelente"] as const;

export function Sample({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="section stack" aria-labelledby={`sample-${name}`}>
      <h2 id={`sample-${name}`} className="title-l">
        {name}
      </h2>
      {children}
    </section>
  );
}

/** Gallery of all components in this folder, shown at /_ui in development. */
export function Samples({ now }: { now: string }) {
  return (
    <>
      <ThemeSwitch />
      <Sample name="Marca y dibujos">
        <div style={SHELF}>
          <Logo />
          <EmptyArmchair />
          <Cup />
          {OBJECTS.map((name) => (
            <ShelfObject key={name} name={name} />
          ))}
        </div>
        <div className="two-columns">
          <RoomScene />
          <CouchScene />
        </div>
      </Sample>
      <Sample name="Ocho telas">
        <div className="two-columns">
          {TINTS.map((tint) => (
            <div key={tint} className={`preview tint-${tint}`}>
              <p className="meta">
                <span className="category">Tela {tint}</span>
                <span>Texto sobre su tela</span>
              </p>
            </div>
          ))}
        </div>
      </Sample>
      <Sample name="Páginas pequeñas">
        <div style={SHELF}>
          {SEAT_OBJECTS.map(([name, SeatObject]) => (
            <Armchair key={name}>
              <SeatObject />
            </Armchair>
          ))}
        </div>
        <NookCard>
          <p className="soft">Lo que dice la página.</p>
        </NookCard>
        <NookLinks
          title="Si no es la contraseña"
          links={[{ when: "¿Todavía no tienes cuenta?", to: "/auth?modo=registro", what: "Registrarse" }]}
        />
      </Sample>
      <Sample name="Iconos">
        <ul className="row">
          {ICONS.map((name) => {
            const Icon = EVERY_ICON[name];
            return (
              <li key={name} title={name}>
                <Icon />
              </li>
            );
          })}
        </ul>
      </Sample>
      <Sample name="Botones">
        <QuickExit />
        <div className="row">
          <Button>Principal</Button>
          <Button variant="soft">Suave</Button>
          <Button variant="quiet">Discreto</Button>
          <Button variant="clay">Llamar</Button>
          <Button variant="danger">Eliminar</Button>
          <Button variant="lamp">Lámpara</Button>
          <Button small icon={<icons.PlusIcon size="s" />}>
            Pequeño
          </Button>
          <Button busy busyText="Enviando…">
            Enviar
          </Button>
          <Button disabled>Deshabilitado</Button>
          <Button aria-disabled>Límite alcanzado</Button>
          <ButtonLink to="#botones" variant="soft">
            Enlace
          </ButtonLink>
          <IconButton label="Cerrar">
            <icons.XIcon />
          </IconButton>
          <CopyButton
            text="27465"
            copiedToast="Número copiado"
            copiedLabel="Copiado"
            refused={{ title: "No se ha copiado", description: "" }}
          >
            Copiar
          </CopyButton>
        </div>
      </Sample>
      <Sample name="Insignias y retratos">
        <div className="row">
          <Badge>MP 4821</Badge>
        </div>
        <div className="row">
          {(["s", "m", "l", "xl"] as const).map((size) => (
            <Avatar key={size} name="Lic. Inés Quiroga" size={size} tint={3} />
          ))}
          <Avatar src="/retrato-1.svg" />
          <Avatar anonymous />
        </div>
      </Sample>
      <Sample name="Estrellas y tiempos">
        <div className="row">
          {[0, 2.5, 4.7, 5].map((value) => (
            <Stars key={value} value={value} />
          ))}
          <Rating value={4.7} count="38 reseñas" />
          <RelativeTime datetime={now} now={now} />
        </div>
        <form className="stack">
          <StarsInput legend="Calificación" name="stars" words={WORDS} defaultValue={4} />
          <StarsInput legend="Calificación con error" name="bad-stars" words={WORDS} error="Elige de 1 a 5." />
        </form>
      </Sample>
      <Sample name="Campos">
        <FieldSamples />
      </Sample>
      <Sample name="Pestañas, filtros y más">
        <Tabs label="Pestañas de muestra" items={tabs} />
        <Chips label="Filtros de muestra" items={tabs} />
        <div className="row">
          <FilterSelect label="Orden de muestra" name="orden" value="b" action="/_ui" button="Ordenar">
            <option value="a">Más recientes</option>
            <option value="b">Más antiguas</option>
          </FilterSelect>
        </div>
        <LoadMore to="/_ui?cursor=1" />
        <LoadMore to="/_ui?cursor=2" busy />
      </Sample>
      <Sample name="Paneles">
        <div className="two-columns">
          {TONES.map((tone) => (
            <Panel key={tone} tone={tone} title={`Panel ${tone}`} level={3}>
              <p className="soft">Texto del panel.</p>
            </Panel>
          ))}
        </div>
        <Fold title="Entre líneas">
          <p className="soft">Texto que se abre.</p>
        </Fold>
        <Fold title="Como panel" className="panel">
          <p className="soft">Texto que se abre.</p>
        </Fold>
        <PlainText
          text={"Lo que alguien escribió,\ncon sus saltos de línea.\n\nY sus párrafos, <b>sin</b> nada más."}
        />
      </Sample>
      <Sample name="Avisos, menús y diálogos">
        <FloatingSamples />
      </Sample>
      <Sample name="Mensajes de formulario">
        <FormMessage tone="info" title="Límite semanal alcanzado">
          Podrás publicar otra consulta en 4 días.
        </FormMessage>
        <FormMessage tone="ok" title="¡Mensaje enviado!" />
        <FormMessage title="Revisa los datos" errors={[{ field: "muestra-mala", message: "Título: es muy corto." }]}>
          Lo que has escrito sigue ahí.
        </FormMessage>
      </Sample>
      <Sample name="Vacío, con error">
        <EmptyState title="No hay consultas para mostrar en este país." action={<a href="#vacio">Quitar filtros</a>} />
        <ErrorState title="No se pudieron cargar las consultas" action={<Retry />} />
      </Sample>
    </>
  );
}

const tabs = [
  { to: "/_ui", label: "Elegida", current: true },
  { to: "/_ui?otra", label: "Otra", current: false },
  { to: "/_ui?tercera", label: "Tercera", current: false },
];
