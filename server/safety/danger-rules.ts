import { soundOf } from "../search/rules.ts";

/** Verb of a wish, a plan or an attempt, also in voseo, in the third person and mistyped. */
const WANT =
  "(quier[oe]s?|queres|quero|quiro|quieor|quisiera|queria|quise|deseo|prefiero|preferiria|gustaria|ganas de|deseos de|voy a|va a|vas a|iba a|intent[eo]|trat[eo] de)";

/** Words of a person in danger or of a relative, in lower case without accents. */
const DANGER = [
  // Suicide
  "\\bs[ui]+cid|desvivir|\\bunalive\\b|\\bkms\\b|chupar faros|colgar los tenis",
  "\\b(matar|morir?|ahorcar|colgar|guindar|desaparecer)\\we\\b|\\bme mat[oe]\\b(?! de (la )?risa)",
  `\\b(me|se|te) ${WANT} (matar|morir|ahorcar|colgar|tirar de|quitar la vida|pegar un tiro|ir de este mundo)`,
  `\\b${WANT} (morir|estar muert|no despertar|dormir para siempre|dejar de existir|matarl[oa]|desaparecer(?! de (la|el|internet)))`,
  "\\bno (quiero|quero|puedo|deseo|soporto|merezco|deberia) ((seguir|estar|mas|haber) )*(viv\\w+\\b(?! (con (mi|el|ell)|en (?!est)|lejos|cerca|sol))|exist|despert|nacid|aqui|aca\\b|en este mundo)",
  "\\bno (quiero|puedo) seguir( mas| asi)?$|\\bno (aguanto|puedo|doy|soporto) mas\\b(?! (de|del|las?|el|los)\\b)",
  "\\b(quitar|sacar)(\\we)? (la vida|de en medio)|\\b(acabar|terminar) con (todo|(la|mi|su) vida)|\\bque (todo|esto) (se )?(termin|acab)e|\\bque se acabe todo",
  "\\b(pens\\w+|pienso|piensa|ideas|dese[oa]r?)( mucho| siempre)?( en| de| sobre)? (la muerte|muerte|morir)|\\b(como|para|formas? de|maneras? de) morir",
  "\\b(veo|encuentro|tiene|tengo|hay|perdi|sin)\\b.{0,15}\\b(sentido|ganas|motivos?|razon|razones)\\b.{0,6}\\b(viv|vida|seguir)|\\b(para|pa) que (seguir |sigo )?viv",
  "\\b(vida|vivir) (ya )?no (tiene sentido|vale|merece)|\\bno (vale|merece) la pena (vivir|seguir)|\\b(cansad|hart)[oa] de (vivir|existir|(la|mi|esta) vida)(?! (con|en|sol[oa])\\b)",
  "\\b(mejor|bien|felices|tranquil\\w+) sin mi\\b|\\bsi yo no (est|exist)|\\bno (volver a )?despertar|\\bojala .{0,12}(muer|muri|despert|despiert|naci|exist)|\\b(mejor|estar|estaria) .{0,8}muert[oa](?! de)",
  "\\bsoy una? (peso|carga|estorbo|lastre)|\\bnadie (me (necesita|extran|quiere)|notaria|lloraria)|\\bno le importo a nadie",
  "\\b(carta|nota|mensaje) de despedida\\b|\\badios (mundo|a todos)|\\bme despido de todos|\\bir(me)? (de este mundo|para siempre|.{0,15}al cielo)",
  "\\bme (tom\\w+|trag\\w+|trague) .{0,20}(pastillas|pepas|frasco)|\\b(tomar|tragar)me tod|\\bme tome \\d+|\\bsobredosis\\b(?! de (cafe|azucar))|\\bdosis letal|\\bcuantas (pastillas|gotas)|\\bmezcl\\w+ pastillas",
  "\\b(tir|avent|lanz|bot|arroj|salt)ar(me)? .{0,8}(puente|balcon|azotea|techo|ventana|tren|metro|subte|via|rio|edificio)|\\bganas de (tirar|aventar|lanzar)me",
  "\\b(parad|sentad|subid)[oa] en .{0,4}(azotea|puente|balcon|cornisa|techo|via)|\\b(cort|abr)\\w+ las venas|\\bun (tiro|balazo|plomazo)\\b|\\bvolar\\w* (la cabeza|los sesos)|\\b(soga|pistola)\\b",
  // Self-harm
  "autolesi|\\bcutting\\b|\\b(golpear|lastimar|herir|quemar|tajear|rajar)\\we\\b|\\bcortarme\\b(?! (el pelo|las unas))|(?<!\\bse )\\bme (cort|lastim)(o|e|aba)\\b|\\bcortes en (los|las|el)",
  "\\b(hij|herman|amig|novi)[oa] se (corta|lastima)|\\bha(cer|cerme|cerse|ce|cen|go|cia|ciendome) dano\\b|\\bhice dano\\b|\\b(oigo|escucho|oye|escucha) voces\\b|\\bvoces que me",
  // Violence
  "\\bme (peg|golpe|viol|amenaz|maltrat|estrangul|ahorc|pate|empuj|manose|acos|extorsion|faj|madre|humill|encerr|encierr)(a|o|an|aba|aban|aron)\\b(?! el sueno)|\\bme persigue",
  "\\bme (dio|da|dan|dieron) (una )?(paliza|golpiza|madriza|tunda|cachetada)|\\bme (saco|rompio|partio) la (mugre|cresta|cara|boca)|\\ba (golpes|palos|patadas|pinas|trompadas|madrazos|correazos|punetazos)\\b",
  "\\b(tio|padr\\w+|papa|abuel[oa]|herman[oa]|prim[oa]|profe\\w*|jefe)\\b.{0,25} me toc|\\bme toca(ba)? sin|\\bme obliga\\w* a (tener|acost|hacer cosas|tocar|besar)|\\b(pega|golpea|maltrata) a (mi|su|los|las)\\b|\\bme (jala|jalo) el pelo",
  "\\babus(o|os|a|an|e|aba|aron|ad[oa]s?)\\b|\\bviola(cion|d[oa]|ron)|\\bviolencia\\b|\\bmaltrat|\\b(public|difund|subi|envi)\\w+ mis fotos\\b|\\bextorsi",
  "\\bmiedo (a|de) (mi (marido|espos|pareja|novi|ex|papa|padre|padrastro|jefe)|que me (pegue|mate|haga)|volver a casa)|\\bvivo con miedo\\b|\\bno me siento segur[oa] (en|con)\\b",
  "\\bno me deja (salir|ver a|hablar)|\\bme tienen? encerrad|\\bme (revisa|controla) (el|mi) (cel|movil|telefono|whatsapp)",
  // Compared by sound, like the text.
].map((words) => new RegExp(words.replace(/\\\w|[a-z]+/g, (part) => (part[0] === "\\" ? part : soundOf(part)))));

/**
 * True if a search may come from a person in danger. It only adds the help lines, so it is generous.
 *
 * Compares sounds, because people in distress mistype: "kiero morir", "no quiero bibir". Ignores punctuation.
 */
export const mentionsDanger = (text: string) => {
  const sound = soundOf(text)
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
  return DANGER.some((pattern) => pattern.test(sound));
};
