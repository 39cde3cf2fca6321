import "./example-talk.css";

/** How asking and answering sound, beside the couch. Phones have no room for it. */
export function ExampleTalk() {
  return (
    <div className="room__talk" role="img" aria-label="Ejemplo de diálogo entre una persona anónima y una psicóloga">
      <p className="speech-bubble">
        <small>Anónimo</small>
        No sé si esto es para contarlo aquí, pero hace semanas que no duermo.
      </p>
      <p className="speech-bubble speech-bubble--out">
        <small>Una psicóloga</small>
        Es para contarlo aquí. ¿Qué aparece cuando apagas la luz?
      </p>
    </div>
  );
}
