import { Link } from "react-router";
import { pageMeta } from "#app/lib/page-meta.ts";
import { PRODUCT_NAME } from "#shared/product.ts";

/** Changes with every change of meaning; the consents of an account name the version that was accepted. */
const VERSION = "Versión 1, 21 de noviembre de 2026";

export const meta = () =>
  pageMeta("Términos de Servicio", {
    description: `Qué es ${PRODUCT_NAME} y qué no es, quién puede usarlo, cómo se convive aquí y cómo funcionan las membresías.`,
  });

/** Terms of service: a page without data, the same for all viewers. */
export default function Terms() {
  return (
    <main id="contenido" className="page thread">
      <div className="section stack">
        <h1 className="title-xl">Términos de Servicio</h1>
        <p className="soft">{VERSION}</p>
        <p>
          Al crear una cuenta en {PRODUCT_NAME} aceptas lo que dice esta página. Está escrita para que se entienda sin
          ser abogado. Si algo no te queda claro, <Link to="/contacto">pregúntanos</Link> antes de registrarte.
        </p>
      </div>

      <section className="panel panel--clay stack">
        <h2 className="title-m">{PRODUCT_NAME} no atiende urgencias</h2>
        <p>
          Nadie vigila los mensajes en vivo. Una consulta puede tardar horas o días en recibir respuesta, o no
          recibirla. Si tú u otra persona está en peligro ahora, llama a los servicios de emergencia de tu país o abre{" "}
          <Link to="/ayuda">Necesito ayuda ahora</Link>, donde están las líneas de cada país.
        </p>
        <p>
          Ningún programa lee lo que escribes para saber si estás en peligro. Aunque la página no te avise de nada, si
          necesitas ayuda, llama.
        </p>
      </section>

      <section className="section stack">
        <h2 className="title-m">1. Qué es {PRODUCT_NAME}</h2>
        <p>
          {PRODUCT_NAME} es una comunidad en español. Cualquier persona registrada puede publicar una consulta sobre
          salud mental, con su nombre o de forma anónima, y psicólogas y psicólogos con matrícula revisada pueden
          responderla en público.
        </p>
        <p>
          Lo que lees aquí es orientación general. No es terapia, ni diagnóstico, ni receta, ni un informe para un
          juzgado o un trabajo, y no crea una relación entre paciente y profesional. No dejes ni cambies un tratamiento
          por algo que has leído en {PRODUCT_NAME}.
        </p>

        <h2 className="title-m">2. Quién puede usarlo</h2>
        <p>
          Debes tener 18 años o más, o contar con la autorización de tu madre, padre o persona tutora. Leer es libre y
          no pide cuenta. Si eres menor y alguien te hace daño, no hace falta registrarse:{" "}
          <Link to="/ayuda#ninez">aquí están las líneas de niñez y adolescencia</Link>.
        </p>

        <h2 className="title-m">3. Tu cuenta</h2>
        <ul className="bullets">
          <li>El correo se confirma antes de que la cuenta exista. Usa uno que sea tuyo.</li>
          <li>La contraseña es personal. Si crees que alguien la conoce, cámbiala y cierra las demás sesiones.</li>
          <li>Puedes usar un seudónimo. No te hagas pasar por otra persona ni por un profesional que no eres.</li>
          <li>Puedes publicar una consulta cada 7 días. Así los profesionales alcanzan a leer a más personas.</li>
          <li>
            Desde <Link to="/cuenta">tu cuenta</Link> puedes corregir, descargar y borrar tus datos cuando quieras.
          </li>
        </ul>

        <h2 className="title-m">4. Lo que publicas</h2>
        <p>
          Lo que escribes sigue siendo tuyo. Al publicarlo permites que {PRODUCT_NAME} lo guarde y lo muestre en el
          sitio, con las limitaciones de la <Link to="/privacy">política de privacidad</Link>, mientras no lo borres.
          Las consultas son públicas: cualquiera puede leerlas y los buscadores pueden encontrarlas. Lo que otra persona
          copió mientras estuvo publicado ya no depende de nosotros.
        </p>
        <p>Para cuidar este lugar, te pedimos:</p>
        <ul className="bullets">
          <li>no insultar, acosar, discriminar ni amenazar;</li>
          <li>no publicar datos que identifiquen a otra persona, ni los tuyos si quieres seguir en el anonimato;</li>
          <li>no describir métodos, lugares ni cantidades con los que alguien podría hacerse daño;</li>
          <li>no publicar contenido sexual con menores, ni nada que la ley prohíba;</li>
          <li>no vender, no hacer publicidad y no captar pacientes por la fuerza o con engaños;</li>
          <li>no pedir ni dar favores a cambio de votos o reseñas, y no usar varias cuentas para ello;</li>
          <li>no intentar averiguar quién escribió algo anónimo;</li>
          <li>no entrar donde no te corresponde ni saturar el servicio a propósito.</li>
        </ul>
        <p>
          Pedir ayuda nunca es una falta. Nadie pierde su cuenta por contar que piensa en la muerte, que se hace daño o
          que sufre violencia.
        </p>

        <h2 className="title-m">5. Moderación</h2>
        <p>
          Ningún programa borra ni esconde lo que escribes: eso lo decide una persona. Podemos quitar contenido que
          incumpla estos términos y, si es grave o se repite, cerrar la cuenta. Por <Link to="/contacto">contacto</Link>{" "}
          puedes avisarnos de algo que te preocupa o pedir que se revise una decisión. Esos mensajes no reemplazan una
          llamada de emergencia, porque no se leen en vivo.
        </p>

        <h2 className="title-m">6. Profesionales</h2>
        <ul className="bullets">
          <li>
            Para responder debes registrarte con tu matrícula, cédula o número de colegiado. La revisión tarda entre 24
            y 48 horas y recibes un correo cuando se aprueba. Hasta entonces no puedes responder.
          </li>
          <li>
            Comprobamos el número en el registro público de tu país cuando existe. La insignia «Verificado» dice que esa
            comprobación se hizo, no que {PRODUCT_NAME} garantice tu trabajo.
          </li>
          <li>La matrícula vale en la jurisdicción que la otorgó. Respetar ese límite es responsabilidad tuya.</li>
          <li>
            Lo que respondes es tuyo y está sujeto al código de ética y a las leyes de tu profesión: no diagnostiques
            por escrito, no prometas resultados, deriva cuando corresponda y cumple los deberes de aviso que te imponga
            la ley de tu país.
          </li>
          <li>
            Si tu matrícula se suspende o vence, avísanos y deja de responder. Un dato falso lleva al cierre de la
            cuenta.
          </li>
          <li>
            Si acuerdas una atención fuera de {PRODUCT_NAME}, ese acuerdo es solo entre tú y esa persona. {PRODUCT_NAME}{" "}
            no participa, no cobra comisión y no responde por él.
          </li>
        </ul>
        <p>
          Cada profesional tiene 3 respuestas gratuitas. Las reseñas son opiniones de quienes las escriben: puedes
          avisarnos de la que incumpla estos términos, pero no se quita una reseña por ser negativa.
        </p>

        <h2 className="title-m">7. Membresía Gold</h2>
        <ul className="bullets">
          <li>
            Es solo para profesionales con la matrícula ya verificada: nadie paga antes de poder responder. Da
            respuestas ilimitadas, estadísticas del perfil, visibilidad en el ranking y soporte prioritario.
          </li>
          <li>
            Hay un plan mensual y uno de por vida. El precio y la moneda se ven en{" "}
            <Link to="/planes" reloadDocument>
              Planes
            </Link>{" "}
            antes de pagar. Cobra PayPal o MercadoPago; {PRODUCT_NAME} no recibe los datos de tu tarjeta.
          </li>
          <li>La membresía se activa cuando el servicio de pago nos confirma el cobro.</li>
          <li>
            El plan mensual se renueva solo. Puedes cancelarlo cuando quieras desde tu perfil: en ese caso Gold termina
            en el momento y no hay más cobros. Si lo cancelas en la página de ese servicio, Gold sigue hasta la fecha en
            que tocaba el siguiente cobro.
          </li>
          <li>
            El plan de por vida es un pago único y no se cancela. Dura mientras exista el servicio {PRODUCT_NAME}.
          </li>
          <li>
            <strong>No hay devoluciones una vez pagado</strong>, ni del tiempo que quede al cancelar. Esto no quita los
            derechos que la ley de consumo de tu país te dé y a los que no se pueda renunciar.
          </li>
          <li>
            Pagar no compra una buena calificación ni cambia reseñas. En el ranking, Gold solo desempata entre perfiles
            con la misma calificación.
          </li>
        </ul>
        <p>Las donaciones son voluntarias, no dan ventajas y tampoco se devuelven.</p>

        <h2 className="title-m">8. Hasta dónde respondemos</h2>
        <p>
          Cuidamos el servicio, pero puede fallar, interrumpirse o cambiar. No respondemos por lo que escriben las
          personas o los profesionales, ni por decisiones tomadas solo con lo leído aquí. Nada de esta página limita una
          responsabilidad que la ley no permita limitar.
        </p>

        <h2 className="title-m">9. Cierre y cambios</h2>
        <p>
          Puedes borrar tu cuenta cuando quieras. Si cambiamos estos términos en algo importante, subirá el número de
          versión, lo avisaremos antes de que valga y, si hace falta, te pediremos que aceptes de nuevo. Si no estás de
          acuerdo puedes cerrar tu cuenta.
        </p>

        <h2 className="title-m">10. Ley y contacto</h2>
        <p>
          Conservas siempre la protección de las leyes del país donde vives. Antes de reclamar ante una autoridad, danos
          la oportunidad de resolverlo: escríbenos por <Link to="/contacto">contacto</Link>.
        </p>
      </section>
    </main>
  );
}
