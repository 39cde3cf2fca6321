import { withoutAccents } from "#shared/accents.ts";
import { LIMITS } from "#shared/limits.ts";

/** Words of a person in danger or of a relative, in lower case without accents. */
const DANGER = [
  // Suicide
  /suicid/,
  /\b(matar|morir|ahorcar|colgar|desaparecer|desvivir)me\b|\bme mato\b(?! de (la )?risa)|\birme de este mundo\b/,
  /\b(me|se) (quier[oe]|quisiera|queria|quise|voy a|va a|iba a|intente|intento|dan ganas de) (matar|morir|ahorcar|quitar la vida)/,
  /\b(quiero|quisiera|deseo|prefiero|ganas de|deseos de) (morir|estar muert|dejar de existir|desaparecer(?! de (la|el|internet)))/,
  /\bno (quiero|puedo|deseo) (seguir )?(viv|exist|despert)/,
  /\bno (quiero|puedo) seguir( mas| asi| aqui)?$/,
  /\b(quitar|sacar)[ms]e la vida\b|\b(acabar|terminar) con (la|mi|su) vida\b|\bacabar con todo\b/,
  /\bpens\w+ (en|de|sobre) (la muerte|muerte|morir)|\b(pienso|ideas) (en|de|sobre) (la muerte|muerte|morir)/,
  /\b(veo|encuentro|tiene|tengo|hay|perdi|sin)\b.{0,15}\b(sentido|ganas|motivos?|razon|razones)\b.{0,6}\b(viv|seguir)/,
  /\bvida (ya )?no (tiene sentido|vale)/,
  /\bcansad[oa] de vivir(?! (con|en|sol[oa])\b)|\bno (vale|merece) la pena (vivir|seguir)/,
  /\b(mejor|bien) sin mi\b|\bno (volver a )?despertar|\b(carta|nota) de despedida\b/,
  /\bme (tom|trag)\w+ .{0,20}(pastillas|pepas|frasco)|\bsobredosis\b/,
  // Self-harm
  /autolesi|\b(golpear|lastimar|herir|quemar)me\b|\bcortarme\b(?! (el pelo|las unas))|\bme (cort|lastim)(o|e|aba)\b/,
  /\bha(cer|cerme|cerse|ce|cen|go|cia|ciendome) dano\b|\bhice dano\b/,
  // Violence
  /\bme (peg|golpe|viol|amenaz|maltrat|estrangul|humill|encerr|encierr)(a|o|an|aba|aban|aron)\b/,
  /\babus(o|os|a|an|e|aba|aron|ad[oa]s?)\b|\bviola(cion|d[oa]|ron)|\bviolencia\b|\bmaltrat/,
  /\bmiedo (a|de) (mi (marido|espos|pareja|novi|ex|papa|padre|padrastro|jefe)|que me (pegue|mate|haga)|volver a casa)/,
  /\bno me deja (salir|ver a|hablar)/,
];

/** True if a search may come from a person in danger. It only adds the help lines, so it is generous. */
export const mentionsDanger = (text: string) => {
  const bare = withoutAccents(text.slice(0, LIMITS.search.characters));
  return DANGER.some((pattern) => pattern.test(bare));
};
