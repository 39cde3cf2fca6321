import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costOf } from "#test/cost.ts";
import { skeleton } from "./confusables.ts";
import { nameError, professionError } from "./names.ts";

const REAL =
  `Ana|María José|Ma.José|Ma. José|M.ª José|Mª Ángeles|J.R. Pérez|J. R. Pérez|J.R.R. Tolkien|Dra.Ana|Dr.Kim|Lic.Li|Dra. Ana Ruiz
Fco. Javier|Fco.Javier|M.de los Ángeles|A.de la Torre|José Mª Aznárez|Juan Carlos Ñáñez|Íñigo Núñez|Begoña Etxeberria|Iñaki Goikoetxea
Xabier Aguirre Zubizarreta|Miren Agurtzane|Jordi Gal·la|Marcel·lí Puig|Núria Güell i Lluís|Carme Forcadell|Àngels Barceló|Aïda Òdena
Xoán Ferreiro|Uxía Castelao|Iria Fariña|O'Higgins|María O’Donnell|D'Angelo|Ñandú Mbaraka|Avañe'ẽ Rojas|Jasy Kuñataĩ|Ỹvoty Benítez|G̃uarani Ayala
Arapysandu Ro'y|Tupã Ñemby|K’in Balam|Ixchel Kʼawiil|Itzel Xóchitl|Citlālli|Nezahualcóyotl|Xiuhtēcuhtli|Cuāuhtémoc|Ñusta Quispe|Q'orianka Kilcher
Sumaq T'ika|Chʼaska Mamani|Wayra Qullqi|Inti Yupanqui|Kuntur Ch'uqi|Lautaro Huenchumilla|Ayün Ḻafkenche|Nahuel Ñancupil|Rayén Kvyeh|Llanquiray
José Luis Rodríguez-Zapatero|Sáenz-López|Ana-María|Pérez de la Fuente|de la O|Sánchez y Gómez|Ortega i Gasset|San Martín|Santa Cruz|Del Río
Von Humboldt|Van der Meer|Di Stéfano|De Ladrada|Rudi Vandersloot|Rudi van Dersloot|Alonso Portela|Sol Oporte|Alonso Porte|Édivan da Silva|Edivânia Souza
João Gonçalves|Conceição Araújo|Antônio|Zoë Wagner|Jürgen Müller|Bjørn Åkesson|Łukasz Woźniak|Şükrü Öztürk|İbrahim Işık|Đorđe Petrović|Nguyễn Thị Hồng
Chloë Beauséjour|François Lefèvre|Gül Dağ|Siân Llŷr|Æthelred|Œuvre|Straße|Marie-Thérèse|Ana M.|A. M.|Fede M.|Luis A.|J. Smith Jr.|Ana Ruiz, hija
Ximena|Xu|Li Wei|Kim|Tamara Gold|Queipo de Llano|Doctorovich|Fabio Doctorovich|Susana Nimia|Diana Onega|Juan Cruz|Sofía Salud|Luz Divina
Divina Pastora|Davinia|Iván Divano|Ivánova|Adán Divánez|Equipa|Administro Pérez|Ana 🌻|Ana ❤️|Luna ☾|Ana & Luis|Ana (Anita) Paz|"Pepe" Ruiz|Ana/Luis|Rosa 1982|Ana2
Soporta|Modesto Moderno|Verónica|Vera Ficad|Ana Sol|Marisol|Estefanía|Psique|Sicilia|Teresa Peralta|Teresa Peuta|Adela Minguez|Ad Astra|Elena Nonell
Анна Петрова|Γιώργος Παπαδόπουλος|Ελένη|محمد علي|דוד לוי|Հայկ Սարգսյան|ქეთევან|अनिता शर्मा|சோழன்|อนันต์ ใจดี|아나 김|김민준|李明|王小明
山田太郎|山田さくら|サクラ|山田 サクラ Ana|さくらちゃん|佐々木|渡邉󠄀 葛󠄀|ㄨㄤˊ小明|Ana 李|Mario 김|タロー|ムニョス・アナ|علی‌رضا|शर्‍मा|👨‍👩‍👧 Ana`.split(
    /[|\n]/,
  );

describe("nameError and professionError for real names", () => {
  test(`accept all ${REAL.length} names in every case and normalisation form`, () => {
    expect(REAL.length).toBeGreaterThan(150);
    for (const name of REAL)
      for (const written of [name, name.normalize("NFD"), name.toUpperCase(), name.toLowerCase()]) {
        expect([written, nameError(written)]).toEqual([written, null]);
        expect([written, professionError(written, "user")]).toEqual([written, null]);
        expect([written, professionError(written, "psychologist")]).toEqual([written, null]);
      }
  });

  test("accept two or three simple names in a row", () => {
    const simple = REAL.filter((name) => /^[\p{Script=Latin}\p{M}'’ʼ·-]+( [\p{Script=Latin}\p{M}]+)?$/u.test(name));
    const some = fc.array(fc.constantFrom(...simple), { minLength: 2, maxLength: 3 });
    fc.assert(
      fc.property(some, fc.constantFrom(" ", "-", ", "), (parts, between) => {
        const name = parts.join(between);
        expect([name, nameError(name) ?? professionError(name, "user")]).toEqual([name, null]);
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Refused names by a part of the error; "." allows each error. */
const REFUSED: Record<string, string> = {
  "dirección de un sitio": `divan.com|Ana divan.com|ana@correo.com|wa.me/34600|wa.me|t.me/ana|T.ME|www.divan|WWW.algo|http://x|https:divan|x.com|bit.ly/a|linktr.ee|DIVAN.COM
Terapia.online|terapia.com.ar|ana.com.mx|ana.es|ana.ar|psico.lat|divan．com|divan。com|divan․com|ｄｉｖａｎ．ｃｏｍ|𝐝𝐢𝐯𝐚𝐧.𝐜𝐨𝐦|divan.ⅽom|Ana (divan.com)|Ana-divan.com|Ana,divan.com
192.168.1.1|ana.xn--p1ai|dr.com|Dra.com|Ana www3.x|J.R.me|ana.mx|ana.co|ana.cl|ana.pe|ana.ve|ana.py|ana.uy|ana.ec|ana.pa`,
  // Signs, capitals, other languages, and only Cyrillic letters, which readers confuse with Latin ones.
  "podría confundir": `DivánUruguay|SoporteTecnico|divánTeam|Anón¡mo|D¡ván|Dǃván|Anónǃmo|Diꞌván|Diʼván|ꞋDivánꞋ|Anˈónimo|€quipo|D∣ván|Div∀n|V€rificado|Moderadores|Moderadoras|Admins
无名氏|佚名|名無し|アノニマス|אלמוני|غير معروف|անանուն|ანონიმი|นิรนาม|Безымянный
ѕорогте|Ѕорогте|ԁіѵап|аԁміп`,
  "un solo alfabeto": `Аnonimo|Anоnimo|Dіván|Sоporte|Еquipo|Div\u0430n|Αnonimo
Аna|Anα|Петроvа|Ана Ruiz|Ελένη Ruiz|محمد Ruiz|さくら 김|Анна 李|ㄨさ|Ana Петрова`,
  "marcas de verificación": "Ana ✔|Ana ✓|✅ Ana|Ana ☑️|Ana √|Ana 🮱",
  "no podemos mostrar": Array.from(
    "\u202e\u2066\u00ad\u200b\u200d\u3164\u034f\ufe0f\u{e0061}\u0000\ue000",
    (sign) => `Ro${sign}sa`,
  )
    .concat("R\u0301\u0302\u0303\u0304osa")
    .join("|"),
  ".": `Diván|divan|DIVÁN|D I V Á N|D.i.v.á.n|D-i-v-a-n|Dïvãn|Divan2|D1van|Div4n|Div@n|Dlván|Diván!|«Diván»|Equipo Diván|EquipoDivan|El Equipo de Diván|divan_oficial|SoporteDivan
Ana Diván|Equipo|Equipo de ayuda|Administración|administracion|Administrador|Admin|ADMlN|4dmin|Soporte|Soporte técnico|S0porte|Sop orte|Verificado|Ana Verificada|V3rificado|Ana (verificada)|verificad@
Anónimo|Ánónimo|anonimo|Anónimo.|a n ó n i m o|A.n.ó.n.i.m.o|Anónima|Anonimo123|An0nimo|anonirno|Anonym|Anonymous|Ａｎｏｎｉｍｏ|𝐀𝐧𝐨𝐧𝐢𝐦𝐨|𝔸𝕟𝕠𝕟𝕚𝕞𝕠|Ⓐⓝⓞⓝⓘⓜⓞ|🅐🅝🅞🅝🅘🅜🅞|🇩🇮🇻🇦🇳|ᴀɴóɴɪᴍᴏ|ᴅɪᴠᴀɴ|aɴonimo|anónımo|Anòním|Anonimø
Ana anónima|ANÓNIMO|A̶n̶ó̶n̶i̶m̶o̶|anónimo anónimo|Аноним|Анонимный|Ανώνυμος|匿名|匿名さん|익명|Anonymus|ꓓꓲꓦꓮꓠ|ᎠᏙᎪ`,
};
const rows = Object.entries(REFUSED).flatMap(([words, names]) => names.split(/[|\n]/).map((name) => [name, words]));
test.each(rows as [string, string][])("nameError refuses %j with the message about: %s", (name, words) =>
  expect(nameError(name)).toMatch(words),
);

describe("professionError", () => {
  const PSYCHOLOGY =
    `Psicóloga Ana|Ana Ruiz, psicólogo|PSICOLOGA ANA|psicologaana|Psic. Ana|Psic.Ana|Ps. Ana|p.s.i.c.o.l.o.g.a Ana|Psicólog@ Ana|Psic0loga|Neuropsicóloga Ana|Terapeuta Ana
Sicóloga Ana|sicólogo|Las sicólogas|Sicoterapeuta|Psycóloga|Psicólo6a|Ps¡cóloga|AnaPsi|LicPsicologa
Ana Terapeuta de pareja|Psicoterapeuta|Psicoanalista|Doctora Ana|Doctor Ruiz|ᴘsɪᴄóʟᴏɢᴀ Ana|Ｐｓｉｃóｌｏｇａ Ana|Psychologist Ana`.split(
      /[|\n]/,
    );
  const MEDICAL = "Psiquiatra Ana|Ana, psiquiatra infantil|Médica Ana|El médico Ruiz|Psiq. Ana|Siquiatra Ruiz".split(
    "|",
  );

  test.each("Jessi Cólogan|Francisco Logroño|María DeLuca|McPherson|Ana O’Higgins|Oʼhara|JoséMaría Pérez".split("|"))(
    "accepts the real name %s",
    (name) => expect([nameError(name), professionError(name, "user")]).toEqual([null, null]),
  );

  test("refuses every profession for users", () => {
    for (const name of [...PSYCHOLOGY, ...MEDICAL])
      expect([name, professionError(name, "user")]).toEqual([name, expect.stringMatching(/profesional de la salud/)]);
  });

  test("accepts psychology for psychologists but no medical profession", () => {
    for (const name of PSYCHOLOGY) expect([name, professionError(name, "psychologist")]).toEqual([name, null]);
    for (const name of MEDICAL)
      expect([name, professionError(name, "psychologist")]).toEqual([
        name,
        expect.stringMatching(/matrícula de psicología/),
      ]);
  });
});

describe("nameError for any text", () => {
  const any = fc.oneof(
    fc.string({ unit: "binary", maxLength: 80 }),
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(..."a.-@/ЖΩñ\u0301\u200d🏴漢l1"), maxLength: 80 }),
  );

  test("returns within 100 ms, with a skeleton that maps to itself", () => {
    fc.assert(
      fc.property(any, (name) => {
        const problems = () => [nameError(name), professionError(name, "user"), professionError(name, "psychologist")];
        for (const problem of problems()) expect(problem === null || problem.length > 10).toBe(true);
        expect(costOf(problems, 100)).toBeLessThan(100);
        expect(skeleton(skeleton(name))).toBe(skeleton(name));
      }),
      { numRuns: 1_000 },
    );
  });
});
