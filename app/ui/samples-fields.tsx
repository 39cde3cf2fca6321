import { Checkbox, RadioGroup } from "./choice.tsx";
import { PasswordInput, SelectInput, TextArea, TextInput } from "./field.tsx";

/** Gallery of all fields with hints, errors and limits. */
export function FieldSamples() {
  return (
    <form className="panel stack">
      <TextInput label="Nombre" optional placeholder="Como quieras firmar" hint="Ayuda bajo el campo." />
      <TextInput id="muestra-mala" label="Título" defaultValue="Ay" error="Escribe al menos 5 caracteres." />
      <TextInput label="Sin cambios" defaultValue="No se puede tocar" disabled />
      <PasswordInput label="Contraseña" defaultValue="una-sala-tranquila" autoComplete="off" />
      <TextArea label="Mensaje" maxLength={60} defaultValue="Cerca del final aparece cuánto queda por escribir." />
      <SelectInput label="País" defaultValue="Uruguay">
        <option>Uruguay</option>
        <option>Chile</option>
      </SelectInput>
      <Checkbox label="Publicar de forma anónima" hint="Nadie verá tu nombre." defaultChecked />
      <Checkbox label="Tengo 18 años o más" error="Hace falta para registrarte." />
      <RadioGroup
        legend="¿Cómo vas a participar?"
        name="muestra"
        defaultValue="a"
        options={[
          { value: "a", label: "Quiero preguntar", hint: "Leer, preguntar y votar" },
          { value: "b", label: "Quiero responder" },
        ]}
      />
    </form>
  );
}
