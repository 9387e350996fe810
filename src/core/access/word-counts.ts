/**
 * Counts, by organisation and month, the words of answered questions that no name of the catalogue has: in memory first,
 * and in the table every few seconds. Neither has the question, the key or the person.
 */
import { sql } from 'kysely'
import { builder, type Database } from '../db/index.js'
import { type CountingOptions, type Counts, openCounts } from '../counts.js'

export type UnknownWords = Counts & {
  /** The words are those of one question, each once. */
  count: (orgId: string, words: readonly string[]) => void
}

/** `month` counts from January 1970, UTC. */
type WordRow = { orgId: string; month: number; word: string; times: number }

/** An organisation has at most this many words a month. The others are not kept; those that it has are counted on. */
export const WORDS_OF_MONTH = 500
/** A row takes about 200 bytes. */
const WAITING_WORDS_MAX = 10_000
const WORDS_OF_WRITE = 1000

export function openUnknownWords(
  { run }: Pick<Database, 'run'>,
  { now = Date.now, ...options }: CountingOptions,
): UnknownWords {
  const counts = openCounts<WordRow>({
    rowsMax: WAITING_WORDS_MAX,
    rowsOfWrite: WORDS_OF_WRITE,
    groupOf: ({ orgId, month }) => `${orgId} ${month}`,
    groupMax: WORDS_OF_MONTH,
    isSame: (one, other) => one.word === other.word,
    add: (rows) => run(addWords(rows)),
    ...options,
  })
  return {
    ...counts,
    count: (orgId, words) => {
      const month = monthOf(now())
      for (const word of words) counts.count({ orgId, month, word, times: 1 })
    },
  }
}

function monthOf(at: number): number {
  const date = new Date(at)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

/**
 * Rows are locked in the order of the primary key, so that no two processes deadlock. Organisations that were deleted
 * meanwhile are left out. Two processes that write at the same instant both see the room that is left, so a month may
 * have some words more than it should.
 */
const addWords = (rows: readonly WordRow[]) =>
  builder
    .insertInto('unknown_word')
    .columns(['org_id', 'month', 'word', 'times'])
    .expression(
      sql`
        with counted as (
          select org_id, (date '1970-01-01' + make_interval(months => month))::date as month, word, times
          from unnest(
            ${rows.map(({ orgId }) => orgId)}::text[], ${rows.map(({ month }) => month)}::int[],
            ${rows.map(({ word }) => word)}::text[], ${rows.map(({ times }) => times)}::int[]
          ) as counted (org_id, month, word, times)
          join organisation using (org_id)
        ), kept as (
          select org_id, month, count(*) as words
          from unknown_word
          join (select distinct org_id, month from counted) as months using (org_id, month)
          group by org_id, month
        ), placed as (
          select org_id, month, word, counted.times, known.word is not null as is_kept,
            row_number() over (
              partition by org_id, month, known.word is null order by counted.times desc, word
            ) as place
          from counted
          left join unknown_word as known using (org_id, month, word)
        )
        select org_id, month, word, times
        from placed
        left join kept using (org_id, month)
        where is_kept or place <= ${WORDS_OF_MONTH}::int - coalesce(kept.words, 0)
        order by org_id, month, word`,
    )
    .onConflict((conflict) =>
      conflict.constraint('unknown_word_pkey').doUpdateSet({ times: sql`unknown_word.times + excluded.times` }),
    )
