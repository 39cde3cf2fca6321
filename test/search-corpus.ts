/** Short consultations for the tests of the search: key, title and text, separated by "|". */
const TEXTS = `
insomnia1|Me despierto a las tres y ya no puedo volver a dormir|El corazón se me acelera y doy vueltas en la cama hasta que amanece.
insomnia2|Llevo semanas con insomnio|Duermo dos o tres horas por noche y de día no rindo en nada.
nightshift|Trabajo de noche y mi familia dice que duermo mucho|Salgo a las siete y a esa hora empieza la obra de al lado.
nightmares|Tengo pesadillas casi todas las noches|Sueño con el accidente y me levanto sudando y gritando.
anxiety1|Siento ansiedad todo el tiempo sin motivo|Me tiemblan las manos y tengo un nudo en el estómago desde la mañana.
anxiety2|Ansiedad antes de hablar en público|Tengo que exponer en la universidad y me quedo en blanco.
anxiety3|La ansiedad no me deja salir de casa|Hace un mes que solo voy al supermercado y vuelvo corriendo.
anxiety4|¿La ansiedad puede causar dolor en el pecho?|El cardiólogo dice que estoy sano, pero me duele cuando me pongo nervioso.
panic1|Ataques de pánico en el metro|De golpe no puedo respirar y creo que me voy a morir delante de todos.
panic2|Tuve un ataque de pánico manejando|Desde entonces no subo a la autopista y pido que me lleven.
panic3|Miedo a que se repita una crisis de pánico|La primera fue en un cine y ahora vigilo mi respiración todo el día.
phobia3|Pánico a los perros desde niño|Cruzo la calle aunque estén con correa y mis amigos se ríen.
loneliness|La soledad me pesa los domingos|Mis hijos ya se fueron y el teléfono no suena nunca.
depression1|Creo que tengo depresión|No me levanto de la cama, dejé de ver a mis amigas y nada me gusta.
depression2|Depresión después del parto|Mi beba tiene dos meses y lloro a escondidas, siento que no la quiero.
depression3|Mi pareja está deprimida y no sé ayudarla|No quiere ir a terapia ni salir, y yo también me estoy apagando.
depression4|¿Los antidepresivos crean dependencia?|El psiquiatra me recetó sertralina y tengo miedo de no poder dejarla.
suicide2|Mi amigo habla de suicidio|Me mandó un mensaje de despedida y no sé si llamar a sus padres.
selfharm1|Mi hija se corta los brazos|Encontré marcas en sus muñecas y no sé cómo hablarle sin asustarla.
anger1|No controlo mi ira|Grito, rompo cosas y después me arrepiento de lo que dije.
anger2|Mi hijo adolescente estalla por cualquier cosa|Da portazos, insulta y termina castigado todas las semanas.
eating1|Mi hija no come|Tiene trece años, esconde la comida y dice que está gorda.
eating2|Me doy atracones por la noche|Como hasta que me duele y después hago ayuno dos días.
eating3|Vomito después de comer|Nadie en casa lo sabe y los dientes me empiezan a doler.
perfection|Mi perfeccionismo me paraliza|Reviso cada correo diez veces y entrego todo tarde.
burnout1|Estoy agotada del trabajo|Trabajo doce horas, sueño con planillas y el lunes vomito antes de entrar.
burnout2|¿Cómo sé si tengo burnout?|Soy enfermera y ya no siento nada por mis pacientes.
burnout3|El estrés laboral me está enfermando|Me salieron ronchas, contracturas y caída del pelo por la presión.
mobbing|Acoso laboral de mis compañeras|Me dejaron de hablar y esconden mis cosas en la oficina.
unemployed|Un año sin conseguir empleo|Mando currículums todos los días y nadie responde, me estoy hundiendo.
career|No sé qué carrera estudiar|Mis papás quieren medicina, pero a mí me gusta el dibujo.
exams|Me bloqueo en los exámenes|Estudio semanas y cuando me dan la hoja no recuerdo nada.
procrastination|Procrastino todo hasta el último día|Sé lo que tengo que hacer y me quedo mirando videos.
bullying1|A mi hijo le hacen bullying en la escuela|Le pegan en el recreo y le quitan la merienda, y no quiere ir.
mother1|Mi mamá me controla la vida|Tengo veintiocho años y revisa mi teléfono y mi ropa.
mother2|La relación con mi madre es muy difícil|Cada llamada termina en gritos y culpas, y me cuesta poner límites.
mother3|Mamá tiene alzhéimer y ya no me reconoce|La cuido sola, me llama por el nombre de su hermana.
father1|Mi papá bebe todos los días|Llega tomado y peleamos, mis hermanos pequeños se encierran.
father2|Mi padre nos abandonó y ahora quiere volver|Se fue cuando yo tenía seis años y hoy me escribió.
father3|No puedo perdonar a mi padre|Me pegaba de chico y ahora está enfermo y pide que lo visite.
divorce1|Cómo decirles a los niños que nos divorciamos|Tienen cuatro y nueve años y todavía dormimos en la misma casa.
breakup1|Mi novia me dejó y no la supero|Estuvimos seis años juntos y sueño con que vuelve.
infidelity1|Descubrí una infidelidad de mi esposo|Encontré los mensajes con su compañera y no sé si perdonar.
infidelity2|Engañé a mi pareja y me mata la culpa|Fue una sola noche y no sé si contárselo.
jealousy1|Soy muy celosa y reviso su celular|Sé que está mal, pero si no contesta imagino lo peor.
jealousy2|Los celos de mi novio me asfixian|No me deja usar falda ni salir con mis amigas.
toxic|Creo que estoy en una relación tóxica|Me insulta, después llora y me promete que va a cambiar.
violence1|Mi marido me pega|Anoche me empujó por la escalera y dijo que fue sin querer.
violence3|Violencia psicológica, ¿cómo la reconozco?|Controla mi dinero, se burla de mí y dice que exagero.
abuse1|Sufrí abuso sexual en la infancia|Nunca lo conté y ahora que soy mamá vuelven los recuerdos.
desire|Perdí el deseo sexual|Llevamos ocho meses sin intimidad y mi pareja se siente rechazada.
sexuality1|Creo que soy gay y mi familia es religiosa|Tengo diecisiete y tengo pánico de que me echen de casa.
communication|Mi pareja y yo ya no hablamos|Cenamos mirando el celular y solo discutimos por las cuentas.
grief1|Murió mi papá y no puedo llorar|Organicé el entierro y sigo como si nada, todos me felicitan por fuerte.
grief3|Perdí un embarazo|A las doce semanas dejó de latir y nadie sabe qué decirme.
grief5|¿Cuánto dura el duelo?|Pasaron dos años desde que enterré a mi hija y todavía pongo su plato.
cancer1|Me diagnosticaron cáncer de mama|Empiezo la quimioterapia el jueves y no les dije a mis hijos.
cancer2|Mi esposo tiene cáncer y no quiere hablar|Hace como si no pasara nada y yo me muero de miedo.
ocd2|Pensamientos intrusivos que me asustan|Se me cruzan imágenes horribles de lastimar a mi bebé y no quiero hacerlo.
ocd3|Reviso la puerta y el gas mil veces|Llego tarde a todo porque vuelvo a comprobar.
adhd2|Mi hijo con déficit de atención y la escuela|La maestra se queja cada día y él cree que es tonto.
autism|Diagnóstico de autismo a mi niña|Tiene tres años, no habla y no me mira, estoy perdida.
bipolar|Trastorno bipolar y trabajo|Cuando estoy arriba gasto todo el sueldo y después no salgo de la cama.
schizophrenia|Mi hermano tiene esquizofrenia y dejó la medicación|Dice que los vecinos lo espían y no nos abre.
war|Tuve que huir de mi país|Dejé a mis abuelos allá y me siento culpable de estar a salvo.
migration2|Mi hijo no se adapta al nuevo país|En la escuela se ríen de su acento y pide volver con la abuela.
alcohol2|Mi hermana es alcohólica y no acepta ayuda|La encontramos en el suelo y al día siguiente lo niega.
drugs1|Mi hijo consume cocaína|Le faltan cosas a la casa y me pide dinero con mentiras.
smoking|No consigo dejar de fumar|Probé con parches y chicles, y al tercer día recaigo.
gambling|Aposté los ahorros de la familia|Empecé con apuestas deportivas en el celular y debo a todos.
videogames|Mi hijo juega videojuegos toda la noche|Tiene catorce años, se enoja si apago el internet y baja las notas.
phone|No puedo dejar el celular|Lo primero que hago al despertar es mirar la pantalla, y así todo el día.
pills|Tomo pastillas para dormir desde hace años|Si no tengo clonazepam en la mesa de luz me desespero.
teen2|Encontré condones en la mochila de mi hijo|Tiene quince años y no sé cómo sacar el tema.
toddler1|Berrinches de mi nena de dos años|Se tira al piso en el supermercado y yo termino gritando.
toddler3|Mi hijo llora cuando lo dejo en el jardín|Se agarra de mi pierna y me voy con el corazón roto.
newbrother|Celos por el hermanito recién nacido|Mi nena volvió a pedir chupete y le pega al bebé.
pregnancy|Estoy embarazada y no estoy feliz|Fue buscado, pero solo siento miedo y náuseas.
caregiver|Cuido a mi abuela y no tengo vida|Dejé el trabajo, no duermo bien y me siento egoísta por quejarme.
crying|Mi novio llora mucho y no sé qué hacer|Desde que perdió el trabajo se derrumba por cualquier detalle.
`;

export const SEARCH_CORPUS = TEXTS.trim()
  .split("\n")
  .map((line) => line.split("|"))
  .map(([key, title, content]) => ({ key: key!, title: title!, content: content! }));
