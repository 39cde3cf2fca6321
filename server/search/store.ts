import { type RawBuilder, sql } from "kysely";
import { withoutAccents } from "#shared/accents.ts";
import type { Category } from "#shared/categories.ts";
import type { Country } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import { CARD } from "../answers/store.ts";
import { PUBLIC_COLUMNS } from "../consultations/store.ts";
import type { PublicDb } from "../database/handles.ts";
import { hasActiveGold } from "../sessions/store.ts";
import { startsOf, variantsOf } from "./rules.ts";

/**
 * Characters that mark the matches of a headline and replace "<", which would begin a tag. Unicode reserves them for
 * private use, and they are removed from texts before.
 */
export const MARKS = { start: "\ue000", end: "\ue001", less: "\ue002" } as const;

type TsQuery = RawBuilder<unknown>;
type Language = "spanish" | "simple";
/** Queries for all words, for at least two of them, for any word, and each word's own. */
type TextSearch = { all: TsQuery; loose: TsQuery; any: TsQuery; groups: TsQuery };

const either = (queries: readonly TsQuery[]) => sql`(${sql.join(queries, sql` || `)})`;
const both = (queries: readonly TsQuery[]) => sql`(${sql.join(queries, sql` && `)})`;
const anyOf = (variants: readonly string[], language: Language = "spanish") =>
  either(variants.map((variant) => sql`plainto_tsquery(${sql.lit(language)}, ${variant}::text)`));

export type WordRow = { is_stop: boolean; similar: string[] | null };

/**
 * Looks up typed words: whether the language ignores them, and for a word that no consultation contains, the words of
 * the newest titles that begin similarly. One query per word, so that the planner knows how frequent each word is.
 */
export async function lookUpWords(publicDb: PublicDb, words: readonly string[]): Promise<WordRow[]> {
  const rows = words.map((word, at) => {
    const spellings = anyOf(variantsOf(word));
    // The condition is there twice, so that the planner expects few rows and reads the index instead of the table.
    return sql`select ${at}::integer as at, length(to_tsvector('spanish', ${word}::text)) = 0 as is_stop,
      case when length(to_tsvector('spanish', ${word}::text)) > 0 and not exists (
        select from consultation_search where document @@ ${spellings} and document @@ ${spellings}
      ) then array(select word from title_words where left(word, 2) = any(${startsOf(word)}::text[])) end as similar`;
  });
  const found = await sql<WordRow>`
    with titles as (
      select title_words from consultation_search order by created_at desc limit 2000
    ), title_words as materialized (select distinct lexeme as word from titles, unnest(titles.title_words))
    ${sql.join(rows, sql` union all `)} order by at`.execute(publicDb);
  return found.rows;
}

/**
 * Builds the queries of a search.
 * @param groups the spellings of each word
 * @param phrases quoted phrases, which every text must contain
 * @param language "simple" if the words are stems
 */
export function textSearch(
  groups: readonly (readonly string[])[],
  phrases: readonly string[],
  language?: Language,
): TextSearch {
  const each = groups.map((variants) => anyOf(variants, language));
  const quoted = phrases.map((phrase) => sql`phraseto_tsquery('spanish', ${phrase}::text)`);
  const pairs = each.flatMap((one, at) => each.slice(at + 1).map((other) => both([one, other])));
  return {
    all: both([...each, ...quoted]),
    loose: both([either(each.length > 2 ? pairs : each), ...quoted]),
    any: either(each),
    groups: sql`array[${sql.join(each)}]`,
  };
}

export type SearchFilter = {
  country?: Country | undefined;
  category?: Category | undefined;
  answered?: boolean;
  except?: string | undefined;
};

/** Finds the newest texts, one more than a search ranks: the page says whether there are more. */
const matching = (query: TsQuery, { country, category, answered, except }: SearchFilter, condition = sql``) =>
  sql`select s.consultation_id as id, s.created_at, s.document from consultation_search s
    where s.document @@ ${query} ${condition}
      ${country ? sql`and s.country = ${country}` : sql``}
      ${category ? sql`and s.category = ${category}` : sql``}
      ${answered ? sql`and s.answered` : sql``}
      ${except ? sql`and s.consultation_id <> ${except}::uuid` : sql``}
    order by s.created_at desc, s.consultation_id desc limit ${LIMITS.search.ranked + 1}::integer`;

const FEW = sql`(select count(*) from strict) < ${LIMITS.feedPage}::integer`;

/** Ranks the newest texts with all words, and if they are fewer than a page, the newest with at least two of them. */
const ranked = ({ all, loose, any, groups }: TextSearch, filter: SearchFilter, from: number, limit: number) => sql`
  with strict as materialized (${matching(all, filter)}),
  loose as materialized (${matching(loose, filter, sql`and ${FEW} and s.consultation_id not in (select id from strict)`)}),
  found as (select * from strict union all select * from loose)
  select id, count(*) over ()::integer as total,
    row_number() over (order by
      (select count(*) from unnest(${groups}) word where document @@ word) desc,
      ts_rank('{0, 0, 0.3, 1}', document, ${any}, 1) desc, created_at desc, id desc
    ) as place
  from found order by place offset ${from}::integer limit ${limit}::integer`;

const marked = (column: string, any: TsQuery, options: string) => {
  const { start, end, less } = MARKS;
  const text = sql`translate(${sql.ref(column)}, ${`<${start}${end}${less}`}::text, ${less}::text)`;
  return sql<string>`ts_headline('spanish', ${text}, ${any}, ${`StartSel=${start}, StopSel=${end}, ${options}`})`;
};

export type FoundRow = Awaited<ReturnType<typeof searchConsultations>>[number];

/** Returns a page of the ranked consultations with marked matches. */
export const searchConsultations = (publicDb: PublicDb, search: TextSearch, filter: SearchFilter, from: number) =>
  publicDb
    .selectFrom(
      sql<{ id: string; total: number; place: number }>`(${ranked(search, filter, from, LIMITS.feedPage)})`.as("hit"),
    )
    .innerJoin("consultations", "consultations.id", "hit.id")
    .select(PUBLIC_COLUMNS.map((column) => `consultations.${column}` as const))
    .select("hit.total")
    .select([
      marked("consultations.title", search.any, "HighlightAll=true").as("marked_title"),
      marked(
        "consultations.content",
        search.any,
        'MaxFragments=2, MaxWords=30, MinWords=12, FragmentDelimiter=" […] "',
      ).as("marked_content"),
    ])
    .orderBy("hit.place")
    .execute();

/** Returns the stems of a consultation's title, at most as many as a search has words. Empty if it does not exist. */
export async function titleStems(publicDb: PublicDb, id: string): Promise<string[]> {
  const row = await publicDb
    .selectFrom("consultation_search")
    .select(sql<string[]>`tsvector_to_array(ts_filter(document, '{a}'))`.as("stems"))
    .where("consultation_id", "=", id)
    .executeTakeFirst();
  return row?.stems.slice(0, LIMITS.search.words) ?? [];
}

const TITLE = ["consultations.id", "title", "country", "response_count"] as const;

export const similarConsultations = (publicDb: PublicDb, search: TextSearch, except?: string) =>
  publicDb
    .selectFrom(sql<{ id: string; place: number }>`(${ranked(search, { except }, 0, LIMITS.similar)})`.as("hit"))
    .innerJoin("consultations", "consultations.id", "hit.id")
    .select(TITLE)
    .orderBy("hit.place")
    .execute();

/**
 * Returns titles that contain all words and a word that begins with the last one, of the newest ones: an index would read
 * all matches of a frequent word.
 */
export function suggestTitles(publicDb: PublicDb, words: readonly string[]) {
  const terms = words.map((word) => withoutAccents(word).replace(/[^\p{L}\p{N}]/gu, "")).filter(Boolean);
  const query = sql`${terms.map((term, at) => (at === terms.length - 1 ? `${term}:*` : term)).join(" & ")}::tsquery`;
  const hits = sql<{ id: string }>`(
    with newest as (
      select consultation_id, title_words from consultation_search
      order by created_at desc, consultation_id desc limit 30000
    )
    select consultation_id as id from newest where title_words @@ ${query} limit ${LIMITS.suggestions}::integer
  )`.as("hits");
  return publicDb
    .selectFrom(hits)
    .innerJoin("consultations", "consultations.id", "hits.id")
    .select(TITLE)
    .orderBy("created_at", "desc")
    .limit(LIMITS.suggestions)
    .execute();
}

const COMBINING_MARKS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327\u0328";

/** Returns verified psychologists whose name, specialty and country contain all words, or whose licence has the digits. */
export function searchPsychologists(publicDb: PublicDb, words: readonly string[], digits: string, now: Date) {
  const text = sql<string>`translate(normalize(lower(concat_ws(' ', full_name, specialty, psychologists.country)), nfd), ${COMBINING_MARKS}, '')`;
  return publicDb
    .selectFrom("psychologists")
    .select(["psychologists.id", "psychologists.country", ...CARD])
    .select(hasActiveGold("psychologists", now).as("has_gold"))
    .where("is_verified", "=", true)
    .where((where) =>
      where.or([
        ...(words.length
          ? [where.and(words.map((word) => sql<boolean>`strpos(${text}, ${withoutAccents(word)}) > 0`))]
          : []),
        ...(digits ? [sql<boolean>`regexp_replace(license_number, '\\D', '', 'g') = ${digits}`] : []),
      ]),
    )
    .orderBy("psychologists.rating", (order) => order.desc().nullsLast())
    .orderBy("psychologists.id")
    .limit(LIMITS.foundPsychologists)
    .execute();
}
