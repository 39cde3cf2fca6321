import { Link } from "react-router";
import { pageMeta } from "#app/lib/page-meta.ts";
import { PRODUCT_NAME } from "#shared/product.ts";

/** Changes with every change of meaning; the consents of an account name the version that was accepted. */
const VERSION = "Versión 1, 21 de noviembre de 2026";

export const meta = () =>
  pageMeta("Política de Privacidad", {
    description: `Qué guarda ${PRODUCT_NAME}, cuánto tiempo, cómo funciona el anonimato, qué no podemos prometer y qué derechos tienes en tu país.`,
  });

/** How long each thing stays. The periods are those of the code; change both together. */
const STORED: readonly (readonly [what: string, howLong: string])[] = [
  [
    "Registro sin confirmar: correo, nombre, contraseña transformada y, si eres profesional, los datos del formulario",
    "24 horas. Si no confirmas el correo, se borra.",
  ],
  ["Cuenta: correo, nombre, tipo de cuenta, foto, consentimientos con versión y fecha", "Mientras exista la cuenta."],
  ["Contraseña", "Solo como resultado de argon2id, que no permite volver a leerla. Mientras exista la cuenta."],
  [
    "Sesión abierta: una huella de la cookie, cuándo empezó, cuándo se usó, cuándo escribiste la contraseña y el dispositivo en palabras, como «Firefox en Android»",
    "30 días como máximo, o 7 días sin uso. Termina antes si cierras sesión o cambias la contraseña.",
  ],
  [
    "Verificación en dos pasos: la clave de tu aplicación, cifrada, y las huellas de los códigos de recuperación",
    "Hasta que la desactives o elimines la cuenta. Mientras escribes el código, 10 minutos, una huella de la cookie que lo espera.",
  ],
  ["Enlaces para recuperar la contraseña", "60 minutos, de un solo uso. Guardamos solo su huella."],
  [
    "Cuántos correos de registro o recuperación pidió alguien para un buzón",
    "Un día, sin la dirección: solo una marca.",
  ],
  [
    "Navegadores donde has entrado: de cada uno, un código (HMAC) que no dice cuál es ni lo relaciona con otra cuenta, y el día de la última vez",
    "180 días sin entrar en él, y diez como máximo. Antes si cierras la sesión y pides olvidarlo, cambias la contraseña o cierras todas las sesiones.",
  ],
  [
    "Contraseñas y códigos equivocados: cuántos, por navegador y por correo escrito, con un código (HMAC) en lugar del correo",
    "Un día como máximo. Si son demasiados, además el correo escrito, 24 horas, para enviarte un enlace con el que puedes entrar.",
  ],
  ["Correo de una cuenta eliminada", "Hasta que sale el último aviso; 7 días como máximo si no se puede entregar."],
  [
    "Cambio de correo: la dirección nueva y la anterior",
    "24 horas hasta que lo confirmas. Después, 7 días más, para que puedas deshacerlo desde la dirección anterior.",
  ],
  [
    "Consultas, respuestas, comentarios, reseñas y votos",
    "Hasta que los borres o los quite la moderación. Al eliminar la cuenta se borra lo que lleva tu nombre. Lo que no lo lleva deja de estar vinculado contigo en ese momento y, si lo eliges, se borra a lo largo de tres días. Los votos quedan solo como números.",
  ],
  [
    "Profesionales: matrícula, país, especialidad, biografía, teléfono y WhatsApp si los das, fecha de verificación",
    "Mientras exista la cuenta. Es público lo que muestra tu perfil.",
  ],
  [
    "Membresías y pagos: plan, monto, estado e identificadores del servicio de pago. Nunca la tarjeta",
    "Mientras exista la cuenta y, después, el tiempo que exija la ley contable, sin tu nombre ni tu correo.",
  ],
  [
    "Correos que te enviamos: confirmación, seguridad, verificación, recibos, avisos de novedades",
    "En una cola hasta que salen. No llevan el texto de tu consulta. El servicio de correo que los entrega guarda su propio registro. En una instalación de prueba se conservan para leerlos en la misma máquina.",
  ],
  [
    "Aviso por correo de que llegó una respuesta: si lo quieres, consulta por consulta y en general, y cuántas respuestas has visto",
    "Mientras exista la consulta o la cuenta. Dice solo que hay novedades, sin nada de la consulta. Se deja en Mi Perfil, o con un toque desde el propio correo y sin iniciar sesión.",
  ],
  ["Mensajes de contacto", "Hasta resolver lo que pides y mientras haga falta para demostrarlo."],
  [
    "Dirección de internet de quien visita",
    "No se guarda tal cual. Para contar una visita por día a un perfil guardamos un código (HMAC) hecho con una clave que cambia cada día: después ya no sirve para reconocerte. Para frenar abusos usamos otro código, que vence en un día como máximo.",
  ],
  [
    "Registros técnicos del servidor",
    "No contienen textos, correos, direcciones, contraseñas ni enlaces personales, y nunca juntan una cuenta con una publicación anónima.",
  ],
  ["Estadísticas de uso, como ver los planes", "Son nuestras y no llevan datos personales."],
  [
    "Acciones de la administración: quién, qué y cuándo, sin el texto de las consultas",
    "Mientras exista el servicio. No se pueden modificar, para que se pueda comprobar lo que se hizo.",
  ],
  [
    "Copias de seguridad",
    "Pueden conservar algo ya borrado hasta que se reemplazan por copias nuevas. Solo se usan para recuperar el servicio.",
  ],
];

/** Statutory periods in days are left out on purpose: a lawyer has to read each law before a screen promises them. */
const RIGHTS: readonly (readonly [country: string, law: string, rights: string])[] = [
  [
    "Argentina",
    "Ley 25.326. Autoridad: Agencia de Acceso a la Información Pública (AAIP).",
    "Los datos de salud son sensibles y se tratan solo con tu consentimiento expreso. Puedes ver tus datos, corregirlos y pedir que se supriman, y decides si se guardan fuera del país.",
  ],
  [
    "México",
    "Ley Federal de Protección de Datos Personales en Posesión de los Particulares, vigente desde el 21 de marzo de 2025. Autoridad: Secretaría Anticorrupción y Buen Gobierno.",
    "Derechos ARCO: acceder, rectificar, cancelar y oponerte. Esta página es también el aviso de privacidad; para datos de salud tu consentimiento es expreso.",
  ],
  [
    "España",
    "Reglamento General de Protección de Datos (artículo 9) y Ley Orgánica 3/2018. Autoridad: Agencia Española de Protección de Datos.",
    "Consentimiento explícito para datos de salud. Puedes acceder, rectificar, suprimir, llevarte tus datos a otro servicio, oponerte y pedir que se limite su uso.",
  ],
  [
    "Colombia",
    "Ley 1581 de 2012. Autoridad: Superintendencia de Industria y Comercio.",
    "Nadie puede obligarte a autorizar el uso de datos sensibles: la autorización es explícita y voluntaria. Puedes consultar tus datos y reclamar que se corrijan o se borren. Por una persona menor decide quien la representa.",
  ],
  [
    "Chile",
    "Ley 19.628 y, desde el 1 de diciembre de 2026, la Ley 21.719 que la reforma.",
    "Puedes acceder, rectificar, suprimir y oponerte; con la nueva ley, también llevarte tus datos y pedir que se bloqueen mientras se resuelve un reclamo.",
  ],
  [
    "Perú",
    "Ley 29733 y su reglamento, Decreto Supremo 016-2024-JUS, vigente desde el 30 de marzo de 2025.",
    "Consentimiento por escrito para datos sensibles. Puedes acceder, corregir, cancelar, oponerte y llevarte tus datos. La norma te protege aunque el servicio esté en otro país.",
  ],
  [
    "Venezuela",
    "No hay una ley general de datos. Constitución, artículos 28 y 60, y Ley Orgánica del Tribunal Supremo de Justicia, artículos 167 a 178 (hábeas data).",
    "Puedes saber qué datos tuyos existen y para qué se usan, y pedir que se actualicen, corrijan o destruyan. Aquí te damos los mismos derechos que en los demás países.",
  ],
  [
    "Paraguay",
    "Ley 7593 de 2025, que se aplicará por completo hacia noviembre de 2027. La seguimos desde ahora.",
    "Puedes acceder, rectificar, cancelar, oponerte y llevarte tus datos, con protección reforzada para datos sensibles y de menores.",
  ],
  [
    "Uruguay",
    "Ley 18.331. Autoridad: Unidad Reguladora y de Control de Datos Personales.",
    "Consentimiento expreso y por escrito para datos de salud. Puedes acceder, corregir y suprimir.",
  ],
  [
    "Ecuador",
    "Ley Orgánica de Protección de Datos Personales, de 2021. Autoridad: Superintendencia de Protección de Datos Personales.",
    "Consentimiento explícito. Puedes acceder, rectificar y eliminar sin pagar nada.",
  ],
  [
    "Panamá",
    "Ley 81 de 2019 y Decreto Ejecutivo 285 de 2021. Autoridad: ANTAI.",
    "Tu consentimiento queda registrado y se puede comprobar. Puedes acceder, rectificar, cancelar, oponerte y llevarte tus datos.",
  ],
];

/** Privacy policy: a page without data, the same for all viewers. */
export default function Privacy() {
  return (
    <main id="contenido" className="page thread">
      <div className="section stack">
        <h1 className="title-xl">Política de Privacidad</h1>
        <p className="soft">{VERSION}</p>
        <p>
          Lo que se cuenta aquí es delicado. Guardamos lo menos posible, no lo vendemos, no mostramos publicidad y no
          usamos tus consultas para entrenar inteligencia artificial. El responsable de tus datos es quien opera este
          sitio; se le escribe por <Link to="/contacto">contacto</Link>.
        </p>
      </div>

      <section className="panel stack">
        <h2 className="title-m">En pocas palabras</h2>
        <ul className="bullets">
          <li>Para leer no hace falta cuenta. Para escribir puedes usar un seudónimo o publicar sin nombre.</li>
          <li>Lo que publicas es público: piensa qué detalles pueden reconocerte.</li>
          <li>La parte del sistema que muestra el sitio no puede leer quién escribió algo anónimo.</li>
          <li>
            Puedes corregir y borrar lo que escribes, descargar todo lo tuyo y eliminar la cuenta en{" "}
            <Link to="/cuenta">Cuenta y seguridad</Link>.
          </li>
          <li>
            Nadie vigila los mensajes en vivo. Si hay peligro, abre <Link to="/ayuda">Necesito ayuda ahora</Link>.
          </li>
        </ul>
      </section>

      <section className="section stack">
        <h2 className="title-m">1. Qué guardamos y cuánto tiempo</h2>
        <table className="data-table">
          <caption className="visually-hidden">Datos que se guardan y plazo de cada uno</caption>
          <thead>
            <tr>
              <th scope="col">Dato</th>
              <th scope="col">Cuánto tiempo</th>
            </tr>
          </thead>
          <tbody>
            {STORED.map(([what, howLong]) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td>{howLong}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          El correo de tu cuenta se guarda legible, porque sin él no podríamos escribirte ni dejarte entrar. Los
          borradores quedan en la pestaña de tu navegador, no en nuestros servidores, y se limpian al cerrar sesión.
        </p>
        <p>
          Usamos cookies propias para la sesión, el tema claro u oscuro y el aviso de lo que acabas de hacer (un
          minuto). Mientras te registras, una guarda tu correo (una hora) y otra reconoce este navegador (24 horas);
          mientras escribes el código de la verificación en dos pasos, otra lo espera (10 minutos). Quien abre la página
          de entrada recibe además un número al azar (180 días), por el que una cuenta reconoce el navegador donde ya se
          ha entrado: así nadie puede dejarte fuera probando contraseñas con tu correo. Ninguna sirve para seguirte.
        </p>

        <h2 className="title-m">2. Para qué lo usamos</h2>
        <p>
          Para que funcione lo que pides: publicar, responder, votar, cobrar una membresía, comprobar una matrícula y
          proteger las cuentas. La base es tu consentimiento y, en las membresías, el contrato. No hacemos perfiles ni
          tomamos decisiones automáticas sobre ti.
        </p>

        <h2 className="title-m">3. Cómo funciona el anonimato</h2>
        <p>Cuando marcas una consulta como anónima:</p>
        <ul className="bullets">
          <li>
            el sitio lee la base de datos con un permiso que no alcanza para saber quién la escribió, ni para buscar por
            autor;
          </li>
          <li>
            tu nombre, tu correo, tu foto y tu identificador no viajan en ninguna página, respuesta, correo ni registro
            que reciba otra persona;
          </li>
          <li>tampoco los ve la administración en sus pantallas.</li>
        </ul>
        <p>
          El vínculo entre tu cuenta y tu consulta sí existe en la parte privada de la base: lo necesitas para verla en
          tu perfil, editarla o borrarla, y para contar una consulta por semana. Quien tiene acceso completo al servidor
          podría, técnicamente, consultarlo. Por eso lo decimos.
        </p>
        <h3 className="title-s">Lo que no podemos prometer</h3>
        <ul className="bullets">
          <li>Que nadie te reconozca por tu forma de escribir.</li>
          <li>
            Que no te reconozcan por lo que cuentas: nombres, lugares, fechas, trabajos. Antes de publicar, vuelve a
            leer tu texto pensando en quien te conoce.
          </li>
          <li>Que una autoridad no nos obligue, con una orden legal válida, a entregar lo que exista.</li>
          <li>Que un servidor robado o incautado no revele lo que contiene.</li>
          <li>
            Que quien usa tu mismo teléfono no vea el historial del navegador. En <Link to="/ayuda">Ayuda</Link>{" "}
            explicamos cómo borrarlo.
          </li>
        </ul>

        <h2 className="title-m">4. Tus consentimientos</h2>
        <p>Al registrarte te los pedimos por separado y sin marcar:</p>
        <ul className="bullets">
          <li>que tienes 18 años o más, o la autorización de tu madre, padre o persona tutora;</li>
          <li>que podamos tratar los datos de salud que tú escribas;</li>
          <li>que tus datos puedan tratarse fuera de tu país.</li>
        </ul>
        <p>
          Guardamos la versión y la fecha de cada uno. Puedes retirarlos, y darlos otra vez, en{" "}
          <Link to="/cuenta">Cuenta y seguridad</Link>. Sin alguno de ellos no puedes publicar nada nuevo; lo hecho
          hasta entonces sigue siendo válido. Para que dejemos de tratar tus datos, ahí mismo puedes eliminar la cuenta.
        </p>

        <h2 className="title-m">5. Con quién se comparten</h2>
        <ul className="bullets">
          <li>
            Nuestras páginas no cargan nada de terceros: ni publicidad, ni medidores, ni tipografías, ni mapas. La única
            excepción es{" "}
            <Link to="/planes" reloadDocument>
              Planes
            </Link>
            , solo para profesionales, que puede cargar el botón de PayPal.
          </li>
          <li>
            Si pagas, PayPal o MercadoPago tratan tus datos con sus propias reglas y nos dicen si el pago se hizo.
          </li>
          <li>
            El alojamiento y el servicio de correo que usa quien opera el sitio tratan datos por encargo suyo, solo para
            prestar ese servicio.
          </li>
          <li>
            Los enlaces a WhatsApp, a páginas oficiales de ayuda, a la donación o al sitio de un profesional salen de{" "}
            {PRODUCT_NAME}. Desde ahí valen las reglas de ese sitio.
          </li>
          <li>No entregamos datos a nadie más, salvo que la ley nos obligue.</li>
        </ul>

        <h2 className="title-m">6. Cómo los protegemos</h2>
        <p>
          Las contraseñas y las llaves de sesión no se pueden leer en nuestra base, el acceso está separado por
          permisos, y en internet la conexión va cifrada. Si a pesar de eso hubiera una filtración que te afecte,
          nuestra meta es avisarte a ti y a la autoridad que corresponda en 48 horas desde que lo sepamos.
        </p>

        <h2 className="title-m">7. Tus derechos</h2>
        <p>
          Vivas donde vivas puedes: saber qué tenemos tuyo, descargarlo, corregirlo, borrarlo, retirar una sola
          consulta, retirar un consentimiento y oponerte a un uso. Todo eso se hace al momento: en cada consulta,
          respuesta o reseña, en <Link to="/perfil">Mi Perfil</Link> y en <Link to="/cuenta">Cuenta y seguridad</Link>,
          donde descargas tus datos y eliminas la cuenta. Para lo demás, escríbenos por{" "}
          <Link to="/contacto">contacto</Link>. Es gratis.
        </p>
        <p>
          <strong>Meta interna: 5 días hábiles</strong> para responder. Si la ley de tu país fija un plazo menor, vale
          ese. Podemos pedirte que demuestres que la cuenta es tuya, nada más.
        </p>
        <table className="data-table">
          <caption className="visually-hidden">Norma y derechos en cada país</caption>
          <thead>
            <tr>
              <th scope="col">País</th>
              <th scope="col">Norma y derechos</th>
            </tr>
          </thead>
          <tbody>
            {RIGHTS.map(([country, law, rights]) => (
              <tr key={country}>
                <th scope="row">{country}</th>
                <td>
                  <p>{rights}</p>
                  <p className="soft">{law}</p>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          Este resumen te orienta, no es asesoría legal. Si crees que no cumplimos, puedes reclamar ante la autoridad de
          tu país.
        </p>
        <p>
          Para Argentina: LA AGENCIA DE ACCESO A LA INFORMACIÓN PÚBLICA, en su carácter de Órgano de Control de la Ley
          N° 25.326, tiene la atribución de atender las denuncias y reclamos que interpongan quienes resulten afectados
          en sus derechos por incumplimiento de las normas vigentes en materia de protección de datos personales.
        </p>

        <h2 className="title-m">8. Menores de edad</h2>
        <p>
          {PRODUCT_NAME} es para personas de 18 años o más, o con autorización de quien las tiene a cargo. Si sabes de
          una cuenta sin esa autorización, avísanos y la revisaremos.
        </p>

        <h2 className="title-m">9. Cambios y contacto</h2>
        <p>
          Si cambiamos algo importante subirá el número de versión, lo avisaremos antes y, cuando haga falta, te
          pediremos el consentimiento otra vez. Para cualquier duda sobre tus datos:{" "}
          <Link to="/contacto">formulario de contacto</Link>.
        </p>
      </section>
    </main>
  );
}
